"""The SDK's own client against the real command, over either transport and in either form of the protocol."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, ListRootsResult, TextContent

TOKEN = "a-token-for-the-tests"
COMMAND = [sys.executable, "-m", "tui.main"]
HANDSHAKE, MODERN = "legacy", "2026-07-28"
INFO = Implementation(name="test client", version="1.2.3")
BASIC = {
    "type": "feedback",
    "scope": "global",
    "title": "Prefer small commits",
    "content": "One thought each.",
}


def environment(store: Path, **more: str) -> dict[str, str]:
    """Return the environment of a server over a store of the test's own."""
    return {**os.environ, "MEMORY_INBOX_STORE": str(store), **more}


@asynccontextmanager
async def over_stdio(store: Path, mode: str = HANDSHAKE, **options: Any) -> AsyncIterator[Client]:
    """Start the command as a client does, and talk to it."""
    server = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "mcp"],
        env=environment(store),
        cwd=options.pop("cwd", store.parent),
    )
    async with Client(
        server, mode=mode, client_info=options.pop("client_info", INFO), cache=None, **options
    ) as client:
        yield client


@dataclass(frozen=True, slots=True)
class Served:
    """A server over HTTP."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])


@contextmanager
def serving_http(store: Path, *options: str, **more: str) -> Iterator[Served]:
    """Run the command over HTTP on a free port, until the block ends."""
    process = subprocess.Popen(
        [*COMMAND, "mcp", "--http", "0", *options],
        env=environment(store, **{"MEMORY_INBOX_MCP_TOKEN": TOKEN, **more}),
        cwd=store.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("Serving MCP on http://127.0.0.1:"), line + process.stderr.read()
        yield Served(line.split()[3], process)
    finally:
        process.kill()
        process.communicate()


@asynccontextmanager
async def over_http(served: Served, mode: str = HANDSHAKE, **options: Any) -> AsyncIterator[Client]:
    """Talk to a server over HTTP."""
    bearing = {"Authorization": f"Bearer {options.pop('token', TOKEN)}"}
    async with httpx2.AsyncClient(headers=bearing, timeout=60) as http:
        transport = streamable_http_client(served.url, http_client=http)
        async with Client(transport, mode=mode, client_info=INFO, cache=None, **options) as client:
            yield client


def roots(*uris: str) -> Any:
    """Return the callback of a client that works in these places."""

    async def told(context: Any) -> ListRootsResult:
        return ListRootsResult.model_validate({"roots": [{"uri": uri} for uri in uris]})

    return told


def result(answer: CallToolResult) -> dict[str, Any]:
    """Return the structured result of a call that did not fail."""
    assert not answer.is_error, answer.content
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


def failure(answer: CallToolResult) -> str:
    """Return what a failed call says."""
    assert answer.is_error, answer
    assert answer.structured_content is None
    [content] = answer.content
    assert isinstance(content, TextContent)
    return content.text
