"""What the host reads: pages, scores, lines, revisions, and what it may recall by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from store.apus.reading import lines_of
from store.local import LocalDesk
from store.records import Audience, MemoryScope, MemoryType, NewRecord, Origin
from tests.apus.client import PROVIDER, Client, Failed, caller, host, operator, owner, talk

MAIN = Audience("main")


def keep(
    desk: LocalDesk,
    title: str,
    content: str = "text",
    *,
    audience: Audience | None = MAIN,
    scope: MemoryScope = MemoryScope.GLOBAL,
    session: str = "",
    root: str = "",
    aliases: tuple[str, ...] = (),
) -> str:
    new = NewRecord(MemoryType.USER, scope, title, content, aliases=aliases)
    origin = Origin("apus:main", session_id=session, project_root=root, audience=audience)
    return desk.write(new, origin).id


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["reference"]["id"] for hit in answer["hits"]]


def test_a_sweep_by_cursors_finds_each_once_whatever_is_written_meanwhile(
    bridge: Client, desk: LocalDesk
) -> None:
    there = {keep(desk, f"Zebra number {n}", "zebra " * (n % 7 + 1)) for n in range(60)}
    asked: dict[str, Any] = {"caller": owner(), "query": "zebra", "maxResults": 7}
    answer = bridge.call("search", **asked)
    seen, scores = ids(answer), [hit["score"] for hit in answer["hits"]]
    gone = ""
    while cursor := answer.get("nextCursor"):
        keep(desk, f"Later zebra {len(seen)}", "zebra " * 20)
        if not gone:
            gone = next(iter(there - set(seen)))
            desk.delete_record(gone)
        answer = bridge.call("search", **asked, cursor=cursor)
        seen += ids(answer)
        scores += [hit["score"] for hit in answer["hits"]]
    assert sorted(seen) == sorted(there - {gone})
    assert scores == sorted(scores, reverse=True)


def test_a_cursor_outlives_the_process_and_grants_nothing(
    bridge: Client, desk: LocalDesk, path: Path
) -> None:
    for n in range(3):
        keep(desk, f"Zebra {n}", "zebra")
    asked: dict[str, Any] = {"query": "zebra", "maxResults": 1}
    first = bridge.call("search", caller=owner(), **asked)
    other = Client(path)
    second = other.call("search", caller=owner(), **asked, cursor=first["nextCursor"])
    assert len({*ids(first), *ids(second)}) == 2
    assert ids(other.call("search", caller=talk(), **asked, cursor=first["nextCursor"])) == []
    with pytest.raises(Failed, match="permission_denied"):
        other.call("search", caller=caller("main", None), **asked, cursor=first["nextCursor"])
    assert other.close() == 0


@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "é", "A" * 30_000])
def test_a_cursor_that_is_none_is_refused(bridge: Client, cursor: str) -> None:
    with pytest.raises(Failed, match="invalid_argument"):
        bridge.call("search", caller=owner(), query="zebra", cursor=cursor)


def test_a_cursor_is_for_its_own_search(bridge: Client, desk: LocalDesk) -> None:
    for n in range(3):
        keep(desk, f"Zebra {n}", "zebra")
    first = bridge.call("search", caller=owner(), query="zebra", maxResults=1)
    for changed in ({"query": "zebras"}, {"minScore": 0.1}, {"activeProjectKeys": []}):
        asked = {"query": "zebra", "maxResults": 1, **changed}
        with pytest.raises(Failed, match="another search"):
            bridge.call("search", caller=owner(), **asked, cursor=first["nextCursor"])


def test_scores_say_how_much_of_the_query_a_record_has(bridge: Client, desk: LocalDesk) -> None:
    whole = keep(desk, "Kettle", "The copper kettle boils green tea")
    part = keep(desk, "Pot", "A copper pot for soup and stock")
    for n in range(20):
        keep(desk, f"Filler {n}", f"Nothing to do with it, number {n} of many")
    answer = bridge.call(
        "search", caller=owner(), query="which copper kettle boils the green tea best"
    )
    scores = {hit["reference"]["id"]: hit["score"] for hit in answer["hits"]}
    assert 0.8 <= scores[whole] <= 1
    assert 0 < scores[part] < 0.4
    least = scores[part] + 0.01
    query = "which copper kettle boils the green tea best"
    assert ids(bridge.call("search", caller=owner(), query=query, minScore=least)) == [whole]
    assert ids(bridge.call("search", caller=owner(), query=query, minScore=1.01)) == []


def test_a_lone_record_is_found_with_a_full_score(bridge: Client, desk: LocalDesk) -> None:
    id = keep(desk, "Tea", "Green tea")
    answer = bridge.call("search", caller=owner(), query="tea")
    assert [(hit["reference"]["id"], hit["score"]) for hit in answer["hits"]] == [(id, 1.0)]


def test_scores_tell_a_conversation_nothing_of_what_others_keep(
    bridge: Client, desk: LocalDesk
) -> None:
    here = Audience("main", "chat:7", "c-1")
    keep(desk, "Tea", "green tea", audience=here)
    keep(desk, "Party", "garden " + "of many other words " * 20, audience=here)

    def scores() -> list[float]:
        answer = bridge.call("search", caller=talk(), query="the tea of the kumquat garden party")
        return [hit["score"] for hit in answer["hits"]]

    before = scores()
    assert 0 < min(before) < max(before)
    for n in range(30):
        keep(desk, f"Kumquat {n}", "kumquat garden party")
    assert scores() == before


def test_of_very_many_matches_the_best_are_listed_and_that_is_said(
    bridge: Client, desk: LocalDesk
) -> None:
    with desk.batch():
        for n in range(120):
            keep(desk, f"Zebra {n}", "zebra")
    answer = bridge.call("search", caller=owner(), query="zebra")
    assert (answer["coverage"], len(answer["hits"])) == ("partial", 20)
    assert "best 100" in answer["warning"]


@pytest.mark.parametrize("query", ["", "  ", "?!", "zzzunheard", 'NOT ( "* OR'])
def test_any_query_is_answered(bridge: Client, desk: LocalDesk, query: str) -> None:
    keep(desk, "Tea")
    assert bridge.call("search", caller=owner(), query=query)["hits"] == []


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"query": 7},
        {"query": "x", "maxResults": 0},
        {"query": "x", "maxResults": "many"},
        {"query": "x", "maxResults": True},
        {"query": "x", "minScore": "high"},
        {"query": "x", "sources": []},
        {"query": "x", "sources": ["sessions"]},
        {"query": "x", "sources": ["memory", "sessions"]},
        {"query": "x", "activeProjectKeys": "all"},
        {"query": "x", "activeProjectKeys": [7]},
        {"query": "x", "cursor": 7},
    ],
)
def test_a_search_that_is_wrongly_asked_is_refused(bridge: Client, params: dict[str, Any]) -> None:
    with pytest.raises(Failed) as raised:
        bridge.call("search", caller=owner(), **params)
    assert raised.value.code == -32602


def test_drafts_are_not_read_and_a_revision_is_served_as_approved(
    bridge: Client, desk: LocalDesk
) -> None:
    id = keep(desk, "Tea", "green")
    desk.record(NewRecord(MemoryType.USER, MemoryScope.GLOBAL, "Draft tea", "x"), Origin())
    desk.update_record(id, "black", origin=Origin())
    answer = bridge.call("search", caller=operator(), query="tea")
    assert ids(answer) == [id]
    got = bridge.call("get", caller=operator(), reference=answer["hits"][0]["reference"])
    assert got["text"] == "green"
    reference = {"providerId": PROVIDER, "id": "draft-tea"}
    assert bridge.call("get", caller=operator(), reference=reference) == {"status": "not_found"}


def test_a_stale_revision_is_not_found_and_never_other_text(
    bridge: Client, desk: LocalDesk
) -> None:
    id = keep(desk, "Tea", "green")
    seen = bridge.call("search", caller=owner(), query="tea")["hits"][0]["reference"]
    assert bridge.call("get", caller=owner(), reference=seen)["text"] == "green"
    desk.edit(id, seen["revision"], content="black")
    assert bridge.call("get", caller=owner(), reference=seen) == {"status": "not_found"}
    plain = {"providerId": PROVIDER, "id": id}
    got = bridge.call("get", caller=owner(), reference=plain)
    assert (got["text"], got["reference"]["id"]) == ("black", id)
    assert got["reference"]["revision"] != seen["revision"]
    parted = {**plain, "fragment": "line-1"}
    assert bridge.call("get", caller=owner(), reference=parted) == {"status": "not_found"}


def test_another_providers_reference_is_refused(bridge: Client, desk: LocalDesk) -> None:
    reference = {"providerId": "memory-core", "id": keep(desk, "Tea")}
    with pytest.raises(Failed) as raised:
        bridge.call("get", caller=owner(), reference=reference)
    assert raised.value.kind == "permission_denied"


@pytest.mark.parametrize("id", ["", "nope", "../../etc/passwd", "a" * 900, "tea\0", "TEA"])
def test_an_id_that_names_nothing_is_not_found(bridge: Client, desk: LocalDesk, id: str) -> None:
    keep(desk, "Tea")
    reference = {"providerId": PROVIDER, "id": id}
    assert bridge.call("get", caller=owner(), reference=reference) == {"status": "not_found"}


@pytest.mark.parametrize(
    ("first", "many", "text", "further"),
    [
        (1, 2, "a\nb", 3),
        (2, 1, "b", 3),
        (3, 1, "c", None),
        (1, 9, "a\nb\nc", None),
        (9, 1, "", None),
    ],
)
def test_lines_are_counted_from_one_and_say_where_to_go_on(
    first: int, many: int, text: str, further: int | None
) -> None:
    part = lines_of("a\nb\nc", first, many)
    assert (part["text"], part.get("nextFrom"), part["truncated"]) == (
        text,
        further,
        further is not None,
    )


def test_reading_on_gives_the_whole_text(bridge: Client, desk: LocalDesk) -> None:
    text = "\n".join(f"line {n} ü" for n in range(25)) + "\n"
    reference = {"providerId": PROVIDER, "id": keep(desk, "Long", text)}
    parts, start = [], 1
    while start:
        got = bridge.call("get", caller=owner(), reference=reference, **{"from": start}, lines=4)
        parts.append(got["text"])
        start = got.get("nextFrom")
    assert "\n".join(parts) == text
    assert bridge.call("get", caller=owner(), reference=reference)["text"] == text
    for wrong in ({"from": 0}, {"lines": 0}, {"from": "1"}):
        with pytest.raises(Failed):
            bridge.call("get", caller=owner(), reference=reference, **wrong)


def test_candidates_are_what_applies_to_the_caller_the_latest_first(
    bridge: Client, desk: LocalDesk
) -> None:
    old = keep(desk, "Likes tea", aliases=("Tea habit",))
    here = keep(desk, "In this session", scope=MemoryScope.SESSION, session="s-1")
    keep(desk, "In another", scope=MemoryScope.SESSION, session="s-2")
    zoo = keep(desk, "Of the zoo", scope=MemoryScope.PROJECT, root="/srv/zoo")
    nobodys = keep(desk, "Of all", audience=None)
    keep(desk, "Of the farm", audience=None, scope=MemoryScope.PROJECT, root="/srv/farm")
    asked: dict[str, Any] = {"caller": owner(), "kind": "trigger"}
    answer = bridge.call("candidates", **asked)
    assert ids(answer) == [nobodys, zoo, here, old]
    facts = {hit["reference"]["id"]: hit["automaticRecall"] for hit in answer["hits"]}
    assert all(each["eligible"] for each in facts.values())
    assert facts[old]["triggers"] == ["Likes tea", "Tea habit"]
    assert facts[zoo]["projectKeys"] == ["path:/srv/zoo"]
    assert "projectKeys" not in facts[old]
    assert ids(bridge.call("candidates", **asked, limit=2)) == [nobodys, zoo]
    assert ids(bridge.call("candidates", **asked, activeProjectKeys=[])) == [nobodys, here, old]
    assert ids(bridge.call("candidates", caller=talk(), kind="trigger")) == []


def test_project_candidates_need_an_active_project(bridge: Client, desk: LocalDesk) -> None:
    keep(desk, "Likes tea")
    zoo = keep(desk, "Of the zoo", scope=MemoryScope.PROJECT, root="/srv/zoo")
    farm = keep(desk, "Of it", audience=None, scope=MemoryScope.PROJECT, root="/srv/farm")
    asked: dict[str, Any] = {"caller": owner(), "kind": "project"}
    assert ids(bridge.call("candidates", **asked)) == []
    assert ids(bridge.call("candidates", **asked, activeProjectKeys=[])) == []
    both = ["path:/srv/zoo", " path:/srv/farm "]
    assert ids(bridge.call("candidates", **asked, activeProjectKeys=both)) == [farm, zoo]
    assert ids(bridge.call("candidates", **asked, activeProjectKeys=both[:1])) == [zoo]
    with pytest.raises(Failed, match="permission_denied"):
        bridge.call("candidates", caller=host(), kind="project", activeProjectKeys=both)
    with pytest.raises(Failed, match="invalid_argument"):
        bridge.call("candidates", caller=owner(), kind="sessions")


def test_what_is_not_for_now_is_found_but_not_recalled_unasked(
    bridge: Client, desk: LocalDesk
) -> None:
    keep(desk, "Tea of another session", scope=MemoryScope.SESSION, session="s-2")
    (hit,) = bridge.call("search", caller=owner(), query="tea")["hits"]
    assert hit["automaticRecall"]["eligible"] is False


def test_refreshing_is_nothing_to_read_and_open_to_the_host(bridge: Client) -> None:
    for asked in (owner(), operator(), host()):
        assert bridge.call("refresh", caller=asked) == {}


def test_results_never_name_whose_they_are_at_the_top(bridge: Client, desk: LocalDesk) -> None:
    keep(desk, "Tea")
    answers = [
        bridge.call("search", caller=owner(), query="tea"),
        bridge.call("candidates", caller=owner(), kind="trigger"),
        bridge.call("get", caller=owner(), reference={"providerId": PROVIDER, "id": "tea"}),
        bridge.call("health", caller=owner()),
    ]
    for answer in answers:
        assert not {"version", "agentId", "providerId"} & set(answer)
