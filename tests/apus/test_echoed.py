"""A draft that repeats what its session, or for a flush its owner's agent, was given is known as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from store.local import LocalDesk
from store.records import Audience, Echo, MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.apus.client import Client, caller, operator, owner, talk

TEXT = "Releases are cut on Tuesdays by whoever is on call after the smoke tests of the night are green."
TALK = Audience("main", "chat:7", "c-1")


@pytest.fixture
def ids(desk: LocalDesk) -> dict[str, str]:
    """The id of the same text, by whose it is."""
    new = NewRecord(MemoryType.PROJECT, MemoryScope.GLOBAL, "Releases", TEXT)
    return {
        whose: desk.write(new, Origin("apus:main", audience=audience)).id
        for whose, audience in (("owner", Audience("main")), ("talk", TALK))
    }


def echo(
    bridge: Client, desk: LocalDesk, who: dict[str, Any], title: str, **tool: Any
) -> str | None:
    params = {"type": "project", "scope": "global", "title": title, "content": TEXT}
    answer = bridge.call(
        "remember",
        caller=who,
        tool={"agentId": "main", **tool},
        params={**params, "create_new": True},
    )
    found = desk.review(answer["details"]["id"], RecordStatus.PENDING).record.echo
    assert found is None or found == Echo(found.id, 0, len(TEXT) - 1)
    return found and found.id


def get(bridge: Client, who: dict[str, Any], id: str) -> None:
    reference = {"providerId": "memory-inbox", "id": id}
    assert bridge.call("get", caller=who, reference=reference)["status"] == "ok"


def test_what_was_got_or_searched_by_the_host_or_by_the_tool(
    bridge: Client, desk: LocalDesk, ids: dict[str, str]
) -> None:
    assert echo(bridge, desk, owner(), "Unread") is None
    get(bridge, owner(), ids["owner"])
    assert echo(bridge, desk, owner(), "Got") == ids["owner"]
    assert echo(bridge, desk, owner(session="s-2"), "Elsewhere") is None
    bridge.call("search", caller=owner(session="s-2"), query="releases")
    assert echo(bridge, desk, owner(session="s-2"), "Found") in ids.values()
    looked_up = {"tool": {"agentId": "main"}, "params": {"query": "releases"}}
    assert bridge.call("searchTool", caller=owner(session="s-3"), **looked_up)["details"]["count"]
    assert echo(bridge, desk, owner(session="s-3"), "Looked up") in ids.values()


def test_a_conversation_is_known_by_its_audience_in_whatever_session(
    bridge: Client, desk: LocalDesk, ids: dict[str, str]
) -> None:
    get(bridge, talk(), ids["talk"])
    flushing = caller("main", talk()["authority"]["audience"], "s-flush")
    assert echo(bridge, desk, flushing, "Flushed", flushId="f-1") == ids["talk"]
    assert echo(bridge, desk, talk(session="c-2"), "Another conversation") is None


def test_a_flush_of_an_owners_session_is_a_session_of_its_own(
    bridge: Client, desk: LocalDesk, ids: dict[str, str]
) -> None:
    assert echo(bridge, desk, owner(session="s-9"), "Before", flushId="f-0") is None
    get(bridge, owner(), ids["owner"])
    assert echo(bridge, desk, owner(session="s-9"), "Flushed", flushId="f-1") == ids["owner"]
    assert echo(bridge, desk, owner("other", "s-9"), "Other", agentId="other", flushId="f") is None


def test_what_an_operator_reads_was_given_to_no_session(
    bridge: Client, desk: LocalDesk, ids: dict[str, str]
) -> None:
    get(bridge, operator(), ids["owner"])
    assert echo(bridge, desk, owner(), "Cutting", flushId="f-1") is None


def test_a_bridge_that_was_started_anew_still_knows(
    path: Path, desk: LocalDesk, ids: dict[str, str]
) -> None:
    first = Client(path)
    get(first, owner(), ids["owner"])
    assert first.close() == 0
    second = Client(path)
    assert echo(second, desk, owner(), "Cutting") == ids["owner"]
    assert second.close() == 0
