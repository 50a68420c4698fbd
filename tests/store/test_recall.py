"""Recall gives a turn what it may see, the most relevant first, within its budget."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, insert

from store import tables
from store.clock import DAY, from_micros
from store.errors import BudgetExceeded, InvalidArgument
from store.recall import preview, recall
from store.records import MemoryScope, MemoryType, RecallRequest, RecordStatus
from store.tokens import FallbackCounter
from tests.store.entries import START, a_store, add

NOW = from_micros(START) + timedelta(days=1)
PLENTY = RecallRequest(token_budget=100_000)
GLOBAL, PROJECT, SESSION = MemoryScope.GLOBAL, MemoryScope.PROJECT, MemoryScope.SESSION
PENDING = RecordStatus.PENDING


@pytest.fixture
def conn(where: str) -> Iterator[Connection]:
    with a_store(where) as database, database.writing() as conn:
        yield conn


def ids(conn: Connection, request: RecallRequest) -> list[str]:
    return [scored.record.id for scored in recall(conn, request, FallbackCounter(), NOW).given]


def link(conn: Connection, source_pk: int, target_id: str) -> None:
    row = {"source_pk": source_pk, "seq": 0, "source_id": "", "target": target_id}
    state = {
        "folded": target_id,
        "line": 1,
        "state": "resolved",
        "target_id": target_id,
        "alias": "",
    }
    conn.execute(insert(tables.link).values(**row, **state))


def test_an_empty_store_recalls_nothing(conn: Connection) -> None:
    assert ids(conn, PLENTY) == []
    assert ids(conn, replace(PLENTY, token_budget=0, query="words")) == []


@pytest.mark.parametrize(
    ("request_", "seen"),
    [
        (PLENTY, {"everywhere"}),
        (replace(PLENTY, session_id="s1"), {"everywhere", "of-session"}),
        (replace(PLENTY, session_id="s2"), {"everywhere"}),
        (replace(PLENTY, working_directory="/work/app"), {"everywhere", "of-project"}),
        (replace(PLENTY, working_directory="/work/app/src/../lib/"), {"everywhere", "of-project"}),
        (replace(PLENTY, working_directory="/work/application"), {"everywhere"}),
        (replace(PLENTY, working_directory="/work"), {"everywhere"}),
        (replace(PLENTY, scopes=(SESSION,), session_id="s1"), {"of-session"}),
        (replace(PLENTY, scopes=(PROJECT,), session_id="s1"), set()),
        (replace(PLENTY, types=(MemoryType.USER,)), {"everywhere"}),
        (replace(PLENTY, types=(MemoryType.FEEDBACK,)), set()),
    ],
)
def test_a_turn_sees_what_its_bindings_allow(
    conn: Connection, request_: RecallRequest, seen: set[str]
) -> None:
    add(conn, "everywhere", "words", type=MemoryType.USER, project_root="/elsewhere")
    add(conn, "of-project", "words", scope=PROJECT, project_root="/work/app")
    add(conn, "of-session", "words", scope=SESSION, session_id="s1", project_root="/work/app")
    add(conn, "unbound-project", "words", scope=PROJECT)
    add(conn, "unbound-session", "words", scope=SESSION)
    assert set(ids(conn, request_)) == seen
    assert set(ids(conn, replace(request_, query="words"))) == seen


def test_drafts_are_seen_only_when_asked_for(conn: Connection) -> None:
    add(conn, "draft", "words", status=PENDING)
    assert ids(conn, PLENTY) == []
    assert ids(conn, replace(PLENTY, query="words")) == []
    assert ids(conn, replace(PLENTY, include_pending=True)) == ["draft"]


def test_under_a_pending_revision_the_approved_text_is_served(conn: Connection) -> None:
    add(conn, "a", "approved")
    add(conn, "a", "proposed", status=PENDING, base_revision="of a")
    request = replace(PLENTY, include_pending=True, query="proposed")
    given_ = recall(conn, request, FallbackCounter(), NOW).given
    assert [scored.record.content for scored in given_] == ["approved"]


@pytest.mark.parametrize(
    "request_",
    [
        replace(PLENTY, query="how do we cut the release?"),
        replace(PLENTY, files_touched=("/work/app/tools/cut_release.py",)),
        replace(PLENTY, working_directory="/home/me/release-tools"),
    ],
)
def test_what_the_turn_is_about_comes_first(conn: Connection, request_: RecallRequest) -> None:
    add(conn, "sought", "We cut the release after the freeze", title="Release")
    for n in range(5):
        add(conn, f"other-{n}", "The coffee machine wants descaling")
    assert ids(conn, request_)[0] == "sought"


def test_a_title_says_more_than_a_text(conn: Connection) -> None:
    add(conn, "z-title", "about something", title="Deploys")
    add(conn, "a-text", "about deploys", title="Something")
    assert ids(conn, replace(PLENTY, query="deploys"))[0] == "z-title"


def test_narrower_scopes_are_nearer(conn: Connection) -> None:
    add(conn, "c-session", scope=SESSION, session_id="s", updated_at=START)
    add(conn, "b-project", scope=PROJECT, project_root="/work", updated_at=START)
    add(conn, "a-global", updated_at=START)
    request = replace(PLENTY, session_id="s", working_directory="/work")
    assert ids(conn, request) == ["c-session", "b-project", "a-global"]


def test_newer_comes_first_and_projects_go_stale_fastest(conn: Connection) -> None:
    old = START - 60 * DAY
    add(conn, "a-project-old", type=MemoryType.PROJECT, updated_at=old)
    add(conn, "b-user-old", type=MemoryType.USER, updated_at=old)
    add(conn, "c-project-new", type=MemoryType.PROJECT, updated_at=START)
    assert ids(conn, PLENTY) == ["c-project-new", "b-user-old", "a-project-old"]


def test_neighbours_of_a_strong_match_gain_both_ways(conn: Connection) -> None:
    pk = add(conn, "m-match", "deploys " * 3, title="Deploys", updated_at=START)
    add(conn, "z-linked", updated_at=START)
    linking = add(conn, "y-linking", updated_at=START)
    add(conn, "a-apart", updated_at=START)
    link(conn, pk, "z-linked")
    link(conn, linking, "m-match")
    found = recall(conn, replace(PLENTY, query="deploys"), FallbackCounter(), NOW).given
    assert found[0].record.id == "m-match"
    assert found[-1].record.id == "a-apart"
    assert {s.record.id for s in found if s.parts["links"] > 0} == {"z-linked", "y-linking"}


def test_a_neighbour_that_the_turn_may_not_see_stays_unseen(conn: Connection) -> None:
    pk = add(conn, "match", "deploys", title="Deploys")
    add(conn, "hidden", scope=SESSION, session_id="other")
    link(conn, pk, "hidden")
    assert ids(conn, replace(PLENTY, query="deploys")) == ["match"]


def test_ties_go_by_id(conn: Connection) -> None:
    for id in ("b", "c", "a"):
        add(conn, id, updated_at=START)
    assert ids(conn, PLENTY) == ["a", "b", "c"]


def test_scores_and_their_parts_are_shares(conn: Connection) -> None:
    add(conn, "a", "deploys", title="Deploys")
    add(conn, "b", "deploys")
    for scored in recall(conn, replace(PLENTY, query="deploys"), FallbackCounter(), NOW).given:
        assert 0 <= scored.score <= 1
        assert scored.record.relevance_score == scored.score
        assert set(scored.parts) == {"text", "recency", "scope", "links"}
        assert all(0 <= part <= 1 for part in scored.parts.values())


def test_a_budget_too_small_for_any_names_the_smallest(conn: Connection) -> None:
    add(conn, "large", "x" * 800)
    add(conn, "small", "x" * 400)
    with pytest.raises(BudgetExceeded, match="100") as raised:
        recall(conn, replace(PLENTY, token_budget=99), FallbackCounter(), NOW)
    assert raised.value.smallest == 100
    shown = preview(conn, replace(PLENTY, token_budget=99), FallbackCounter(), NOW)
    assert shown.given == ()
    assert {scored.record.id for scored in shown.dropped} == {"large", "small"}


class ByModel:
    """Counts twice as much for one model."""

    def count(self, contents: list[str], model: str) -> list[int]:
        return [len(text) * (2 if model == "wordy" else 1) for text in contents]


def test_the_budget_is_in_tokens_of_the_requests_model(conn: Connection) -> None:
    add(conn, "a", "x" * 60)
    request = replace(PLENTY, token_budget=100)
    (scored,) = recall(conn, replace(request, model="terse"), ByModel(), NOW).given
    assert scored.record.tokens == 60
    with pytest.raises(BudgetExceeded) as raised:
        recall(conn, replace(request, model="wordy"), ByModel(), NOW)
    assert raised.value.smallest == 120


CASES = json.loads((Path(__file__).parents[1] / "cases" / "budget.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['budget']}-{len(case['rank'])}")
def test_the_budget_cases(conn: Connection, case: dict) -> None:
    # Each a day older than the one before, so that recency makes the rank.
    for rank, id in enumerate(case["rank"]):
        add(conn, id, case["records"][id], updated_at=START - rank * DAY)
    request = RecallRequest(token_budget=case["budget"])
    if "error" in case:
        with pytest.raises(BudgetExceeded):
            recall(conn, request, FallbackCounter(), NOW)
        return
    recalled = recall(conn, request, FallbackCounter(), NOW)
    assert [scored.record.id for scored in recalled.given] == case["given"]
    assert [scored.record.id for scored in recalled.dropped] == case.get("dropped", [])
    assert recalled.tokens == case.get("tokens", 0)


entries = st.lists(
    st.tuples(
        st.text("ab ", max_size=60),
        st.sampled_from(MemoryType),
        st.sampled_from(RecordStatus),
        st.integers(0, 400),
    ),
    max_size=12,
)


@settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    entries=entries, budget=st.integers(-5, 60), query=st.text(max_size=12), pending=st.booleans()
)
def test_a_recall_never_exceeds_its_budget_and_is_repeatable(
    conn: Connection, entries: list, budget: int, query: str, pending: bool
) -> None:
    with conn.begin_nested() as undo:
        for n, (content, type, status, age) in enumerate(entries):
            add(conn, f"r{n}", content, type=type, status=status, updated_at=START - age * DAY)
        texts = {f"r{n}": content for n, (content, *_) in enumerate(entries)}
        request = RecallRequest(budget, query=query, include_pending=pending)
        recalled = preview(conn, request, FallbackCounter(), NOW)
        assert recalled == preview(conn, request, FallbackCounter(), NOW)
        tokens = sum(scored.record.tokens for scored in recalled.given)
        assert tokens == recalled.tokens <= max(budget, 0)
        for scored in (*recalled.given, *recalled.dropped):
            assert scored.record.content == texts[scored.record.id]
            assert pending or not scored.record.pending
        undo.rollback()


@pytest.mark.parametrize("odd", ["nul\0", "half\ud800"])
@pytest.mark.parametrize("part", ["session_id", "model", "working_directory"])
def test_a_turn_that_no_engine_can_look_up_is_refused(
    conn: Connection, part: str, odd: str
) -> None:
    request = replace(RecallRequest(1000), **{part: odd})
    with pytest.raises(InvalidArgument):
        recall(conn, request, FallbackCounter(), datetime.now(UTC))


def test_a_query_may_be_any_text(conn: Connection) -> None:
    add(conn, "tea", "tea is fine")
    request = RecallRequest(1000, query="tea\0 \ud800", files_touched=("a\0b",))
    found = recall(conn, request, FallbackCounter(), datetime.now(UTC))
    assert [each.record.id for each in found.given] == ["tea"]
