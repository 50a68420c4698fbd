"""A draft that repeats what a host had recalled is known as one, by every way a host has to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.local import LocalDesk
from store.plugin.plugin import MEMORY, TOOLS, Plugin
from store.records import Echo, RecordStatus
from store.wire.convert import to_blocks
from store.wire.gen.pluggableharness.hook.v1 import payload_pb2
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from tests.wire.conftest import Serve
from tests.wire.host import Host
from tests.wire.test_hooks import dispatch, eventually_drafted, response

pytestmark = pytest.mark.everywhere

TEXT = "Releases are cut on Tuesdays by whoever is on call after the smoke tests of the night are green."
ECHO = Echo("releases", 0, len(TEXT) - 1)


def recall(host: Host, session: str = "s1") -> list[str]:
    request = pb.RecallRequest(token_budget=1000, session_id=session)
    return [each.id for each in host.memory(request, pb.RecallResponse).records]


def echo(desk: LocalDesk, id: str) -> Echo | None:
    return desk.review(id, RecordStatus.PENDING).record.echo


def test_a_record_and_a_new_text_after_a_recall(host: Host, desk: LocalDesk) -> None:
    host.approved("Releases", TEXT)
    other = host.approved("Other", "Nothing of the kind.")
    assert recall(host)
    assert echo(desk, host.record("Cutting", TEXT)) == ECHO
    host.memory(pb.UpdateRecordRequest(id=other, content=to_blocks(TEXT)), pb.UpdateRecordResponse)
    assert echo(desk, other) == ECHO


def test_a_tool_of_the_session_that_recalled_and_of_another(serve: Serve, desk: LocalDesk) -> None:
    memories, tools = serve(MEMORY), serve(TOOLS)
    memories.approved("Releases", TEXT)
    found = tools.result("memory.search", {"query": "releases"}, session_id="s1")
    assert found["count"] == 1
    arguments = {"type": "user", "scope": "global", "content": TEXT, "create_new": True}
    for session, expected in (("s1", ECHO), ("s2", None)):
        kept = tools.result(
            "memory.remember", {**arguments, "title": f"Cutting {session}"}, session_id=session
        )
        assert echo(desk, str(kept["id"])) == expected


def test_a_line_of_an_assistants_message(host: Host, desk: LocalDesk) -> None:
    host.approved("Releases", TEXT)
    recall(host)
    dispatch(host, response(f"Remember (user): {TEXT}"))
    eventually_drafted(host, 1)
    [drafted] = desk.list_records(status=RecordStatus.PENDING).records
    assert drafted.echo == ECHO


def test_a_plugin_that_was_started_anew_in_between(
    where: str, sockets: Path, desk: LocalDesk
) -> None:
    def process(number: int, write: bool) -> None:
        plugin = Plugin(MEMORY, location=where)
        host = Host(plugin.listen({}, str(sockets / f"{number}.sock")))
        try:
            if not write:
                host.approved("Releases", TEXT)
                recall(host)
                return
            start = payload_pb2.SessionStartPayload(session_id="s1")
            dispatch(host, payload_pb2.HookPayload(session_start=start).SerializeToString())
            assert echo(desk, host.record("Cutting", TEXT)) == ECHO
        finally:
            host.close()
            plugin.close()

    process(1, write=False)
    process(2, write=True)
