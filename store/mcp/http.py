"""Clients over streamable HTTP on the loopback interface, each with the token."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

import anyio
import uvicorn

from store.agents.provider import AgentProvider
from store.errors import SourceUnavailable
from store.mcp.callers import Callers
from store.mcp.ending import close
from store.mcp.guard import Guard
from store.mcp.server import MemoryServer

HOST, PATH = "127.0.0.1", "/mcp"
BODY = 8 * 1024 * 1024  # bytes of a request: the longest text there can be, escaped, and a little
_SESSIONS = 256  # that are open at the same time
_LAST_CALLS = 1  # seconds for calls under way to finish


def serve(
    memory: AgentProvider,
    directory: str,
    port: int,
    token: str,
    started: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve until interrupted or told to end.

    Args:
        directory: where clients work that tell no roots.
        port: to listen on; 0 for any that is free.
        token: that every request must bear.
        started: told the URL once calls are taken.

    Raises:
        SourceUnavailable: the port cannot be had.
    """
    listening = _listen(port)
    try:
        # The server heeds both, and raises them again once it has ended.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
        anyio.run(_serve, memory, directory, listening, token, started)
    finally:
        listening.close()
        close(memory)


async def _serve(
    memory: AgentProvider,
    directory: str,
    listening: socket.socket,
    token: str,
    started: Callable[[str], None],
) -> None:
    port = listening.getsockname()[1]
    protocol = MemoryServer(memory, Callers("", directory), memory.describe()).protocol
    app = protocol.streamable_http_app(
        host=HOST, streamable_http_path=PATH, max_request_body_size=BODY, max_sessions=_SESSIONS
    )
    guarded = Guard(app, (f"{HOST}:{port}", f"localhost:{port}"), token)
    config = uvicorn.Config(
        guarded,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=_LAST_CALLS,
    )
    started(f"http://{HOST}:{port}{PATH}")
    await uvicorn.Server(config).serve([listening])


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise SourceUnavailable(
            f"{HOST}:{port} cannot be listened on: {error.strerror}",
            hint="Choose another --http port; 0 takes any that is free.",
        ) from error
    return listening
