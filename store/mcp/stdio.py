"""One client over stdin and stdout; whatever else prints goes to stderr."""

from __future__ import annotations

import os
from typing import BinaryIO, cast

import anyio
from mcp.server.stdio import stdio_server
from ulid import ULID

from store.agents.provider import AgentProvider
from store.mcp.callers import Callers
from store.mcp.ending import close, wait_for_signal
from store.mcp.lines import Lines
from store.mcp.server import MemoryServer

LINE = 8 * 1024 * 1024  # bytes: the longest text there can be, all of it escaped, and a little


def serve(memory: AgentProvider, directory: str) -> None:
    """Serve until the input ends, the client is gone or a signal comes.

    Args:
        directory: where the client works, unless it tells its roots.
    """
    try:
        anyio.run(_serve, memory, directory)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client is gone: there is nobody to tell
    finally:
        close(memory)


async def _serve(memory: AgentProvider, directory: str) -> None:
    server = MemoryServer(memory, Callers(f"mcp-{ULID()}", directory), memory.describe()).protocol
    lines = cast("anyio.AsyncFile[str]", Lines(_own_stdin(), LINE))

    async def leave_at_signal() -> None:
        await wait_for_signal()
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(leave_at_signal)
        async with stdio_server(stdin=lines) as (received, sent):
            await server.run(received, sent, server.create_initialization_options())
        tasks.cancel_scope.cancel()


def _own_stdin() -> BinaryIO:
    """Return a file of stdin that is nobody else's, and leave an empty one to all others."""
    own = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return open(own, "rb", closefd=False)
