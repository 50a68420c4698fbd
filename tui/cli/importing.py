"""`import` and `discover`: memory folders into the store."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from store.records import MemoryScope, RecordStatus
from tui.cli.asking import is_agreed
from tui.cli.columns import Column
from tui.cli.options import SCOPE_WORDS, Json, Plain
from tui.cli.output import Output, Shape, note
from tui.cli.session import session

if TYPE_CHECKING:
    from store.folders.discover import Discovered
    from store.folders.importer import Progress

INTERRUPTED = 130

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Folders or files.", show_default=False),
]
Status = Annotated[
    RecordStatus,
    typer.Option(
        metavar="STATUS",
        help="pending waits for your review; canonical approves all that is new.",
    ),
]
Scope = Annotated[
    MemoryScope | None,
    typer.Option(
        "--scope",
        "-s",
        metavar="SCOPE",
        help=f"Of all that is new ({SCOPE_WORDS}).",
        show_default="project for a project's folder, else global",
    ),
]
Project = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="The project they belong to.",
        show_default="the one that the folder is in",
    ),
]
FormatName = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="Read every file as this: claude, vault, basic-memory, openclaw, gemini, hermes, cline, serena, "
        "mcp or mem0.",
        show_default="decided file by file",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
Explain = Annotated[bool, typer.Option("--explain", help="Say why each file is read as it is.")]


def import_(
    context: typer.Context,
    paths: Paths,
    status: Status = RecordStatus.PENDING,
    scope: Scope = None,
    project: Project = None,
    format: FormatName = "",
    dry_run: DryRun = False,
    explain: Explain = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Take in folders of memory files, as drafts to review.

    The files stay as they are. Importing again adds nothing; a file that has changed waits as a revision.
    Ends with 1 when something that holds a memory could not be taken.
    """
    from store.folders.importer import ImportOptions, import_folder
    from store.folders.report import Report
    from store.local import own
    from tui.cli.reports import show_import

    options = ImportOptions(status, scope, project, format, dry_run, explain)
    report = Report()
    code = 0
    with session(context).desk() as desk, progress_bar(json) as progress:
        try:
            for path in paths:
                import_folder(own(desk), path, options, report, progress)
        except KeyboardInterrupt:
            code = INTERRUPTED
    show_import(Output.choose(json, plain), report, dry=dry_run, explain=explain)
    if code:
        note("Interrupted. What was taken stays; run it again to go on.")
    raise typer.Exit(code or not report.complete)


def discover(
    context: typer.Context,
    take: Annotated[
        bool, typer.Option("--import", help="Ask of each whether to import it.")
    ] = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Find memory folders in the usual places of each agent.

    Nothing is imported by finding it; `memory-inbox import PATH` does that.
    """
    from store.folders.discover import discover as find

    found = find()
    if not Output.choose(json, plain).rows(_places(), found):
        note("No memory folders in the usual places. `memory-inbox import PATH` takes any folder.")
    if take and found:
        _import_each(context, found)


def _import_each(context: typer.Context, found: tuple[Discovered, ...]) -> None:
    from store.folders.importer import import_folder
    from store.local import own
    from tui.cli.reports import show_import

    output = Output.choose()
    with session(context).desk() as desk:
        for place in found:
            question = f"Import {place.files} files from {place.path}?"
            if is_agreed(question):
                with progress_bar() as progress:
                    report = import_folder(own(desk), place.path, progress=progress)
                show_import(output, report, dry=False)


def _places() -> Shape[Discovered]:
    return Shape(
        (
            Column("agent"),
            Column("format"),
            Column("files", "dim", "right"),
            Column("path", "bold", give="wrap"),
        ),
        lambda place: (place.agent, place.format, str(place.files), str(place.path)),
        lambda place: {
            "agent": place.agent,
            "format": place.format,
            "files": place.files,
            "path": str(place.path),
            "project": place.project,
        },
    )


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Progress]:
    """Show on a terminal's stderr how far a long run is.

    Yields what is to be called with the files done and the files there are.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("import", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
