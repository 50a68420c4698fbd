"""Another type or scope, deletion, and taking both back: on the demo store, by key and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest

from store import entries
from store.errors import Conflict, NotFound
from store.records import MemoryScope, MemoryType, Record, RecordStatus
from store.writes import replace_canonical
from tests.tui.sitting import Sitting
from tests.tui.test_browsing import at, card_text, demo, names, reopened, told_once
from tui.changing import delete
from tui.screens.browse import BrowseScreen
from tui.screens.inbox import InboxScreen
from tui.screens.kind import KindScreen

__all__ = ["demo", "told_once"]  # fixtures

DRAFT = "deploy-pipeline-migration-complete"


def record(demo: Path, id: str, status: RecordStatus = RecordStatus.CANONICAL) -> Record | None:
    desk = reopened(demo)
    try:
        return desk.review(id, status).record
    except NotFound:
        return None
    finally:
        desk.close()


async def browse_to(seat: Sitting, id: str) -> None:
    """Open the browser on an approved record."""
    await seat.press("b", "slash")
    await seat.type(f"status:c {id}")
    await seat.press("enter")
    assert isinstance(seat.app.screen, BrowseScreen)
    assert seat.app.screen.shown is not None
    assert seat.app.screen.shown.record.id == id


async def test_type_and_scope_change_as_one_step_and_back(demo: Path) -> None:
    before = record(demo, DRAFT, RecordStatus.PENDING)
    assert before is not None
    async with at(demo, "K") as seat:
        assert isinstance(seat.app.screen, KindScreen)
        await seat.press("ctrl+t", "ctrl+o", "A")
        assert isinstance(seat.app.screen, InboxScreen)
        after = record(demo, DRAFT, RecordStatus.PENDING)
        assert after is not None
        assert (after.type, after.scope) == (MemoryType.REFERENCE, MemoryScope.GLOBAL)
        assert (after.content, after.links, after.provenance) == (
            before.content,
            before.links,
            before.provenance,
        )
        assert "reference · global scope" in " ".join(card_text(seat).split())
        assert any("^z takes it back" in notice for notice in seat.notices)
        await seat.press("ctrl+z")
        back = record(demo, DRAFT, RecordStatus.PENDING)
        assert back is not None
        assert (back.type, back.scope) == (before.type, before.scope)
        await seat.press("ctrl+z")
        assert "nothing was changed here yet" in seat.said


async def test_a_mark_follows_the_draft_whose_type_was_changed(demo: Path) -> None:
    async with at(demo, "a", "g") as seat:
        assert seat.marks == {DRAFT: "approve"}
        await seat.press("K", "ctrl+t", "A")
        assert seat.marks == {DRAFT: "approve"}
        await seat.press("p", "A")
        assert seat.marks == {}
        kept = record(demo, DRAFT)
        assert kept is not None
        assert kept.type is MemoryType.REFERENCE


async def test_the_mouse_changes_it(demo: Path) -> None:
    async with at(demo, "K") as seat:
        await seat.click_key("next_type")
        await seat.click_key("next_scope")
        await seat.click_key("apply_kind")
        assert isinstance(seat.app.screen, InboxScreen)
        after = record(demo, DRAFT, RecordStatus.PENDING)
        assert after is not None
        assert after.scope is MemoryScope.GLOBAL


async def test_nothing_to_change_says_so_and_escape_leaves_it(demo: Path) -> None:
    async with at(demo, "K", "A") as seat:
        assert isinstance(seat.app.screen, KindScreen)
        assert any("that is what it is already" in notice for notice in seat.notices)
        await seat.press("escape")
        assert isinstance(seat.app.screen, InboxScreen)


async def test_a_deleted_record_is_in_the_trash_and_one_key_brings_it_back(demo: Path) -> None:
    async with at(demo) as seat:
        await browse_to(seat, "deploy-pipeline-runbook")
        await seat.press("D")
        assert record(demo, "deploy-pipeline-runbook") is None
        assert any("links to it are broken now" in notice for notice in seat.notices)
        await seat.press("ctrl+z")
        assert record(demo, "deploy-pipeline-runbook") is not None


async def test_a_deleted_record_is_restored_from_the_history(demo: Path) -> None:
    async with at(demo) as seat:
        await browse_to(seat, "payment-sandbox")
        await seat.press("D", "H")
        assert "payment-sandbox" in names(seat)
        await seat.press("ctrl+z")
        assert "trash" not in names(seat) or "payment-sandbox" not in names(seat)[:3]
        assert record(demo, "payment-sandbox") is not None


async def test_a_draft_is_not_deleted(demo: Path) -> None:
    async with at(demo, "b", "slash") as seat:
        await seat.type("status:p")
        await seat.press("enter", "D")
        screen = seat.app.screen
        assert isinstance(screen, BrowseScreen)
        assert "a draft is rejected, not deleted" in str(screen.rows.border_subtitle)


def test_a_record_with_a_waiting_revision_is_not_deleted(demo: Path) -> None:
    desk = reopened(demo)
    seen = desk.review("release-checklist", RecordStatus.CANONICAL).record
    with pytest.raises(Conflict, match="a revision of release-checklist waits"):
        delete(desk, seen, "ann")
    desk.close()


def test_a_record_that_changed_meanwhile_is_not_deleted(demo: Path) -> None:
    desk = reopened(demo)
    seen = desk.review("payment-sandbox", RecordStatus.CANONICAL).record
    desk.edit(seen.id, seen.revision, content="Another text.")
    with pytest.raises(Conflict, match="has changed since you looked"):
        delete(desk, seen, "ann")
    desk.close()


async def test_a_revision_whose_base_moved_shows_what_happened_in_between(demo: Path) -> None:
    desk = reopened(demo)
    seen = desk.review("payment-sandbox", RecordStatus.CANONICAL).record
    desk.update_record(seen.id, "What the agent would have.\n")
    # Edited elsewhere, under the revision: the text it was written against is not the approved one.
    with desk.database.writing() as conn:
        canonical, _ = entries.find_both(conn, seen.id)
        assert canonical is not None
        replace_canonical(conn, canonical, seen.title, "What ann wrote.\n", "", desk.moment("ann"))
    desk.close()
    async with at(demo, "slash") as seat:
        await seat.type("payment sandbox")
        await seat.press("enter", "l")
        text = "\n".join(line.text for line in seat.inbox.card._painted.lines)
        assert "has changed since" in " ".join(text.split())
        assert "What the agent would have." in text
        assert "What ann wrote." in text
