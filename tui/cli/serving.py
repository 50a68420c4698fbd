"""`serve`: the store as a memory provider on a unix socket, for development."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from render.visible import visible
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

    to_terminal = logging.StreamHandler(sys.stderr)
    to_terminal.setFormatter(LogLines())
    to_terminal.setLevel(logging.WARNING)  # whatever a log file wants
    logging.getLogger().addHandler(to_terminal)
    run(socket or default_socket(), chosen.store, _announce)


class LogLines(logging.Formatter):
    """What is logged, for a terminal: visible, and of an error its kind and place, never what it quotes."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        from store.plugin.logs import line_of

        entry = line_of(record)
        fields = "".join(f" {key}={value}" for key, value in entry.fields.items())
        return visible(f"{record.levelname} {entry.logger}: {entry.message}{fields}")


def _announce(path: Path) -> None:
    typer.echo(visible(f"Serving on unix:{path} (Ctrl-C ends it)"))
    sys.stdout.flush()
