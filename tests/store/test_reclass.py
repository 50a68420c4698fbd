"""Another type or scope for a record that stays what it is otherwise."""

from __future__ import annotations

import pytest

from store.doctor import examine
from store.errors import Conflict, InvalidArgument, NotFound
from store.local import LocalDesk
from store.records import Decision, LinkClass, MemoryScope, MemoryType, Origin, RecordStatus
from tests.store.making import canonical, draft, new, states, waiting

SESSION, PROJECT, GLOBAL = MemoryScope.SESSION, MemoryScope.PROJECT, MemoryScope.GLOBAL


def test_a_draft_gets_another_type_and_keeps_all_else(desk: LocalDesk) -> None:
    canonical(desk, "Map", "See [[Plan B]].")
    id = draft(desk, "Plan B", "Walk.", aliases=("b-plan",))
    before = desk.review(id, RecordStatus.PENDING).record
    after = desk.reclassify(id, before.revision, type=MemoryType.FEEDBACK)
    assert (after.type, after.scope) == (MemoryType.FEEDBACK, before.scope)
    assert after.revision != before.revision
    assert (after.title, after.content) == (before.title, before.content)
    assert (after.provenance, after.created_at) == (before.provenance, before.created_at)
    assert states(desk, "map") == {"Plan B": LinkClass.RESOLVED}
    assert "b-plan" in desk.review(id, RecordStatus.PENDING).names
    assert desk.history(limit=1)[0].decision is Decision.UPDATE


def test_likes_are_found_among_its_new_type(desk: LocalDesk) -> None:
    id = canonical(desk, "Deploy on Fridays", type=MemoryType.PROJECT)
    seen = desk.review(id).record.revision
    desk.reclassify(id, seen, type=MemoryType.REFERENCE)
    assert desk.near("Deploy on Fridays", MemoryType.PROJECT, GLOBAL) == ()
    [near] = desk.near("Deploy on Fridays", MemoryType.REFERENCE, GLOBAL)
    assert near.id == id
    assert examine(desk.database.location) == []


def test_what_was_seen_is_what_is_changed(desk: LocalDesk) -> None:
    id = draft(desk, "Plan")
    with pytest.raises(Conflict):
        desk.reclassify(id, "an older one", type=MemoryType.USER)
    canonical(desk, "Other")
    desk.update_record("other", "A revision.")
    with pytest.raises(Conflict, match="waits"):
        desk.reclassify("other", waiting(desk, "other"), type=MemoryType.USER)
    with pytest.raises(NotFound):
        desk.reclassify("nobody", "1", type=MemoryType.USER)


def test_the_type_it_has_already_is_no_change(desk: LocalDesk) -> None:
    id = draft(desk, "Plan", type=MemoryType.USER)
    lines = desk.history()
    seen = waiting(desk, id)
    assert desk.reclassify(id, seen, type=MemoryType.USER).revision == seen
    assert desk.history() == lines


def test_a_scope_needs_what_it_is_bound_to(desk: LocalDesk) -> None:
    bare = desk.write(new("Bare"), Origin("cli:ann")).id
    seen = desk.review(bare).record.revision
    with pytest.raises(InvalidArgument, match="no session"):
        desk.reclassify(bare, seen, scope=SESSION)
    with pytest.raises(InvalidArgument, match="no project"):
        desk.reclassify(bare, seen, scope=PROJECT)
    after = desk.reclassify(bare, seen, scope=PROJECT, project_root="/home/ann/acme")
    assert (after.scope, after.project_root) == (PROJECT, "/home/ann/acme")
    of_session = draft(desk, "Of a session")
    after = desk.reclassify(of_session, waiting(desk, of_session), scope=SESSION)
    assert (after.scope, after.session_id) == (SESSION, "s1")


def test_an_approval_can_still_be_taken_back(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "Old.")
    desk.update_record(id, "New.")
    desk.approve_record(id, waiting(desk, id))
    desk.reclassify(id, desk.review(id).record.revision, type=MemoryType.USER)
    desk.unapprove(id)
    revision = desk.review(id, RecordStatus.PENDING).record
    assert (revision.content, revision.type) == ("New.", MemoryType.USER)
    assert desk.get_record(id).content == "Old."
    assert examine(desk.database.location) == []
