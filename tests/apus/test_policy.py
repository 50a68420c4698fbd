"""Who sees what: every cell of the table, in the pure policy, in SQL and through a real bridge."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.apus.callers import Caller, Host, Operator, Session, caller_of
from store.apus.failures import PermissionDenied
from store.apus.policy import SEES, Reach, Viewer, Whose, reach_of, viewer_of
from store.apus.sight import audience
from store.audience import Audience
from store.errors import InvalidArgument
from store.local import LocalDesk
from store.reader import reader_of
from store.records import MemoryScope, NewRecord, Origin
from tests.apus.client import PROVIDER, Client, Failed, caller, host, operator, owner, talk
from tests.store.entries import a_store, add
from tests.store.making import new

SESSION, PROJECT, GLOBAL = MemoryScope.SESSION, MemoryScope.PROJECT, MemoryScope.GLOBAL
OWN = {"kind": "owner-private", "agentId": "main"}
CALLERS: dict[Viewer, list[dict[str, Any]]] = {
    Viewer.OPERATOR: [operator()],
    Viewer.OWNER: [owner()],
    Viewer.CONVERSATION: [talk()],
    Viewer.UNGRANTED: [caller("main", None)],
    Viewer.FOREIGN: [
        caller("main", {**OWN, "agentId": "other"}),
        caller(
            "main",
            {
                "kind": "conversation",
                "agentId": "other",
                "sessionKey": "chat:7",
                "sessionId": "c-1",
            },
        ),
    ],
    Viewer.SANDBOXED: [owner(sandboxed=True), talk(sandboxed=True)],
    Viewer.HOST: [host()],
}
RECORDS: dict[Whose, list[Audience | None]] = {
    Whose.OWNER: [Audience("main")],
    Whose.CONVERSATION: [Audience("main", "chat:7", "c-1")],
    Whose.OTHER_CONVERSATION: [
        Audience("main", "chat:7", "c-2"),
        Audience("main", "chat:8", "c-1"),
        Audience("main", "chat:7:", "c-1"),
    ],
    Whose.OTHER_AGENT: [
        Audience("other"),
        Audience("other", "chat:7", "c-1"),
        Audience("main2"),
        Audience("Main"),
    ],
    Whose.NOBODYS: [None],
    Whose.NOBODYS_SESSION: [None],
}
YES = {
    (Viewer.OPERATOR, Whose.OWNER),
    (Viewer.OPERATOR, Whose.CONVERSATION),
    (Viewer.OPERATOR, Whose.OTHER_CONVERSATION),
    (Viewer.OPERATOR, Whose.NOBODYS),
    (Viewer.OWNER, Whose.OWNER),
    (Viewer.OWNER, Whose.CONVERSATION),
    (Viewer.OWNER, Whose.OTHER_CONVERSATION),
    (Viewer.OWNER, Whose.NOBODYS),
    (Viewer.CONVERSATION, Whose.CONVERSATION),
}
CELLS = list(product(Viewer, Whose))
PAGE = Path(__file__).parents[2] / "docs" / "apus.md"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One store with a record of each kind and a bridge over it; neither is changed."""
    from store.local import open_desk

    path = tmp_path_factory.mktemp("policy") / "private" / "inbox.db"
    desk = open_desk(str(path))
    ids: dict[Whose, list[str]] = {}
    for whose, audiences in RECORDS.items():
        scope = SESSION if whose is Whose.NOBODYS_SESSION else GLOBAL
        for at, given_to in enumerate(audiences):
            origin = Origin("test", session_id="c-1", audience=given_to)
            title = f"{whose.name} number {at} zebra"
            ids.setdefault(whose, []).append(
                desk.write(new(title, "zebra", scope=scope), origin).id
            )
    client = Client(path)
    yield client, ids
    assert client.close() == 0
    desk.close()


@pytest.mark.parametrize(("viewer", "whose"), CELLS)
def test_the_table_says_who_sees_what(viewer: Viewer, whose: Whose) -> None:
    assert (whose in SEES[viewer]) == ((viewer, whose) in YES)


@pytest.mark.parametrize(("viewer", "whose"), CELLS)
def test_each_cell_holds_in_the_policy(viewer: Viewer, whose: Whose) -> None:
    for asked in CALLERS[viewer]:
        who = caller_of(asked)
        assert viewer_of(who) is viewer
        if not SEES[viewer]:
            with pytest.raises(PermissionDenied):
                reach_of(who)
            continue
        scope = SESSION if whose is Whose.NOBODYS_SESSION else PROJECT
        for record in RECORDS[whose]:
            assert reach_of(who).sees(record, scope) == ((viewer, whose) in YES)


@pytest.mark.parametrize(("viewer", "whose"), CELLS)
def test_each_cell_holds_through_the_bridge(
    shared: tuple[Client, dict[Whose, list[str]]], viewer: Viewer, whose: Whose
) -> None:
    client, ids = shared
    for asked in CALLERS[viewer]:
        found = [finds(client, asked, id) for id in ids[whose]]
        if not SEES[viewer]:
            assert found == [{"permission_denied"}] * len(ids[whose])
        else:
            assert found == [{(viewer, whose) in YES}] * len(ids[whose])


def finds(client: Client, asked: dict[str, Any], id: str) -> set[bool | str]:
    """Return whether search, get and candidates give a record, or how they refuse."""
    reference = {"providerId": PROVIDER, "id": id}
    said: set[bool | str] = set()
    for method, params in (
        ("search", {"query": "zebra", "maxResults": 50}),
        ("candidates", {"kind": "trigger", "limit": 200}),
        ("get", {"reference": reference}),
    ):
        try:
            answer = client.call(method, caller=asked, **params)
        except Failed as error:
            said.add(error.kind)
            continue
        if method == "get":
            said.add(answer["status"] == "ok")
        else:
            said.add(id in [hit["reference"]["id"] for hit in answer["hits"]])
    return said


