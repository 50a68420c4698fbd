"""`links` and `backlinks`: what refers to what, and what leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from store.provider import Desk
from store.records import LinkClass, LinkEntry
from tui.cli.checking import CheckFormat
from tui.cli.checking import check as check_links
from tui.cli.options import Id, Json, Plain
from tui.cli.output import Output, note
from tui.cli.session import session
from tui.cli.shapes import LINKS

PAGE = 500


def links(
    context: typer.Context,
    broken: Annotated[
        bool, typer.Option("--broken", help="Only links whose target is gone: --class broken.")
    ] = False,
    classes: Annotated[
        list[LinkClass] | None,
        typer.Option(
            "--class",
            metavar="CLASS",
            help=f"Only this class ({', '.join(LinkClass)}); repeat for several.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only what is wrong, with file and line; ends with 1 on a broken link."
        ),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="With --check: ambiguous and wanted links are wrong, too."),
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="With --check: look at this folder by itself, without the store.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        CheckFormat,
        typer.Option(metavar="FORMAT", help="With --check: text, or sarif for code hosts."),
    ] = CheckFormat.TEXT,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """List the [[links]] of all records, by record and line.

    Each is resolved, wanted (its target never existed), broken (its target is gone) or ambiguous (two
    records answer to the name). `links fix` mends, `links rename ID TITLE` renames a record with all that
    refers to it.
    """
    if context.invoked_subcommand is not None:
        return
    output = Output.choose(json, plain)
    if check:
        check_links(context, output, format, folder, strict)
    if strict or folder is not None or format is not CheckFormat.TEXT:
        raise typer.BadParameter("--strict, --folder and --format go with --check", context)
    wanted = [*(classes or ()), *((LinkClass.BROKEN,) if broken else ())]
    with session(context).desk(read_only=True) as desk:
        if not output.rows(LINKS, sweep_links(desk, wanted)):
            note("No such links." if wanted else "No links.")


def backlinks(context: typer.Context, id: Id, json: Json = False, plain: Plain = False) -> None:
    """List the links that lead to a record."""
    with session(context).desk(read_only=True) as desk:
        desk.get_record(id)  # an unknown id is an error, not an empty answer
        found = desk.backlinks(id)
    if not Output.choose(json, plain).rows(LINKS, found):
        note(f"Nothing links to {id}.")


def sweep_links(desk: Desk, classes: list[LinkClass]) -> Iterator[LinkEntry]:
    """Yield the links of these classes (all when empty), a page at a time."""
    after = ""
    while page := desk.links(classes, PAGE, after):
        yield from page
        after = page[-1].source_id
