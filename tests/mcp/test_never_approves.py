"""No request of the protocol, whatever it says, decides on a draft."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter
from mcp_types.methods import SPEC_CLIENT_METHODS, SPEC_CLIENT_NOTIFICATION_METHODS

from store.agents.calls import Call
from store.agents.provider import AgentProvider
from store.local import LocalDesk, open_desk
from store.mcp.callers import Callers
from store.mcp.server import MemoryServer
from store.mcp.tools import Tools
from store.records import (
    Decision,
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    RecordFilter,
    RecordStatus,
)

CLIENT = Origin("mcp:by hand/1", "session", project_root="/work")
IDS = ("first-draft", "second-draft", "an-agreed-matter", "revised-matter")
DECISIONS = {Decision.APPROVE, Decision.REJECT, Decision.UNAPPROVE}
_WORDS = st.sampled_from(
    [*IDS, *(f"memory:{id}" for id in IDS), "canonical", "approve", "memory:/index"]
)
_TEXTS = _WORDS | st.text(max_size=30)


class Waiting(Call):
    """A caller that never gives up."""

    live = True


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with drafts, canonical records and a revision, from the client and from others."""
    path = tmp_path_factory.mktemp("store") / "inbox.db"
    desk = open_desk(str(path))
    for title, status, by in (
        ("First draft", RecordStatus.PENDING, CLIENT),
        ("Second draft", RecordStatus.PENDING, Origin("memory.remember")),
        ("An agreed matter", RecordStatus.CANONICAL, Origin("operator")),
        ("Revised matter", RecordStatus.CANONICAL, CLIENT),
    ):
        desk.write(NewRecord(MemoryType.USER, MemoryScope.GLOBAL, title, "text"), by, status)
    desk.update_record("revised-matter", "another text", origin=CLIENT)
    desk.close()
    return path


@pytest.fixture(scope="module")
def memory(place: Path) -> Iterator[AgentProvider]:
    memory = AgentProvider(str(place))
    yield memory
    memory.close()


@pytest.fixture(scope="module")
def desk(place: Path) -> Iterator[LocalDesk]:
    desk = open_desk(str(place))
    yield desk
    desk.close()


def decided(desk: LocalDesk) -> None:
    """Assert that all that waited still waits, that all that was agreed is as it was, and nothing else is."""
    pending = {r.id for r in desk.browse(RecordFilter(status=RecordStatus.PENDING), 500).records}
    agreed = {
        (r.id, r.title, r.content)
        for r in desk.browse(RecordFilter(status=RecordStatus.CANONICAL), 500).records
    }
    assert {"first-draft", "second-draft", "revised-matter"} <= pending
    assert agreed == {
        ("an-agreed-matter", "An agreed matter", "text"),
        ("revised-matter", "Revised matter", "text"),
    }
    assert not desk.trash()
    assert not {line.decision for line in desk.history(limit=100_000)} & DECISIONS


def allowed(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return all that a schema of ours allows."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "object":
            parts = {name: allowed(part) for name, part in schema["properties"].items()}
            needed = {name: parts.pop(name) for name in schema["required"]}
            return st.fixed_dictionaries(needed, optional=parts)
        case "array":
            return st.lists(allowed(schema["items"]), max_size=4)
        case "number":
            return st.integers() | st.floats()
        case "boolean":
            return st.booleans()
    return _TEXTS


CALLS = st.one_of(
    *(
        st.tuples(st.just(tool.name), allowed(tool.input_schema))
        for tool in Tools(AgentProvider()).listed()
    )
)
house = settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@house
@given(calls=st.lists(CALLS, max_size=6))
def test_no_arguments_that_the_schemas_allow_decide_on_a_draft(
    memory: AgentProvider, desk: LocalDesk, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    tools = Tools(memory)
    for name, arguments in calls:
        answer = tools.call(name, arguments, CLIENT, Waiting())
        [content] = answer.content
        assert "unexpectedly" not in str(content)
    decided(desk)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "uri", "arguments", "status", "revision", "cursor"])
            | _TEXTS,
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
METHODS = st.sampled_from(
    [
        *sorted(SPEC_CLIENT_METHODS - {"initialize"}),
        *sorted(SPEC_CLIENT_NOTIFICATION_METHODS - {"notifications/cancelled"}),
        "memory/approve",
        "ApproveRecord",
        "tools/approve",
    ]
)
PARAMS = st.one_of(
    CALLS.map(lambda call: {"name": call[0], "arguments": call[1]}),
    _TEXTS.map(lambda uri: {"uri": uri}),
    st.dictionaries(st.sampled_from(["name", "uri", "arguments", "cursor", "_meta"]), VALUES),
)


@house
@given(requests=st.lists(st.tuples(METHODS, PARAMS), max_size=8))
def test_no_method_decides_on_a_draft(
    memory: AgentProvider, desk: LocalDesk, requests: list[tuple[str, dict[str, Any]]]
) -> None:
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(requests, 1)
    ]
    anyio.run(converse, memory, messages)
    decided(desk)


async def converse(memory: AgentProvider, messages: list[dict[str, Any]]) -> None:
    """Send messages as they would come in a pipe, and wait until each has its answer."""
    server = MemoryServer(memory, Callers("session", "/work"), memory.describe()).protocol
    to_server, received = anyio.create_memory_object_stream[SessionMessage | Exception](100)
    sent, from_server = anyio.create_memory_object_stream[SessionMessage](100)

    async def say(message: dict[str, Any]) -> JSONRPCMessage | None:
        text = json.dumps(message)
        await to_server.send(SessionMessage(jsonrpc_message_adapter.validate_json(text)))
        return (await from_server.receive()).message if "id" in message else None

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, received, sent, server.create_initialization_options())
        about = {"name": "by hand", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
        await say({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
        await say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        for message in messages:
            await say(message)
        tasks.cancel_scope.cancel()
