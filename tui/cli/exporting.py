"""`export`, `sync` and `watch`: the store and memory folders, in step."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from store.errors import ReadOnly
from store.records import MemoryScope, Record
from tui.cli.asking import must_agree
from tui.cli.importing import DryRun, FormatName, Project, progress_bar
from tui.cli.options import Json, Plain, Scopes, Types
from tui.cli.output import Output, note
from tui.cli.session import session

if TYPE_CHECKING:
    from store.folders.sync import Synced

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder.", show_default=False)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def export(
    context: typer.Context,
    folder: Folder,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="claude: Claude Code's memory with its index; vault: Markdown notes; "
            "jsonl: MCP memory server; json: mem0.",
        ),
    ] = "claude",
    types: Types = None,
    scopes: Scopes = None,
    project: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Only project records of this project.", show_default=False
        ),
    ] = None,
    dry_run: DryRun = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Write what was approved to a folder, as an agent reads it.

    A file that nobody edited keeps its bytes. A file that is not what was last read there is never written
    over. Ends with 1 when a file could not be written.
    """
    from store.folders.export import ExportOptions, export_folder
    from store.local import own
    from tui.cli.reports import show_export

    root = str(project.resolve()) if project else ""

    def wanted(record: Record) -> bool:
        in_project = record.scope is MemoryScope.PROJECT and record.project_root == root
        return (
            (not types or record.type in types)
            and (not scopes or record.scope in scopes)
            and (not root or in_project)
        )

    with session(context).desk() as desk:
        report = export_folder(own(desk), folder, format, ExportOptions(wanted, dry_run))
    show_export(Output.choose(json, plain), report, dry=dry_run)
    raise typer.Exit(not report.complete)


def sync(
    context: typer.Context,
    folder: Folder,
    project: Project = None,
    format: FormatName = "",
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Import a folder and export to it what came from there, after showing the plan.

    What is new in the folder becomes drafts; what was approved, edited or deleted here changes its files,
    and new records of the folder's project get files. What was changed on both sides is left alone.
    """
    from store.folders.importer import ImportOptions
    from store.folders.sync import sync_folder
    from store.local import own

    output = Output.choose(json, plain)
    options = ImportOptions(project=project, format=format, dry_run=True)
    with session(context).desk() as desk:
        plan = sync_folder(own(desk), folder, options)
        if dry_run or not plan.changes:
            _show(output, plan, dry=dry_run)
            raise typer.Exit(not plan.complete)
        if not yes:
            _show(output, plan, dry=True)
        if not must_agree("Do this?", yes, context):
            raise typer.Exit(0)
        options = ImportOptions(project=project, format=format)
        with progress_bar(json) as progress:
            done = sync_folder(own(desk), folder, options, progress)
    _show(output, done, dry=False)
    raise typer.Exit(not done.complete)


def _show(output: Output, synced: Synced, dry: bool) -> None:
    from tui.cli.reports import show_export, show_import

    show_import(output, synced.incoming, dry=dry, heading="into the store")
    show_export(output, synced.outgoing, dry=dry, heading="into the folder")


def watch(
    context: typer.Context,
    folder: Folder,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="How often to look.")
    ] = 2.0,
    project: Project = None,
    format: FormatName = "",
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Keep taking in what agents write to a folder, as drafts, until Ctrl-C."""
    from store.folders.importer import ImportOptions
    from store.folders.sync import watch_folder
    from store.local import own
    from tui.cli.reports import show_import

    output = Output.choose(json, plain)
    ended = threading.Event()
    options = ImportOptions(project=project, format=format)
    if session(context).read_only:
        raise ReadOnly("what is watched is written to the store", hint="Leave --read-only out.")
    with session(context).desk() as desk:
        note(f"Watching {folder}; Ctrl-C ends it.")
        for report in watch_folder(own(desk), folder, lambda: not ended.wait(every), options):
            show_import(output, report, dry=False)
