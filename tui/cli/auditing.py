"""`history` and `doctor`: what was decided, and whether the store is sound."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from render.visible import visible
from tui.cli.columns import Column
from tui.cli.options import Json, Limit, Plain
from tui.cli.output import Form, Output, Shape, as_fields, note
from tui.cli.session import session
from tui.cli.shapes import JOURNAL

if TYPE_CHECKING:
    from store.doctor import Finding
    from store.location import Location


def history(
    context: typer.Context,
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only of this record.")] = None,
    limit: Limit = 100,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Show the decision journal, newest first.

    What was done to which record, when and by whom. The journal never holds a text, only its SHA-256.
    """
    with session(context).desk(read_only=True) as desk:
        entries = desk.history(id, limit)
    if not Output.choose(json, plain).rows(JOURNAL, entries):
        note("Nothing was decided yet." if id is None else f"Nothing is known of {id}.")


def doctor(
    context: typer.Context,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend",
            help="Put right what follows from the records: names, links, words to search, permissions.",
        ),
    ] = False,
    restore: Annotated[
        Path | None,
        typer.Option(
            "--restore",
            metavar="FILE",
            help="Make a new store beside this one: of a backup, or of what can be read of the damaged file.",
            show_default=False,
        ),
    ] = None,
    journal: Annotated[
        bool,
        typer.Option(
            "--journal",
            help="Only follow the decision journal: its lines, the last one's hash, or which is wrong.",
        ),
    ] = False,
    report: Annotated[
        bool,
        typer.Option(
            "--report",
            help="What to paste into a bug report: versions, sizes, findings; no memory, id or path.",
        ),
    ] = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Look whether the store is sound.

    Without --mend nothing is changed. --restore writes a file of its own beside the store, and leaves what
    is there as it is. Ends with 1 when an error is found.
    """
    from store.doctor import Level, examine
    from store.doctor import mend as put_right
    from store.errors import NotOffered, ReadOnly
    from store.location import resolve

    chosen = session(context)
    if chosen.provider is not None:
        raise NotOffered("only a store of our own can be looked into", hint="Leave --provider out.")
    if mend and chosen.read_only:
        raise ReadOnly("mending writes to the store", hint="Leave --read-only out.")
    if report:
        _report(resolve(chosen.store), Output.choose(json, plain))
        return
    if restore is not None:
        _restore(resolve(chosen.store), restore, Output.choose(json, plain))
        return
    if journal:
        _follow_journal(resolve(chosen.store), Output.choose(json, plain))
        return
    look = put_right if mend else examine
    found = look(resolve(chosen.store), _tell_check)
    Output.choose(json, plain).rows(_findings(), found)
    if not found:
        note("The store is sound.")
    raise typer.Exit(int(any(finding.level is Level.ERROR for finding in found)))


def _report(where: Location, output: Output) -> None:
    from store.doctor.report import facts

    terminal = [os.environ[name] for name in ("TERM", "COLORTERM") if os.environ.get(name)]
    told = {**dict(facts(where)), "terminal": ", ".join(terminal) or "none"}
    if output.form is Form.JSON:
        output.json(told)
        return
    for name, value in told.items():
        output.line(f"{name}: {visible(value)}")


def _follow_journal(where: Location, output: Output) -> None:
    from store.doctor import follow_journal

    chain = follow_journal(where)
    if chain.broken is None:
        told = f"The journal is whole: {chain.lines:,} lines, the last with the hash {chain.head}"
        output.answer(told if chain.lines else "The journal is empty", as_fields(chain))
        return
    told = f"The journal was tampered with or damaged at line {chain.broken}: {chain.why}"
    output.answer(told, as_fields(chain), "red")
    raise typer.Exit(1)


def _restore(where: Location, source: Path, output: Output) -> None:
    from store.doctor import Level
    from store.doctor.restoring import restore

    made = restore(where, source.absolute())
    told = (
        f"{made.path} was made: {made.entries:,} records and drafts, {made.trashed:,} in the trash,"
        f" {made.lines:,} lines of the journal"
    )
    output.answer(told, as_fields(made), "bold")
    if output.form is not Form.JSON:
        output.rows(_findings(), made.left)
    if made.unread:
        note(f"Not all could be read of: {', '.join(made.unread)}.")
    note(f"Look at it with: memory-inbox --store {made.path}")
    note(
        f"To go on with it, end what uses the store, move {where.display} away with its -wal and -shm,"
        " and give the new file its name."
    )
    lost = made.unread or any(finding.level is Level.ERROR for finding in made.left)
    raise typer.Exit(int(bool(lost)))


def _tell_check(name: str) -> None:
    # Some checks read everything there is: a person who waits sees which.
    if sys.stderr.isatty():
        note(f"… {name}")


def _findings() -> Shape[Finding]:
    return Shape(
        (
            Column("level", "bold"),
            Column("check"),
            Column("what", give="wrap"),
            Column("how to mend it", "dim", give="wrap"),
        ),
        lambda finding: (finding.level, finding.check, finding.what, finding.how),
    )
