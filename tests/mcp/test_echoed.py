"""A draft that repeats what its client had been given over MCP is known as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from store.local import LocalDesk
from store.records import Echo, MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.mcp.clients import MODERN, over_http, over_stdio, result, serving_http

TEXT = "Releases are cut on Tuesdays by whoever is on call after the smoke tests of the night are green."
ECHO = Echo("releases", 0, len(TEXT) - 1)


@pytest.fixture
def approved(desk: LocalDesk) -> str:
    new = NewRecord(MemoryType.FEEDBACK, MemoryScope.GLOBAL, "Releases", TEXT)
    return desk.write(new, Origin()).id


async def remember(client: Client, desk: LocalDesk, title: str) -> Echo | None:
    arguments: dict[str, Any] = {"type": "feedback", "scope": "global", "create_new": True}
    kept = result(
        await client.call_tool("remember", {**arguments, "title": title, "content": TEXT})
    )
    return desk.review(kept["id"], RecordStatus.PENDING).record.echo


async def test_what_was_searched_read_or_taken_as_a_resource(
    store: Path, desk: LocalDesk, approved: str
) -> None:
    async with over_stdio(store, MODERN) as client:
        assert await remember(client, desk, "Unread") is None
        assert result(await client.call_tool("search", {"query": "releases"}))["count"] == 1
        assert await remember(client, desk, "Searched") == ECHO
    async with over_stdio(store, MODERN) as client:
        assert await remember(client, desk, "Another session") is None
        await client.call_tool("get", {"id": approved})
        assert await remember(client, desk, "Read") == ECHO
    async with over_stdio(store, MODERN) as client:
        await client.read_resource(f"memory:{approved}")
        assert await remember(client, desk, "Taken") == ECHO


async def test_sessions_of_one_server_are_told_apart(
    store: Path, desk: LocalDesk, approved: str
) -> None:
    with serving_http(store) as served:
        async with over_http(served) as reads, over_http(served) as writes:
            await reads.call_tool("get", {"id": approved})
            assert await remember(writes, desk, "Elsewhere") is None
            assert await remember(reads, desk, "Here") == ECHO
