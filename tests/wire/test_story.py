"""The whole of it: agents write through plugins, an operator decides in the inbox, and recall serves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store.plugin import handshake
from store.remote import open_provider
from store.wire.convert import from_blocks, to_blocks
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from tests.tui.sitting import sitting
from tests.wire.host import Host
from tests.wire.test_process import PLUGIN, TOOLS, Process

Launch = Callable[[list[str]], Host]


@pytest.fixture
def launch(tmp_path: Path, store_path: Path) -> Iterator[Launch]:
    """Launch plugins on the test's store, as a host does."""
    running: list[tuple[Process, Host]] = []

    def start(command: list[str]) -> Host:
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "MEMORY_INBOX_STORE": str(store_path),
            handshake.COOKIE_NAME: handshake.COOKIE_VALUE,
        }
        process = Process(command, environment)
        running.append((process, process.host()))
        return running[-1][1]

    yield start
    for process, host in running:
        host.close()
        assert process.shut_down() == 0
        process.rest()


def recalled(host: Host) -> dict[str, str]:
    answer = host.memory(pb.RecallRequest(token_budget=10_000), pb.RecallResponse)
    return {record.id: from_blocks(record.content) for record in answer.records}


def remember(host: Host, title: str) -> str:
    arguments = {"type": "user", "scope": "global", "title": title, "content": f"{title}."}
    return str(host.result("memory.remember", dict(arguments))["id"])


async def test_a_tool_remembers_the_inbox_approves_and_recall_serves_it(
    launch: Launch, store_path: Path
) -> None:
    """Three processes on one store: two plugins that one host launched, and the inbox."""
    memory, tools = launch(PLUGIN), launch(TOOLS)
    kept, dropped = remember(tools, "Writes compilers"), remember(tools, "Likes mornings")
    assert recalled(memory) == {}
    async with sitting(store_path) as seat:
        assert seat.ids == [dropped, kept]
        await seat.press("r", "a", "p", "A")
    assert recalled(memory) == {kept: "Writes compilers."}


async def test_the_inbox_reviews_through_a_provider_as_it_does_a_store(
    launch: Launch, store_path: Path
) -> None:
    """The same inbox over the wire: what it lacks it says, what it decides holds."""
    memory = launch(PLUGIN)
    socket = memory.path
    kept, dropped = memory.record("Writes compilers"), memory.record("Likes mornings")
    async with sitting(store_path, open_desk=lambda: open_provider(f"unix:{socket}")) as seat:
        assert seat.ids == [dropped, kept]
        assert seat.inbox.shown is not None
        assert seat.inbox.shown.record.title == "Likes mornings"
        await seat.press("r", "a", "p", "A")
    assert recalled(memory) == {kept: "text"}


async def test_a_draft_that_changed_meanwhile_is_not_approved_over_the_wire(
    launch: Launch, store_path: Path
) -> None:
    memory = launch(PLUGIN)
    id = memory.record("Writes compilers")
    socket = memory.path
    async with sitting(store_path, open_desk=lambda: open_provider(f"unix:{socket}")) as seat:
        await seat.press("a", "p")
        changed = pb.UpdateRecordRequest(id=id, content=to_blocks("Writes something else."))
        memory.memory(changed, pb.UpdateRecordResponse)
        await seat.press("A")
        assert "1 failed" in seat.header
    assert recalled(memory) == {}
