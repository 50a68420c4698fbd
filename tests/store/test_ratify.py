"""Deciding: approve, reject, take back, and that nobody decides what they have not seen."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.errors import (
    Conflict,
    InvalidArgument,
    NotFound,
    RatificationUnsupported,
)
from store.host import LocalProvider
from store.local import LocalDesk, open_desk
from store.records import (
    Decision,
    MemoryScope,
    Origin,
    RecordResult,
    RecordStatus,
)
from tests.store.making import AGENT, canonical, draft, new, waiting

PENDING, CANONICAL = RecordStatus.PENDING, RecordStatus.CANONICAL


def on_disk(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_approving_a_draft_makes_it_canonical_as_it_was(desk: LocalDesk) -> None:
    id = draft(desk, "Plan", "text")
    before = desk.get_record(id)
    assert desk.approve_record(id, before.revision) == RecordResult(id, CANONICAL)
    after = desk.get_record(id)
    assert after.status is CANONICAL
    assert (after.content, after.created_at, after.provenance, after.revision) == (
        before.content,
        before.created_at,
        before.provenance,
        before.revision,
    )


def test_approving_a_revision_replaces_text_and_title_only(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "old")
    before = desk.get_record(id)
    desk.update_record(id, "new", title="New plan", origin=Origin(recorded_by="other"))
    desk.approve_record(id, waiting(desk, id))
    after = desk.get_record(id)
    assert (after.title, after.content) == ("New plan", "new")
    assert (after.created_at, after.provenance) == (before.created_at, before.provenance)
    assert after.updated_at > before.updated_at
    assert desk.count().total == 1
    assert [hit.record.id for hit in desk.search("new")] == [id]
    assert desk.search("old") == ()


def test_rejecting_a_draft_leaves_a_line_and_no_word_of_it(desk: LocalDesk, path: Path) -> None:
    secret = "hunter2-" + "swordfish" * 30
    id = draft(desk, "Neutral", f"The password is {secret}. [[Linked {secret[:60]}]]")
    assert secret.encode() in on_disk(path)
    assert desk.reject_record(id, waiting(desk, id)) is True
    with pytest.raises(NotFound):
        desk.get_record(id)
    line = desk.history(id)[0]
    assert (line.decision, line.by, line.detail) == (Decision.REJECT, "reviewer", "draft")
    assert len(line.content_hash) == 64
    assert desk.search("password") == ()
    assert secret.encode() not in on_disk(path)
    desk.close()  # the index forgets its single words later, for that takes longer
    assert b"swordfish" not in on_disk(path)


def test_rejecting_a_revision_leaves_the_record_as_it_was(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "old")
    before = desk.get_record(id)
    desk.update_record(id, "new", title="Other")
    desk.reject_record(id, waiting(desk, id))
    assert desk.get_record(id) == before
    assert desk.count().pending == 0
    assert desk.review(id).names == ("plan", "Plan")


@pytest.mark.parametrize("change", ["update", "edit", "title"])
def test_a_draft_that_changed_since_it_was_seen_is_not_decided(
    desk: LocalDesk, change: str
) -> None:
    id = draft(desk, "Plan", "text")
    seen = waiting(desk, id)
    if change == "edit":
        desk.edit(id, seen, content="other")
    else:
        desk.update_record(id, "text" if change == "title" else "other", title="Other")
    for decide in (desk.approve_record, desk.reject_record):
        with pytest.raises(Conflict):
            decide(id, seen)
    assert desk.get_record(id).status is PENDING


@pytest.mark.parametrize(
    "again",
    [
        Origin(recorded_by="memory.remember", session_id="s1", turn_id="t1", project_root="/"),
        Origin(recorded_by="memory.remember", session_id="s2", turn_id="t1"),
        Origin(recorded_by="import:claude", session_id="s1", turn_id="t1"),
        Origin(recorded_by="memory.remember", session_id="s1", turn_id="t2"),
    ],
    ids=["project", "session", "writer", "turn"],
)
def test_the_same_text_from_elsewhere_is_not_what_was_seen(desk: LocalDesk, again: Origin) -> None:
    """A draft withdrawn and written again, word for word, may apply in other places than the one seen."""
    words = new("Plan", "text", scope=MemoryScope.PROJECT)
    id = desk.record(words, AGENT).id
    seen = waiting(desk, id)
    desk.delete_record(id)
    assert desk.record(words, again).id == id
    with pytest.raises(Conflict):
        desk.approve_record(id, seen)
    assert desk.get_record(id).status is PENDING


def test_the_same_revision_from_elsewhere_is_not_what_was_seen(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "base")
    seen = _revise(desk, id, "proposed")
    desk.update_record(id, "proposed", origin=Origin(recorded_by="memory.remember"))
    with pytest.raises(Conflict):
        desk.approve_record(id, seen)


def test_a_revision_whose_base_moved_since_it_was_seen_is_not_decided(
    desk: LocalDesk, path: Path
) -> None:
    id = canonical(desk, "Plan", "base")
    desk.approve_record(id, _revise(desk, id, "base, second"))
    seen = _revise(desk, id, "proposed")
    # Another host on the same store, without ratification, may replace the text meanwhile.
    _replace_canonical(desk, id, "moved")
    with pytest.raises(Conflict):
        desk.approve_record(id, seen)
    review = desk.review(id)
    assert review.base is not None
    assert review.base_was is not None
    assert (review.base.content, review.base_was.content) == ("moved", "base, second")
    desk.approve_record(id, review.record.revision)
    assert desk.get_record(id).content == "proposed"


def _revise(desk: LocalDesk, id: str, content: str) -> str:
    desk.update_record(id, content, origin=AGENT)
    return waiting(desk, id)


def _replace_canonical(desk: LocalDesk, id: str, content: str) -> None:
    from store.journal import Moment
    from store.writes import update_text

    with desk.database.writing() as conn:
        update_text(conn, id, content, None, AGENT, Moment(1, "other"), ratified=False)


def test_what_is_decided_already_conflicts_for_who_saw_it_waiting(desk: LocalDesk) -> None:
    id = draft(desk, "Plan")
    seen = waiting(desk, id)
    desk.approve_record(id, seen)
    with pytest.raises(Conflict):
        desk.reject_record(id, seen)
    with pytest.raises(NotFound, match="nothing waits"):
        desk.approve_record(id)


def test_an_approval_is_taken_back_to_the_draft_it_was(desk: LocalDesk) -> None:
    id = draft(desk, "Plan")
    before = desk.get_record(id)
    desk.approve_record(id)
    assert desk.unapprove(id) == RecordResult(id, PENDING)
    assert desk.get_record(id) == before
    desk.approve_record(id, before.revision)


def test_an_approved_revision_is_taken_back_to_the_text_it_replaced(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "old")
    desk.update_record(id, "new", title="New plan", origin=Origin("other", "s9", "t9"))
    before = desk.review(id)
    desk.approve_record(id, before.record.revision)
    desk.unapprove(id)
    after = desk.review(id)
    assert after.base is not None
    assert (after.base.title, after.base.content) == ("Plan", "old")
    assert after.names == before.names
    assert (after.record.revision, after.record.provenance, after.record.created_at) == (
        before.record.revision,
        before.record.provenance,
        before.record.created_at,
    )


def test_approvals_are_taken_back_one_after_the_other(desk: LocalDesk) -> None:
    id = draft(desk, "Plan", "first")
    desk.approve_record(id)
    for text in ("second", "third"):
        desk.approve_record(id, _revise(desk, id, text))
    for text in ("second", "first"):
        desk.unapprove(id)
        assert desk.get_record(id).content == text
        desk.reject_record(id)
    desk.unapprove(id)
    assert desk.get_record(id).status is PENDING


def test_what_was_not_approved_or_has_changed_since_cannot_be_taken_back(desk: LocalDesk) -> None:
    written = canonical(desk, "Written")
    with pytest.raises(InvalidArgument):
        desk.unapprove(written)
    edited = draft(desk, "Edited")
    desk.approve_record(edited)
    desk.edit(edited, desk.get_record(edited).revision, content="by hand")
    with pytest.raises(Conflict):
        desk.unapprove(edited)
    newer = draft(desk, "Newer")
    desk.approve_record(newer)
    desk.update_record(newer, "another draft")
    with pytest.raises(Conflict):
        desk.unapprove(newer)
    restored = draft(desk, "Restored")
    desk.approve_record(restored)
    desk.delete_record(restored)
    desk.restore(restored)
    with pytest.raises(InvalidArgument):
        desk.unapprove(restored)
    with pytest.raises(NotFound):
        desk.unapprove(draft(desk, "Still waiting"))


def _decide(where: str, start: object, approve: bool, ids: list[str]) -> list[str]:
    won = []
    with closing(open_desk(where)) as desk:
        seen = {id: desk.get_record(id).revision for id in ids}
        start.wait()  # type: ignore[attr-defined]
        for id in ids:
            try:
                (desk.approve_record if approve else desk.reject_record)(id, seen[id])
                won.append(id)
            except (Conflict, NotFound):
                pass
    return won


def test_of_two_processes_deciding_the_same_drafts_each_is_decided_once(
    where: str, desk: LocalDesk
) -> None:
    ids = [draft(desk, f"Draft {number}") for number in range(30)]
    spawn = multiprocessing.get_context("spawn")
    with spawn.Manager() as manager, spawn.Pool(2) as pool:
        start = manager.Barrier(2)
        calls = [(where, start, True, ids), (where, start, False, ids)]
        approved, rejected = pool.starmap(_decide, calls)
    assert sorted(approved + rejected) == sorted(ids)
    assert desk.count().canonical == len(approved)
    decisions = [line.decision for line in desk.history()]
    assert decisions.count(Decision.APPROVE) == len(approved)
    assert decisions.count(Decision.REJECT) == len(rejected)


# Ratification configured off: the pending half of the store is not there.


@pytest.fixture
def unratified(where: str) -> Iterator[LocalProvider]:
    provider = LocalProvider(where)
    provider.configure({"ratification": False})
    yield provider
    provider.close()


def test_switched_off_writes_are_canonical_at_once(unratified: LocalProvider) -> None:
    assert unratified.get_capabilities().ratification_supported is False
    id = unratified.record(new("Plan", "old"), AGENT).id
    assert unratified.get_record(id).status is CANONICAL
    assert unratified.update_record(id, "new") == RecordResult(id, CANONICAL)
    assert unratified.get_record(id).content == "new"


def test_switched_off_nothing_is_decided(unratified: LocalProvider) -> None:
    id = unratified.record(new("Plan"), AGENT).id
    for decide in (unratified.approve_record, unratified.reject_record):
        with pytest.raises(RatificationUnsupported):
            decide(id)


def test_switched_off_drafts_of_other_hosts_are_not_there(
    unratified: LocalProvider, desk: LocalDesk
) -> None:
    id = draft(desk, "Of another host")
    own = unratified.record(new("Own")).id
    assert [record.id for record in unratified.list_records().records] == [own]
    assert unratified.list_records(status=PENDING).records == ()
    for operation in (
        lambda: unratified.get_record(id),
        lambda: unratified.update_record(id, "ratified by a model?"),
        lambda: unratified.delete_record(id),
    ):
        with pytest.raises(NotFound):
            operation()
    assert desk.get_record(id).content == "text"


def test_switching_off_is_refused_while_drafts_wait_with_their_number(
    desk: LocalDesk, path: Path
) -> None:
    draft(desk, "One")
    draft(desk, "Two")
    with closing(LocalProvider(str(path))) as provider:
        with pytest.raises(InvalidArgument, match="2"):
            provider.configure({"ratification": False})
        assert provider.get_capabilities().ratification_supported
        for id in ("one", "two"):
            desk.reject_record(id)
        provider.configure({"ratification": False})
        provider.configure({"ratification": False})
    switched = [line for line in desk.history() if line.decision is Decision.CONFIGURE]
    assert [(line.by, line.detail) for line in switched] == [("host", "ratification off")]


def test_words_of_what_was_rejected_leave_the_index_after_a_kill_too(path: Path) -> None:
    """They are cleared when a store is closed; a process that is killed closes nothing."""
    killed = multiprocessing.get_context("spawn").Process(target=_reject_and_die, args=(path,))
    killed.start()
    killed.join()
    open_desk(str(path)).close()
    assert b"unheardof" not in on_disk(path)


def _reject_and_die(path: Path) -> None:
    desk = open_desk(str(path))
    draft(desk, "Kept", "other words")
    desk.reject_record(draft(desk, "Gone", "unheardof words"))
    os._exit(1)
