"""`serve`: the store as a memory provider on a unix socket, for development."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from tui.cli.session import session

SocketPath = Annotated[
    Path | None,
    typer.Option(
        "--socket",
        metavar="PATH",
        help="Where to listen.",
        show_default="memory-inbox.sock in your runtime directory",
    ),
]


def serve(context: typer.Context, socket: SocketPath = None) -> None:
    """Serve the store as a memory provider, until Ctrl-C.

    An agent's host launches the plugin by itself; this is for trying it out, and for other clients:
    memory-inbox --provider unix:PATH reviews through it.
    """
    chosen = session(context)
    if chosen.provider is not None:
        raise typer.BadParameter("--provider is another's store; only one's own can be served")
    from store.plugin.serve import default_socket
    from store.plugin.serve import serve as run

    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    run(socket or default_socket(), chosen.store, _announce)


def _announce(path: Path) -> None:
    typer.echo(f"Serving on unix:{path} (Ctrl-C ends it)")
    sys.stdout.flush()
