"""One memory through every door: remembered over MCP, approved by the operator, served by the others."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from store.local import open_desk
from store.records import RecordStatus
from tests.apus.client import Client, operator, owner
from tests.host.test_conformance import host as host  # a fixture
from tests.mcp.clients import INFO, environment, over_stdio, result

HERE = Path(__file__).parent.parent
WORDS = {
    "type": "reference",
    "scope": "global",
    "title": "Where the harbour plans are",
    "content": "The harbour plans are in the map room, second drawer. ⚓",
}


def recalled_by_go(host: Path, store: Path) -> list[dict[str, str]]:
    """Return what a Go host on the real go-plugin recalls."""
    program = Path(sys.executable).parent / "memory-inbox"
    ran = subprocess.run(
        [host, "-recall=harbour", f"-memory={program}"],
        env=environment(store),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("the Apus host's double needs Node: apt install nodejs")
    return found


def found_by_apus(node: str, store: Path) -> list[dict[str, str]]:
    """Return what the Apus host's double finds through the plugin."""
    command = [node, str(HERE / "apus" / "js" / "found.mjs"), str(store), "harbour"]
    program = Path(sys.executable).parent / "memory-inbox"
    ran = subprocess.run(
        command,
        env={**os.environ, "MEMORY_INBOX_COMMAND": str(program)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_what_an_mcp_client_remembers_is_served_by_every_door_once_it_is_approved(
    host: Path, node: str, tmp_path: Path, mode: str
) -> None:
    store = tmp_path / "inbox.db"
    async with over_stdio(store, mode) as client:
        id = result(await client.call_tool("remember", WORDS))["id"]
        bridge = Client(store)
        for caller in operator(), owner():
            assert bridge.call("search", caller=caller, query="harbour")["hits"] == []
        assert recalled_by_go(host, store) == []
        assert found_by_apus(node, store) == []

        desk = open_desk(str(store), reviewer="tester")
        [draft] = desk.list_records(status=RecordStatus.PENDING).records
        desk.approve_record(draft.id, draft.revision)
        by = f"mcp:{INFO.name}/{INFO.version}"
        assert (draft.id, draft.content, draft.provenance.recorded_by) == (id, WORDS["content"], by)

        [record] = recalled_by_go(host, store)
        assert record == {
            "id": id,
            "text": WORDS["content"],
            "recorded_by": by,
            "source_session_id": draft.provenance.source_session_id,
        }
        assert [memory["id"] for memory in found_by_apus(node, store)] == [id]
        assert WORDS["content"] in found_by_apus(node, store)[0]["text"]
        [hit] = bridge.call("search", caller=operator(), query="harbour")["hits"]
        assert hit["reference"]["id"] == id
        read = bridge.call("get", caller=operator(), reference=hit["reference"])
        assert WORDS["content"] in read["text"]
        [found] = result(await client.call_tool("search", {"query": "harbour"}))["memories"]
        assert (found["id"], found["content"]) == (id, WORDS["content"])
        whole = result(await client.call_tool("get", {"id": id}))
        assert (whole["recorded_by"], whole["status"]) == (by, "canonical")
        assert desk.get_record(id).provenance == draft.provenance
        desk.close()
        assert bridge.close() == 0
