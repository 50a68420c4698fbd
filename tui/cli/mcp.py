"""`mcp`: the memory for agents whose host speaks the Model Context Protocol."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from render.visible import visible
from tui.cli.serving import LogLines
from tui.cli.session import session

Port = Annotated[
    int | None,
    typer.Option(
        "--http",
        metavar="PORT",
        min=0,
        max=65535,
        help="Serve over HTTP on this port of 127.0.0.1 instead; 0 takes any that is free.",
        show_default="stdio, for the one client that starts it",
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="PATH",
        help="Where the token for --http is; made when missing.",
        show_default="mcp-token beside the usual store, unless $MEMORY_INBOX_MCP_TOKEN is set",
    ),
]


def mcp(context: typer.Context, http: Port = None, token_file: TokenFile = None) -> None:
    """Serve the store to agents over MCP: what they write are drafts for the inbox.

    A client starts this by itself; docs/mcp.md tells how each is configured.
    """
    chosen = session(context)
    if chosen.provider is not None:
        raise typer.BadParameter("--provider is another's store; only one's own can be served")
    if http is None and token_file is not None:
        raise typer.BadParameter("--token-file is for --http")
    from store.agents.provider import AgentProvider
    from store.location import resolve

    to_stderr = logging.StreamHandler(sys.stderr)
    to_stderr.setFormatter(LogLines())
    to_stderr.setLevel(logging.WARNING)  # whatever a log file wants
    logging.getLogger().addHandler(to_stderr)
    memory = AgentProvider(resolve(chosen.store))
    if http is None:
        from store.mcp import stdio

        if sys.stdin.isatty():
            typer.echo("Waiting for an MCP client to speak on stdin (Ctrl-C ends it)", err=True)
        stdio.serve(memory, os.getcwd())
    else:
        from store.mcp import http as over_http
        from store.mcp.token import default_file, token_of

        token = token_of(os.environ, token_file or default_file())
        over_http.serve(memory, os.getcwd(), http, token, _announce)


def _announce(url: str) -> None:
    typer.echo(visible(f"Serving MCP on {url} (Ctrl-C ends it)"), err=True)
