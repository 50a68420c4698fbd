"""`links --check`, `links fix` and `links rename`: what is wrong with links, and mending it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tui.cli.asking import answer_to
from tui.cli.columns import Column
from tui.cli.options import Id, Json, Plain
from tui.cli.output import Output, Shape, as_fields, note
from tui.cli.session import session

if TYPE_CHECKING:
    from store.alike import Suggestion
    from store.folders.hygiene import Finding
    from store.folders.mending import Fix, Mended
    from store.local import LocalDesk


class CheckFormat(StrEnum):
    """How findings are written."""

    TEXT = "text"
    SARIF = "sarif"


def check(
    context: typer.Context,
    output: Output,
    format: CheckFormat,
    folder: Path | None,
    strict: bool,
) -> None:
    """Report what is wrong with links in a folder, else in the store; ends with 1 when something is.

    Args:
        strict: ambiguous and wanted links count as wrong, too.
    """
    from store.folders.hygiene import FAULTS, Kind, examine, examine_folder
    from store.local import own

    if folder is not None:
        found = list(examine_folder(folder))
    else:
        with session(context).desk(read_only=True) as desk:
            found = list(examine(own(desk)))
    wrong = FAULTS | ({Kind.AMBIGUOUS, Kind.WANTED} if strict else set())
    if format is CheckFormat.SARIF:
        _write_sarif(output, found, folder)
    elif not output.rows(_findings(), found):
        note("Nothing is wrong with the links.")
    raise typer.Exit(any(finding.kind in wrong for finding in found))


def _write_sarif(output: Output, found: list[Finding], folder: Path | None) -> None:
    import json
    from importlib.metadata import version

    from store.folders.sarif import sarif

    log = sarif(found, Path.cwd() if folder is None or folder.is_dir() else folder.parent, "")
    log["runs"][0]["tool"]["driver"]["version"] = version("memory-inbox")
    output.line(json.dumps(log, indent=2, ensure_ascii=True))


def _findings() -> Shape[Finding]:
    return Shape(
        (
            Column("what", "bold"),
            Column("where", give="wrap"),
            Column("target", give="wrap"),
            Column("why", "dim", give="wrap"),
        ),
        lambda found: (found.kind.value, _near(found), found.target, found.message),
        lambda found: as_fields(found) | {"where": found.where},
    )


def _near(finding: Finding) -> str:
    """Return where a finding is, its file as seen from here."""
    if not finding.path:
        return finding.where
    here = os.path.relpath(finding.path)
    path = finding.path if here.startswith("..") else here
    return f"{path}:{finding.line}" if finding.line else path


def fix(
    context: typer.Context,
    apply: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Make the fixes of this file, as --json writes them; - is standard input.",
            show_default=False,
        ),
    ] = None,
    wanted: Annotated[
        bool, typer.Option("--wanted", help="Also links whose target never existed.")
    ] = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Point broken and ambiguous links to the records that they may mean, asking about each.

    With --json the suggestions are only written, best first; a pruned list of them goes into --apply.
    """
    from store.folders.mending import apply_fixes, read_fixes
    from store.local import own

    output = Output.choose(json, plain)
    with session(context).desk() as opened:
        desk = own(opened)
        if apply is not None:
            text = sys.stdin.read() if str(apply) == "-" else apply.read_text("utf-8")
            fixes = read_fixes(text)
        elif json:
            for finding, suggestions in _suggested(desk, wanted):
                output.json(_fields(finding, suggestions))
            return
        else:
            fixes = tuple(_asked(output, _suggested(desk, wanted)))
        done = apply_fixes(desk, fixes)
    _tell(output, done)
    raise typer.Exit(any(each.why for each in done))


def _suggested(desk: LocalDesk, wanted: bool) -> Iterator[tuple[Finding, tuple[Suggestion, ...]]]:
    """Yield each link that leads nowhere or anywhere, once a record, with what it may mean."""
    from store.folders.hygiene import Kind, examine
    from store.folders.mending import Suggester

    kinds = {Kind.BROKEN, Kind.AMBIGUOUS, *((Kind.WANTED,) if wanted else ())}
    with desk.database.reading() as conn:
        suggester = Suggester(conn)
    seen: set[tuple[str, str]] = set()
    for finding in examine(desk):
        if finding.kind in kinds and (finding.id, finding.target) not in seen:
            seen.add((finding.id, finding.target))
            if suggestions := suggester.suggest(finding):
                yield finding, suggestions


def _fields(finding: Finding, suggestions: tuple[Suggestion, ...]) -> dict[str, object]:
    best = suggestions[0]
    return {
        "id": finding.id,
        "target": finding.target,
        "replacement": best.id,
        "likeness": best.likeness,
        "others": [each.id for each in suggestions[1:]],
        "kind": finding.kind.value,
        "where": finding.where,
    }


def _asked(
    output: Output, found: Iterable[tuple[Finding, tuple[Suggestion, ...]]]
) -> Iterator[Fix]:
    """Ask about each link and yield the fixes that were chosen."""
    from store.folders.mending import Fix

    for finding, suggestions in found:
        output.answer(f"{_near(finding)}  [[{finding.target}]]  {finding.kind}", {}, "bold")
        output.answer(f"    {finding.text.strip()}", {})
        for number, each in enumerate(suggestions, 1):
            output.answer(f"  {number}  {each.id}  {each.likeness:.0f} %", {})
        while True:
            given = answer_to(f"1–{len(suggestions)}, enter skips, q ends:")
            if given == "q":
                return
            if not given:
                break
            if given.isdigit() and 0 < int(given) <= len(suggestions):
                yield Fix(finding.id, finding.target, suggestions[int(given) - 1].id)
                break


def _tell(output: Output, done: tuple[Mended, ...]) -> None:
    if not done:
        note("Nothing to fix.")
    for each in done:
        words = f"{each.fix.id}: [[{each.fix.target}]] is now [[{each.fix.replacement}]]"
        if each.why:
            words = f"{each.fix.id}: [[{each.fix.target}]] was left alone: {each.why}"
        output.answer(words, as_fields(each), "red" if each.why else "")


def rename(
    context: typer.Context,
    id: Id,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="The new title.")],
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Give a record another title, and every link that uses the old one the new one.

    Its id stays. An export writes the changed links into the files.
    """
    from store.folders.mending import rename as rename_record
    from store.local import own

    with session(context).desk() as desk:
        changed = rename_record(own(desk), id, title)
    told = f"; links rewritten in {', '.join(changed)}" if changed else ""
    fields = {"id": id, "title": title, "rewritten": list(changed)}
    Output.choose(json, plain).answer(f"{id} is now {title!r}{told}", fields)