@pytest.mark.parametrize("viewer", list(Viewer))
def test_every_caller_may_ask_for_health(
    shared: tuple[Client, dict[Whose, list[str]]], viewer: Viewer
) -> None:
    for asked in CALLERS[viewer]:
        health = shared[0].call("health", caller=asked)
        assert health["status"] == "ready"
        assert "zebra" not in str(health)
        assert "/" not in str(health)


@pytest.mark.parametrize(
    "broken",
    [
        None,
        {},
        {"agentId": "main"},
        {"agentId": "", "authority": {"kind": "operator", "scopes": []}},
        {"agentId": "main", "authority": {"kind": "root"}},
        {"agentId": "main", "authority": {"kind": "session", "sessionKey": "k"}},
        {"agentId": "main", "authority": {"kind": "session", "sandboxed": "no"}},
        caller("main", {"kind": "everything", "agentId": "main"}),
        caller("main", {"kind": "owner-private"}),
        caller("main", {"kind": "conversation", "agentId": "main", "sessionKey": "k"}),
        caller("main", {"kind": "conversation", "agentId": "main", "sessionId": "s"}),
        caller("main", {**OWN, "agentId": "a" * 501}),
        caller("main", {**OWN, "agentId": "a\0"}),
    ],
)
def test_what_is_missing_of_an_authority_is_never_made_up(broken: Any) -> None:
    with pytest.raises(InvalidArgument):
        caller_of(broken)


NAMES = st.sampled_from(["main", "other", "chat:7", "chat:8", "c-1", "c-2"])
AUDIENCES = st.none() | st.builds(Audience, NAMES) | st.builds(Audience, NAMES, NAMES, NAMES)


@given(NAMES, AUDIENCES, st.booleans(), AUDIENCES, st.sampled_from(list(MemoryScope)))
def test_no_session_sees_more_than_its_audience_says(
    agent: str,
    granted: Audience | None,
    sandboxed: bool,
    record: Audience | None,
    scope: MemoryScope,
) -> None:
    who = Caller(agent, Session(sandboxed, "c-1", granted))
    try:
        seen = reach_of(who).sees(record, scope)
    except PermissionDenied:
        seen = False
    if sandboxed or granted is None or granted.agent_id != agent:
        assert not seen
    elif record is None:
        assert seen == (not granted.is_conversation and scope is not SESSION)
    elif granted.is_conversation:
        assert seen == (record == granted)
    else:
        assert seen == (record.agent_id == agent)


def test_the_condition_in_sql_is_the_policy(tmp_path: Path) -> None:
    names = ("main", "other")
    keys = ("chat:7", "chat:8")
    audiences: list[Audience | None] = [None, *map(Audience, names)]
    audiences += [Audience(*each) for each in product(names, keys, ("c-1", "c-2"))]
    reaches = [Reach(viewer, name) for viewer in (Viewer.OPERATOR, Viewer.OWNER) for name in names]
    reaches += [
        Reach(Viewer.CONVERSATION, each.agent_id, each)
        for each in audiences
        if each and each.is_conversation
    ]
    with a_store(str(tmp_path / "inbox.db")) as database, database.writing() as conn:
        rows = {}
        for at, (whose, scope) in enumerate(product(audiences, MemoryScope)):
            pk = add(conn, f"r{at}", scope=scope)
            if whose:
                conn.exec_driver_sql(
                    "UPDATE record SET agent_id = ?, conversation_key = ?, conversation_id = ?"
                    " WHERE pk = ?",
                    (whose.agent_id, whose.session_key, whose.session_id, pk),
                )
            rows[pk] = (whose, scope)
        for reach in reaches:
            condition = audience(reach)
            query = f"SELECT pk FROM record WHERE {condition.condition}"
            found = {pk for (pk,) in reader_of(conn).all(query, *condition.values)}
            assert found == {pk for pk, record in rows.items() if reach.sees(*record)}


def test_the_page_shows_the_same_table() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    head = next(cells(row) for row in rows if Whose.OTHER_CONVERSATION in row)
    shown = {cells(row)[0]: cells(row)[1:] for row in rows}
    for viewer in Viewer:
        for whose, cell in zip(head[1:], shown[viewer], strict=True):
            assert (cell == "reads") == ((viewer, Whose(whose)) in YES), (viewer, whose)
            assert cell in ("reads", "–", "refused")
            assert (cell == "refused") == (not SEES[viewer])


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip()[1:-1].split("|")]


def test_operators_and_hosts_are_told_apart_from_sessions() -> None:
    assert isinstance(caller_of(operator()).authority, Operator)
    assert isinstance(caller_of(host()).authority, Host)


def test_projects_of_other_doors_need_to_be_active(bridge: Client, desk: LocalDesk) -> None:
    made = NewRecord(*(new("Zebra crossing").type, PROJECT), "Zebra crossing", "stripes")
    desk.write(made, Origin("cli", project_root="/srv/zoo"))

    def found(asked: dict[str, Any], **more: Any) -> int:
        return len(bridge.call("search", caller=asked, query="zebra", **more)["hits"])

    assert found(owner()) == 0
    assert found(owner(), activeProjectKeys=[]) == 0
    assert found(owner(), activeProjectKeys=["path:/srv/other"]) == 0
    assert found(owner(), activeProjectKeys=["path:/srv/zoo"]) == 1
    assert found(operator()) == 1
    assert found(operator(), activeProjectKeys=["path:/srv/other"]) == 0
    assert found(talk(), activeProjectKeys=["path:/srv/zoo"]) == 0
