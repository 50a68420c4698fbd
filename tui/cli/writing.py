"""`record`, `delete`, `restore` and `purge`: an operator's own writes."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from store.records import (
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    RecordStatus,
    content_hash,
)
from store.reviewer import this_user
from tui.cli.asking import must_agree
from tui.cli.options import SCOPE_WORDS, TYPE_WORDS, Id, Json, Plain
from tui.cli.output import Output, as_fields, note
from tui.cli.session import Session, session
from tui.cli.shapes import TRASH

_ALL = 1_000_000_000  # what the trash can hold


def record(
    context: typer.Context,
    type: Annotated[
        MemoryType,
        typer.Option("--type", "-t", metavar="TYPE", help=f"What it is about: {TYPE_WORDS}."),
    ],
    scope: Annotated[
        MemoryScope,
        typer.Option("--scope", "-s", metavar="SCOPE", help=f"Where it applies: {SCOPE_WORDS}."),
    ],
    title: Annotated[str, typer.Option(metavar="TITLE", help="A line that says what it is.")],
    source: Annotated[
        str, typer.Argument(metavar="[FILE]", help="The text; - is standard input.")
    ] = "-",
    id: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Suggested id; derived from the title when left out.",
            show_default=False,
        ),
    ] = None,
    pending: Annotated[
        bool, typer.Option("--pending", help="As a draft, to be reviewed like an agent's.")
    ] = False,
    project: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Project of a project-scope record; the current directory by default.",
            show_default=False,
        ),
    ] = None,
    session_id: Annotated[
        str,
        typer.Option(
            "--session",
            metavar="SESSION",
            help="Session of a session-scope record.",
            show_default=False,
        ),
    ] = "",
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Record a memory yourself.

    It is canonical at once, unless --pending makes it a draft to review.
    """
    if scope is MemoryScope.SESSION and not session_id:
        raise typer.BadParameter("session scope needs --session ID", context)
    text = _read(source)
    root = str((project or Path.cwd()).resolve()) if scope is MemoryScope.PROJECT else ""
    origin = Origin(recorded_by=f"cli:{this_user()}", session_id=session_id, project_root=root)
    status = RecordStatus.PENDING if pending else RecordStatus.CANONICAL
    with session(context).desk() as desk:
        result = desk.write(NewRecord(type, scope, title, text, id=id), origin, status)
    Output.choose(json, plain).answer(f"{result.id} ({result.status})", as_fields(result), "bold")


def delete(context: typer.Context, id: Id, json: Json = False, plain: Plain = False) -> None:
    """Move a record to the trash, or withdraw a draft for good."""
    with session(context).desk() as desk:
        found = desk.get_record(id)
        desk.delete_record(id, Origin(recorded_by=this_user()))
    told = "withdrawn for good" if found.pending else f"in the trash: restore {id} brings it back"
    fields = {"id": id, "deleted": True, "restorable": not found.pending}
    Output.choose(json, plain).answer(f"{id}: {told}", fields)


def restore(
    context: typer.Context,
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]", help="The id it had; without one, lists what can come back."
        ),
    ] = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Bring a deleted record back from the trash."""
    output = Output.choose(json, plain)
    with session(context).desk(read_only=id is None) as desk:
        if id is None:
            if not output.rows(TRASH, desk.trash()):
                note("The trash is empty.")
            return
        result = desk.restore(id)
    told = f"{result.id} is back" + ("" if result.id == id else f" (the id {id} is taken now)")
    output.answer(told, as_fields(result))


def purge(
    context: typer.Context,
    older: Annotated[
        int,
        typer.Option(
            metavar="DAYS", min=0, help="Only what was deleted more than so many days ago."
        ),
    ] = 0,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")] = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Destroy what is in the trash, for good.

    The texts are overwritten in the database, its log and its search index, which loses the words of what was
    rejected as well; the journal keeps ids and hashes. Copies that were made beside the store and still hold
    a text are named; other backups are yours to look after. A server keeps what was destroyed in dead rows
    until it vacuums, and in its own log and backups.
    """
    before = datetime.now(UTC) - timedelta(days=older)
    chosen = session(context)
    with chosen.desk() as desk:
        old = [item.record for item in desk.trash(_ALL) if item.deleted_at < before]
        if old and not must_agree(f"Destroy {len(old)} in the trash, for good?", yes, context):
            raise typer.Exit(0)
        destroyed = desk.purge(before)
    told = f"{destroyed} destroyed for good" if destroyed else "nothing in the trash is that old"
    left = _remains(chosen, {content_hash(record.content) for record in old}) if destroyed else []
    Output.choose(json, plain).answer(told, {"destroyed": destroyed, "copies": left})


def _remains(chosen: Session, hashes: set[str]) -> list[str]:
    """Say what may still hold destroyed texts, and return the copies that do."""
    from store.doctor.remains import holding, log_is_left
    from store.location import resolve

    if chosen.provider is not None:
        return []
    path = resolve(chosen.store).path
    if path is None:
        note("The server keeps them in dead rows until it vacuums, and in its own log and backups.")
        return []
    if log_is_left(path):
        note("Another program is reading the store: its log may keep them until that program ends.")
    found = holding(path, hashes)
    for copy, count in found.items():
        note(f"{copy} still holds {count} of them.")
    return [str(copy) for copy in found]


def _read(source: str) -> str:
    """Return a text from a file or standard input, one final line end taken off."""
    if source == "-":
        if sys.stdin.isatty():
            note("Type the text, then Ctrl-D on a line of its own.")
        data = sys.stdin.buffer.read()
    else:
        data = Path(source).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"the text is not UTF-8 (byte {error.start})") from error
    return text.removesuffix("\n").removesuffix("\r")
