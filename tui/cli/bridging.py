"""`bridge` and `apus path`: the door of the Apus host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from render.visible import visible
from store.apus.place import plugin_folder
from tui.cli.session import session

BridgedStore = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="PLACE", help="The store, as for every command.", show_default=False
    ),
]
ExportFolder = Annotated[
    Path | None,
    typer.Option(
        "--export-dir",
        metavar="DIR",
        help="A folder of `memory-inbox export` whose files the host may show.",
        show_default=False,
    ),
]


def bridge(
    context: typer.Context, store: BridgedStore = None, export_dir: ExportFolder = None
) -> None:
    """Answer the Apus host's plugin on stdin and stdout: JSON-RPC 2.0 by lines.

    The plugin starts this by itself. What its agents write are drafts; nothing here can approve one.
    """
    chosen = session(context)
    if chosen.provider is not None:
        raise typer.BadParameter("--provider is another's store; only one's own can be bridged")
    from store.apus.launch import run

    run(store or chosen.store, export_dir)


def path() -> None:
    """Print the folder of the host's plugin, for the host to load."""
    typer.echo(visible(str(plugin_folder())))
