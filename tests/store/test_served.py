"""What a session was given is known when it writes, in any process; no recall waits for that."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store import served, tables
from store.agents.provider import AgentProvider
from store.cards import findings
from store.clock import DAY
from store.errors import ReadOnly
from store.host import LocalProvider
from store.local import LocalDesk
from store.plugin.backend import HostedProvider
from store.plugin.broker import Broker
from store.plugin.callback import Callback
from store.records import Echo, Origin, RecallRequest, Record, RecordStatus
from tests.store.making import canonical, new, waiting

TEXT = "Releases are cut on Tuesdays by whoever is on call, after the smoke tests of the night are green."
AGAIN = f"Remember: {TEXT} Always."
SPAN = Echo("releases", AGAIN.index("Releases"), AGAIN.index(" Always") - 1)
HERE, ELSEWHERE = Origin("agent", session_id="s1"), Origin("agent", session_id="s2")


@pytest.fixture
def host(desk: LocalDesk, where: str) -> Iterator[LocalProvider]:
    canonical(desk, "Releases", TEXT)
    provider = LocalProvider(where)
    yield provider
    provider.close()


def recall(provider: LocalProvider, session: str = "s1") -> list[str]:
    found = provider.recall(RecallRequest(1000, session_id=session, query="releases"))
    return [record.id for record in found]


def written(desk: LocalDesk, id: str) -> Record:
    return desk.review(id, RecordStatus.PENDING).record


def rules(record: Record) -> set[str]:
    return {finding.rule for finding in findings(record)}


def test_a_draft_that_repeats_what_its_session_was_given_is_flagged(
    host: LocalProvider, desk: LocalDesk
) -> None:
    assert recall(host) == ["releases"]
    seen = written(desk, host.record(new("Cutting", AGAIN), HERE).id)
    assert seen.echo == SPAN
    assert "recall-echo" in rules(seen)
    fresh = written(desk, host.record(new("Rollback", "Roll back by the runbook."), HERE).id)
    assert (fresh.echo, rules(fresh)) == (None, set())


def test_another_session_has_not_been_given_it(host: LocalProvider, desk: LocalDesk) -> None:
    recall(host)
    for origin in (ELSEWHERE, Origin("agent", session_id="s1x"), Origin("import:claude", "s3")):
        assert written(desk, host.record(new("Cutting", AGAIN), origin).id).echo is None


def test_a_write_that_names_no_session_is_that_of_the_only_one(
    host: LocalProvider, desk: LocalDesk
) -> None:
    recall(host)
    assert written(desk, host.record(new("Cutting", AGAIN), Origin("host")).id).echo == SPAN
    id = canonical(desk, "Other", "Nothing of the kind.")
    host.update_record(id, AGAIN, origin=Origin("host"))
    assert written(desk, id).echo == SPAN


def test_a_new_text_of_the_record_itself_is_no_echo_of_it(
    host: LocalProvider, desk: LocalDesk
) -> None:
    recall(host)
    host.update_record("releases", AGAIN, origin=HERE)
    assert written(desk, "releases").echo is None


def test_a_draft_becomes_an_echo_and_none_again_with_its_text(
    host: LocalProvider, desk: LocalDesk
) -> None:
    recall(host)
    id = host.record(new("Cutting", "By whoever is on call."), HERE).id
    before = waiting(desk, id)
    host.update_record(id, AGAIN, origin=HERE)
    assert written(desk, id).echo == SPAN
    assert waiting(desk, id) != before
    host.update_record(id, "By whoever is on call.", origin=HERE)
    assert (written(desk, id).echo, waiting(desk, id)) == (None, before)


def test_an_operators_edit_leaves_the_warning_while_it_is_true(
    host: LocalProvider, desk: LocalDesk
) -> None:
    recall(host)
    id = host.record(new("Cutting", AGAIN), HERE).id
    edited = desk.edit(id, waiting(desk, id), content=TEXT)
    assert edited.echo == Echo("releases", 0, len(TEXT) - 1)
    assert desk.edit(id, edited.revision, content="Cut on Tuesdays.").echo is None


def test_the_warning_is_part_of_what_is_decided_and_comes_back_with_a_draft(
    host: LocalProvider, desk: LocalDesk
) -> None:
    plain = host.record(new("Cutting", AGAIN), ELSEWHERE).id
    was = waiting(desk, plain)
    desk.reject_record(plain, was)
    recall(host, "s2")
    id = host.record(new("Cutting", AGAIN), ELSEWHERE).id
    assert (id, waiting(desk, id) == was) == (plain, False)
    desk.approve_record(id, waiting(desk, id))
    approved = desk.review(id).record
    assert "recall-echo" not in rules(approved)
    desk.unapprove(id)
    assert written(desk, id).echo == SPAN


def test_a_revisions_warning_survives_its_approval_being_taken_back(
    host: LocalProvider, desk: LocalDesk
) -> None:
    id = canonical(desk, "Other", "Nothing of the kind.")
    recall(host)
    host.update_record(id, AGAIN, origin=HERE)
    desk.approve_record(id, waiting(desk, id))
    desk.unapprove(id)
    assert written(desk, id).echo == SPAN


def test_what_an_agent_read_by_its_id_was_given_to_it(desk: LocalDesk, where: str) -> None:
    id = canonical(desk, "Releases", TEXT)
    provider = AgentProvider(where)
    provider.look_up(id, HERE)
    assert written(desk, provider.record(new("Cutting", AGAIN), HERE).id).echo == SPAN
    provider.close()


def test_a_limit_leaves_out_what_was_not_given(host: LocalProvider, desk: LocalDesk) -> None:
    host.recall(RecallRequest(1000, session_id="s1", query="releases", most=0))
    assert written(desk, host.record(new("Cutting", AGAIN), HERE).id).echo is None


def test_notes_reach_other_processes_when_they_are_written_down(
    host: LocalProvider, desk: LocalDesk, where: str
) -> None:
    recall(host)
    other = LocalProvider(where)
    assert written(desk, other.record(new("Early", AGAIN), HERE).id).echo is None
    host.keep_served()
    assert written(desk, other.record(new("Late", AGAIN), HERE).id).echo == SPAN
    other.close()


def test_notes_outlive_the_process_that_made_them(
    host: LocalProvider, desk: LocalDesk, where: str
) -> None:
    recall(host)
    host.close()
    other = LocalProvider(where)
    assert written(desk, other.record(new("Cutting", AGAIN), HERE).id).echo == SPAN
    other.close()


def test_a_recall_before_the_library_is_there_is_noted_too(desk: LocalDesk, path: Path) -> None:
    canonical(desk, "Releases", TEXT)
    early = HostedProvider(Callback(Broker()), str(path))
    assert recall(early) == ["releases"]
    early.close()
    assert early._open is None
    later = LocalProvider(str(path))
    assert written(desk, later.record(new("Cutting", AGAIN), HERE).id).echo == SPAN
    later.close()


def test_nothing_is_noted_where_nothing_may_be_written_nor_for_an_operator(
    desk: LocalDesk, where: str
) -> None:
    canonical(desk, "Releases", TEXT)
    reader = LocalProvider(where, read_only=True)
    for provider in (reader, desk):
        assert recall(provider) == ["releases"]
        provider.keep_served()
        assert not provider._served.notes()
    with pytest.raises(ReadOnly):
        reader.record(new("Cutting", AGAIN), HERE)
    reader.close()


def test_a_store_that_cannot_be_written_now_keeps_the_notes_for_later(
    desk: LocalDesk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.engine.BUSY_SECONDS", 0.05)
    canonical(desk, "Releases", TEXT)
    provider = LocalProvider(str(path))
    recall(provider)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        provider.keep_served()
        assert provider._served.notes()
    provider.keep_served()
    assert not provider._served.notes()
    provider.close()


def test_a_write_is_compared_with_so_much_text_and_no_more(
    host: LocalProvider, desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    latest = canonical(desk, "Latest", "x" * 50)
    recall(host)
    host._served.note(["s1"], [latest], host.clock() + 1)
    for limit, expected in ((50 + len(TEXT), SPAN), (49 + len(TEXT), None)):
        monkeypatch.setattr("store.served._CHARACTERS", limit)
        id = host.record(new("Cutting", AGAIN), HERE).id
        assert written(desk, id).echo == expected


def test_notes_are_kept_for_a_day_and_not_without_end(
    host: LocalProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(session: str, at: int, *ids: str) -> None:
        with host.database.writing() as conn:
            served.keep(conn, {(session, id): at for id in ids})

    def kept() -> list[tuple[str, str]]:
        with host.database.reading() as conn:
            rows = conn.execute(tables.served.select().order_by(tables.served.c.at)).all()
        return [(row.session_id, row.record_id) for row in rows]

    keep("s1", 10, "a", "b")
    keep("s1", 20, "a")
    assert kept() == [("s1", "b"), ("s1", "a")]
    keep("s2", 15 + DAY, "c")
    assert kept() == [("s1", "a"), ("s2", "c")]
    monkeypatch.setattr("store.served.MOST", 2)
    for nth in range(4):
        keep("s3", DAY + 20 + nth, f"{nth}")
    assert kept() == [("s3", "1"), ("s3", "2"), ("s3", "3")]


def test_memory_is_bounded_where_nothing_can_be_written_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("store.served.MOST", 3)
    notes = served.Served(lambda: None)
    for nth in range(5):
        notes.note(["s1"], [str(nth)], nth)
    notes.stop()
    assert list(notes.notes()) == [("s1", "2"), ("s1", "3"), ("s1", "4")]


def test_what_was_given_again_meanwhile_is_still_to_be_written_down() -> None:
    notes = served.Served(lambda: None)
    notes.note(["s1"], ["a", "b"], 1)
    taken = notes.notes()
    notes.note(["s1"], ["a"], 2)
    notes.kept(taken)
    notes.stop()
    assert notes.notes() == {("s1", "a"): 2}
