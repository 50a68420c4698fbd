"""Deleting and restoring: thirty days for a canonical record, none for a draft."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from store.clock import DAY, from_micros, now
from store.errors import NotFound
from store.local import LocalDesk, open_desk
from store.records import Decision, Origin, RecordResult, RecordStatus
from tests.store.making import canonical, draft

AGENT = Origin(recorded_by="memory.forget")


def decisions(desk: LocalDesk, id: str) -> list[tuple[Decision, str]]:
    return [(line.decision, line.detail) for line in reversed(desk.history(id))]


def test_a_deleted_record_can_be_brought_back_whole(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "text with [[link]]", aliases=("the plan",))
    before = desk.review(id)
    assert desk.delete_record(id, AGENT) is True
    with pytest.raises(NotFound):
        desk.get_record(id)
    assert desk.search("text") == ()
    [item] = desk.trash()
    assert (item.record.id, item.record.content, item.deleted_by) == (
        id,
        "text with [[link]]",
        "memory.forget",
    )
    assert item.purge_at - item.deleted_at == timedelta(days=30)
    assert desk.restore(id) == RecordResult(id, RecordStatus.CANONICAL)
    assert desk.review(id) == before
    assert [hit.record.id for hit in desk.search("text")] == [id]
    assert desk.trash() == ()
    assert decisions(desk, id) == [
        (Decision.RECORD, "canonical"),
        (Decision.DELETE, "canonical"),
        (Decision.RESTORE, "canonical"),
    ]


def test_a_restored_record_whose_id_is_taken_gets_the_next_one(desk: LocalDesk) -> None:
    desk.delete_record(canonical(desk, "Plan", "first"))
    canonical(desk, "Plan", "second")
    assert desk.restore("plan").id == "plan-2"
    assert desk.get_record("plan-2").content == "first"
    assert desk.get_record("plan").content == "second"
    line = desk.history("plan-2")[0]
    assert (line.decision, line.detail) == (Decision.RESTORE, "canonical, from plan")


def test_of_several_deleted_under_an_id_the_last_comes_back_first(desk: LocalDesk) -> None:
    for text in ("first", "second"):
        desk.delete_record(canonical(desk, "Plan", text))
    assert [item.record.content for item in desk.trash()] == ["second", "first"]
    desk.restore("plan")
    assert desk.get_record("plan").content == "second"


def test_deleting_a_draft_withdraws_it_for_good(desk: LocalDesk) -> None:
    id = draft(desk, "Idea", "secret words")
    desk.delete_record(id, AGENT)
    assert desk.trash() == ()
    with pytest.raises(NotFound):
        desk.restore(id)
    assert decisions(desk, id)[-1] == (Decision.WITHDRAW, "draft")
    assert desk.history(id)[0].by == "memory.forget"


def test_deleting_a_record_withdraws_what_waits_on_it(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "old")
    desk.update_record(id, "new")
    desk.delete_record(id)
    assert desk.count().total == 0
    assert decisions(desk, id)[-2:] == [
        (Decision.WITHDRAW, "revision"),
        (Decision.DELETE, "canonical"),
    ]
    desk.restore(id)
    assert desk.get_record(id).content == "old"
    assert desk.count().pending == 0


def test_purging_destroys_the_text_and_keeps_a_line(desk: LocalDesk, path: Path) -> None:
    secret = "swordfish" * 50
    id = canonical(desk, "Plan", secret)
    desk.delete_record(id)
    assert desk.purge() == 1
    assert desk.trash() == ()
    assert decisions(desk, id)[-1] == (Decision.PURGE, "")
    assert secret.encode() not in b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_purging_takes_words_of_what_was_rejected_out_of_the_index_as_well(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By rewriting the index: FTS5's own secure-delete, which not every SQLite has, is not used."""
    monkeypatch.setattr("store.host._CLEARED_AT_EXIT", 0)  # as in a large store
    with closing(open_desk(str(path))) as desk:
        canonical(desk, "Kept", "marmalade")
        desk.reject_record(draft(desk, "Rejected", "the xylophone"))
        with desk.database.reading() as conn:
            settings = conn.exec_driver_sql("SELECT k FROM search_index_config").scalars().all()
        assert "secure-delete" not in settings
    assert b"xylophon" in path.read_bytes()
    with closing(open_desk(str(path))) as desk:
        assert desk.purge() == 0
        assert desk.search("marmalade")
    left = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert b"xylophon" not in left
    assert b"marmalad" in left


def test_purging_before_a_time_keeps_what_was_deleted_later(where: str) -> None:
    moment = now()
    with closing(LocalDesk(where, clock=lambda: moment)) as desk:
        desk.delete_record(canonical(desk, "Old"))
        moment += DAY
        desk.delete_record(canonical(desk, "New"))
        assert desk.purge(from_micros(moment)) == 1
        assert [item.record.id for item in desk.trash()] == ["new"]


@pytest.mark.parametrize("occasion", ["opening", "deleting"])
def test_after_thirty_days_the_trash_is_purged_by_itself(where: str, occasion: str) -> None:
    moment = now() - 30 * DAY - 1_000_000
    with closing(LocalDesk(where, clock=lambda: moment)) as desk:
        desk.delete_record(canonical(desk, "Old"))
        moment += DAY
        desk.delete_record(canonical(desk, "A day younger"))
    with closing(open_desk(where)) as desk:
        if occasion == "deleting":
            desk.delete_record(canonical(desk, "Today"))
        assert "old" not in [item.record.id for item in desk.trash()]
        assert "a-day-younger" in [item.record.id for item in desk.trash()]


def test_the_trash_of_an_agent_is_not_its_to_empty(desk: LocalDesk) -> None:
    from store.host import LocalProvider

    assert not {"trash", "restore", "purge", "edit", "write", "unapprove"} & set(dir(LocalProvider))
