"""What agents keep and look up: for whom it is kept, once for a flush, and never approved from here."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from store.local import LocalDesk
from store.records import Audience, MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.apus.client import PROVIDER, Client, Failed, caller, host, memory, operator, owner, talk
from tests.store.making import waiting

TALK = Audience("main", "chat:7", "c-1")
NOBODY = caller("main", None)


def remember(client: Client, who: dict[str, Any], given: dict[str, Any], **tool: Any) -> Any:
    context = {"agentId": "main", **tool}
    return client.call("remember", caller=who, tool=context, params=given)["details"]


def approve(desk: LocalDesk, id: str) -> None:
    desk.approve_record(id, waiting(desk, id))


@pytest.mark.parametrize(
    ("who", "tool", "audience"),
    [
        (owner(), {}, Audience("main")),
        (owner(), {"senderIsOwner": False}, Audience("main")),
        (talk(), {}, TALK),
        (talk(), {"senderIsOwner": True}, TALK),
        (NOBODY, {"senderIsOwner": True}, Audience("main")),
        (NOBODY, {"toolsOnly": True}, Audience("main")),
        (NOBODY, {"toolsOnly": True, "senderIsOwner": True}, Audience("main")),
        (NOBODY, {}, None),
        (NOBODY, {"senderIsOwner": False}, None),
        (NOBODY, {"toolsOnly": True, "senderIsOwner": False}, None),
        (NOBODY, {"toolsOnly": True, "senderIsOwner": True, "sandboxed": True}, None),
        (owner(sandboxed=True), {}, None),
        (owner(), {"sandboxed": True}, None),
        (talk(sandboxed=True), {}, None),
        (owner(), {"agentId": "other"}, None),
        (caller("main", {"kind": "owner-private", "agentId": "other"}), {"toolsOnly": True}, None),
        (operator(), {}, None),
        (host(), {"toolsOnly": True, "senderIsOwner": True}, None),
    ],
)
def test_a_draft_is_for_the_audience_that_the_host_grants(
    bridge: Client,
    desk: LocalDesk,
    who: dict[str, Any],
    tool: dict[str, Any],
    audience: Audience | None,
) -> None:
    if audience is None:
        with pytest.raises(Failed) as raised:
            remember(bridge, who, memory("Tea"), **tool)
        assert raised.value.kind == "permission_denied"
        assert desk.count().total == 0
        return
    answer = remember(bridge, who, memory("Tea"), **tool)
    assert (answer["outcome"], answer["status"]) == ("created", "pending")
    record = desk.review(answer["id"]).record
    assert record.audience == audience
    assert record.pending
    assert record.provenance.recorded_by == "apus:main"
    assert record.provenance.source_session_id == who["authority"]["sessionId"]


def test_a_text_over_the_limit_is_refused_and_said_to_be(bridge: Client, desk: LocalDesk) -> None:
    with pytest.raises(Failed, match="262,145 bytes long"):
        remember(bridge, owner(), memory("Long", "x" * (256 * 1024 + 1)))
    assert desk.count().total == 0


def test_a_draft_is_recallable_where_it_came_from_once_it_is_approved(
    bridge: Client, desk: LocalDesk
) -> None:
    id = remember(bridge, talk(), memory("Tea", "Green tea"))["id"]

    def readers() -> list[int]:
        every = (talk(), owner(), operator(), talk(session="c-2"), owner("other"))
        asked = [bridge.call("search", caller=who, query="green") for who in every]
        return [len(answer["hits"]) for answer in asked]

    assert readers() == [0, 0, 0, 0, 0]
    approve(desk, id)
    assert readers() == [1, 1, 1, 0, 0]
    found = bridge.call("searchTool", caller=talk(), tool={}, params={"query": "green"})
    assert [each["content"] for each in found["details"]["memories"]] == ["Green tea"]
    assert "Green tea" in found["content"][0]["text"]


def test_a_flush_writes_each_text_once_whatever_became_of_it(
    bridge: Client, desk: LocalDesk
) -> None:
    def flushed(title: str, content: str, flush: str = "f-1", who: Any = None) -> Any:
        return remember(bridge, who or owner(), memory(title, content), flushId=flush)

    first = flushed("Tea", "Green")
    assert first["outcome"] == "created"
    again = flushed("Likes his tea very green", "Green")
    assert (again["outcome"], again["id"]) == ("unchanged", first["id"])
    desk.reject_record(first["id"])
    assert flushed("Tea", "Green")["outcome"] == "unchanged"
    assert desk.count().total == 0
    assert flushed("Coffee", "Black")["outcome"] == "created"
    assert flushed("Tea", "Green", "f-2")["outcome"] == "created"
    assert flushed("Tea", "Green", who=talk())["outcome"] == "created"
    assert desk.count().total == 3


def test_retries_of_a_flush_that_come_at_once_write_once(bridge: Client, desk: LocalDesk) -> None:
    params = {"caller": owner(), "tool": {"agentId": "main", "flushId": "f-1"}}
    sent = [bridge.send("remember", **params, params=memory("Tea", "Green")) for _ in range(20)]
    outcomes = [bridge.answer(number)["details"]["outcome"] for number in sent]
    assert sorted(outcomes) == ["created"] + ["unchanged"] * 19
    assert desk.count().total == 1


def test_without_a_flush_the_same_memory_is_known_by_its_title(
    bridge: Client, desk: LocalDesk
) -> None:
    assert remember(bridge, owner(), memory("Tea", "Green"))["outcome"] == "created"
    assert remember(bridge, owner(), memory("Tea", "Green"))["outcome"] == "unchanged"
    assert remember(bridge, owner(), memory("Tea", "Black"))["outcome"] == "updated"
    near = remember(bridge, owner(), memory("Teas", "Black"))
    assert near["outcome"] == "similar" or near["outcome"] == "created"
    assert desk.get_record("tea").content == "Black"


@pytest.mark.parametrize("who", [talk(), owner("other"), talk(session="c-2"), NOBODY])
def test_nothing_tells_a_session_of_memories_that_it_may_not_read(
    bridge: Client, desk: LocalDesk, who: dict[str, Any]
) -> None:
    secret = remember(bridge, owner(), memory("Salary negotiation notes", "90k"))["id"]
    approve(desk, secret)
    tool = {"toolsOnly": True, "agentId": who["agentId"]}
    for title in ("Salary negotiation note", "Salary negotiation notes"):
        answer = remember(bridge, who, memory(title, title.upper()), **tool)
        named = [answer.get("id"), *(each["id"] for each in answer.get("candidates", ()))]
        assert secret not in named
    answer = remember(bridge, who, memory("Salary", "other", id=secret), **tool)
    assert answer["outcome"] in ("created", "similar")
    assert answer.get("id") != secret
    assert secret not in [each["id"] for each in answer.get("candidates", ())]
    with pytest.raises(Failed) as raised:
        bridge.call("forget", caller=who, tool=tool, params={"id": secret})
    assert raised.value.kind == "not_found"
    assert desk.get_record(secret).content == "90k"
    assert len(desk.trash()) == 0


def test_an_owner_corrects_what_is_nobodys_and_a_conversation_does_not(
    bridge: Client, desk: LocalDesk
) -> None:
    new = NewRecord(MemoryType.USER, MemoryScope.GLOBAL, "Tea", "Green")
    desk.write(new, Origin("cli"))
    assert remember(bridge, talk(), memory("Tea", "Black"))["id"] == "tea-2"
    assert remember(bridge, owner(), memory("Tea", "White"))["outcome"] == "updated"
    seen = desk.review("tea", RecordStatus.PENDING)
    assert (seen.record.content, seen.record.audience) == ("White", None)
    assert seen.record.provenance.recorded_by == "apus:main"
    assert desk.get_record("tea").content == "Green"


def test_an_older_hosts_session_adds_and_never_twice(bridge: Client, desk: LocalDesk) -> None:
    tool = {"toolsOnly": True, "senderIsOwner": True}
    assert remember(bridge, NOBODY, memory("Tea", "Green"), **tool)["outcome"] == "created"
    assert remember(bridge, NOBODY, memory("Tea", "Green"), **tool)["outcome"] == "unchanged"
    assert remember(bridge, NOBODY, memory("Tea", "Black"), **tool)["id"] == "tea-2"
    assert desk.get_record("tea").content == "Green"


@pytest.mark.parametrize(
    ("tool", "reads"),
    [
        ({}, False),
        ({"toolsOnly": True}, False),
        ({"toolsOnly": True, "senderIsOwner": True}, False),
        ({"toolsOnly": True, "ownerReads": True}, False),
        ({"senderIsOwner": True, "ownerReads": True}, False),
        ({"toolsOnly": True, "ownerReads": True, "senderIsOwner": False}, False),
        ({"toolsOnly": True, "ownerReads": True, "senderIsOwner": True}, True),
    ],
)
def test_without_an_audience_searching_is_for_operators_to_allow(
    bridge: Client, desk: LocalDesk, tool: dict[str, Any], reads: bool
) -> None:
    approve(desk, remember(bridge, owner(), memory("Tea", "Green"))["id"])
    asked = {"caller": NOBODY, "tool": {"agentId": "main", **tool}, "params": {"query": "tea"}}
    if reads:
        assert bridge.call("searchTool", **asked)["details"]["count"] == 1
        return
    with pytest.raises(Failed) as raised:
        bridge.call("searchTool", **asked)
    assert raised.value.kind == "permission_denied"


def test_searching_keeps_to_a_budget_and_its_filters(bridge: Client, desk: LocalDesk) -> None:
    for n in range(5):
        approve(
            desk, remember(bridge, owner(), memory("Tea", f"tea {n} " * 40, create_new=True))["id"]
        )

    def found(**params: Any) -> Any:
        asked = {"query": "tea", **params}
        return bridge.call("searchTool", caller=owner(), tool={}, params=asked)["details"]

    assert found()["count"] == 5
    assert found(limit=2)["count"] == 2
    assert found(types=["project"])["count"] == 0
    assert sum(each["tokens"] for each in found(token_budget=100)["memories"]) <= 100
    with pytest.raises(Failed, match="no memory fits"):
        found(token_budget=1)


def test_a_project_memory_is_bound_to_where_the_agent_works(
    bridge: Client, desk: LocalDesk, tmp_path: Path
) -> None:
    (tmp_path / "zoo" / ".git").mkdir(parents=True)
    inner = tmp_path / "zoo" / "src"
    inner.mkdir()
    given = memory("Deploys on Fridays", scope="project", type="project")
    id = remember(bridge, owner(), given, workspaceDir=str(inner))["id"]
    assert desk.review(id).record.project_root == str(tmp_path / "zoo")
    with pytest.raises(Failed, match="absolute"):
        remember(bridge, owner(), given, workspaceDir="src")


def test_in_a_flush_a_session_memory_belongs_to_the_conversation_not_the_flush(
    bridge: Client, desk: LocalDesk
) -> None:
    given = memory("Now on step three", scope="session", type="project")
    id = remember(bridge, talk(), given, flushId="f", sessionId="flush-9", sessionKey="x")["id"]
    assert desk.review(id).record.session_id == "c-1"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {**memory("Tea"), "type": "fact"},
        {**memory("Tea"), "scope": "everywhere"},
        {**memory("Tea"), "title": 7},
        {**memory("Tea"), "status": "canonical"},
        {**memory("Tea"), "content": "x" * 300_000},
        {**memory("Tea"), "content": "nul \0"},
        {**memory("Tea"), "title": "t" * 600},
        None,
        "text",
    ],
)
def test_wrong_arguments_are_an_error_and_write_nothing(
    bridge: Client, desk: LocalDesk, given: Any
) -> None:
    with pytest.raises(Failed) as raised:
        remember(bridge, owner(), given)
    assert raised.value.code == -32602
    assert "xxx" not in raised.value.message
    assert desk.count().total == 0


def test_forgetting_is_a_proposal_that_the_operator_decides(
    bridge: Client, desk: LocalDesk
) -> None:
    id = remember(bridge, talk(), memory("Tea", "Green"))["id"]
    asked = {"tool": {}, "params": {"id": id, "reason": "It was a joke."}}
    with pytest.raises(Failed, match="draft"):
        bridge.call("forget", caller=talk(), **asked)
    approve(desk, id)
    for who in (owner(), talk(session="c-2"), owner("other"), NOBODY):
        tool = {"toolsOnly": True}
        with pytest.raises(Failed, match="not_found"):
            bridge.call("forget", caller=who, tool=tool, params=asked["params"])
    told = bridge.call("forget", caller=talk(), **asked)
    assert told["details"]["status"] == "pending"
    assert "a person decides" in told["content"][0]["text"]
    assert desk.get_record(id).content == "Green"
    assert len(bridge.call("search", caller=talk(), query="tea")["hits"]) == 1
    seen = desk.review(id, RecordStatus.PENDING).record
    assert (seen.removes, seen.audience) == (True, TALK)
    assert "It was a joke." in seen.content
    approve(desk, id)
    assert bridge.call("search", caller=talk(), query="tea")["hits"] == []
    assert [item.record.audience for item in desk.trash()] == [TALK]


# Nothing that can be asked approves, rejects or configures.

CALLERS = (owner(), talk(), operator(), host(), NOBODY, owner(sandboxed=True), owner("other"))
TOOLS: tuple[dict[str, Any], ...] = (
    {"agentId": "main", "senderIsOwner": True, "toolsOnly": True, "ownerReads": True},
    {"agentId": "main", "flushId": "f", "sessionKey": "k", "sessionId": "s", "model": "m"},
)
NAMES = ("waits", "revised", "approved", "wanted", "Draft that waits", "")
ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "search": [
        {"query": query, "status": "pending", "includePending": True, "approve": True}
        for query in ("waits", "revised text", "")
    ],
    "get": [{"reference": {"providerId": PROVIDER, "id": id, "status": "pending"}} for id in NAMES],
    "candidates": [{"kind": kind, "limit": 200} for kind in ("trigger", "project", "pending")],
    "health": [{"approve": "waits"}],
    "refresh": [{"id": "waits", "ratification": False}],
    "remember": [
        {"params": {**memory(title, content, type=type, scope=scope), **more}}
        for title, content, type, scope, more in product(
            ("Draft that waits", "Something else"),
            ("Text that waits", "Other"),
            ("user", "project"),
            ("global", "session"),
            (
                {},
                {"id": "waits"},
                {"id": "approved", "create_new": True},
                {"status": "canonical"},
                {"approve": True},
            ),
        )
    ],
    "forget": [{"params": {"id": id, "reason": "approve it"}} for id in NAMES],
    "searchTool": [
        {"params": {"query": "waits", **more}}
        for more in ({}, {"include_pending": True}, {"limit": 50, "token_budget": 9_000})
    ],
    "artifacts": [{"approve": "waits"}],
    "initialize": [{"protocol": 1, "providerId": PROVIDER, "ratification": False}],
}
NO_METHODS = (
    "approve", "reject", "unapprove", "configure", "delete", "edit", "restore", "purge", "record",
    "approveRecord", "approve_record", "provider.approve_record", "__init__", "memory_remember",
)  # fmt: skip


def answered(client: Client, method: str, params: dict[str, Any]) -> str:
    try:
        return json.dumps(client.call(method, **params))
    except Failed as error:
        return error.message


def test_no_method_with_any_arguments_approves_or_shows_what_waits(
    bridge: Client, desk: LocalDesk
) -> None:
    origin = Origin("apus:main", audience=Audience("main"))
    kinds = (MemoryType.USER, MemoryScope.GLOBAL)
    desk.record(NewRecord(*kinds, "Draft that waits", "Text that waits", id="waits"), origin)
    desk.write(NewRecord(*kinds, "Approved", "approved text", id="approved"), origin)
    desk.write(NewRecord(*kinds, "Revised", "first text", id="revised"), origin)
    desk.update_record("revised", "revised text", origin=origin)
    canonical = {each.id: each for each in desk.list_records(status=RecordStatus.CANONICAL).records}
    asked = 0
    for method, variants in ARGUMENTS.items():
        for params, who, tool in product(variants, CALLERS, TOOLS):
            answer = answered(bridge, method, {"caller": who, "tool": tool, **params})
            assert "revised text" not in answer
            asked += 1
    assert asked > 800
    for method, who in product(NO_METHODS, CALLERS):
        with pytest.raises(Failed) as raised:
            bridge.call(method, caller=who, id="waits", revision=None, params={"id": "waits"})
        assert raised.value.code == -32601
    now = {each.id: each for each in desk.list_records(status=RecordStatus.CANONICAL).records}
    assert now == canonical
    assert desk.review("waits", RecordStatus.PENDING).record.pending
    assert desk.review("revised", RecordStatus.PENDING).record.pending
    assert not {line.decision for line in desk.history(limit=100_000)} & {
        "approve",
        "reject",
        "configure",
        "delete",
    }
    assert desk.ratified
