"""Fixing links that lead nowhere, and writing a record: on the demo store, by key and by mouse."""

from __future__ import annotations

from pathlib import Path

from store.records import MemoryScope, MemoryType, RecordStatus
from tests.tui.sitting import Sitting
from tests.tui.test_browsing import at, card_text, demo, go_to, names, reopened, told_once
from tui.item_list import ItemList
from tui.screens.fix import FixScreen
from tui.screens.inbox import InboxScreen
from tui.screens.links import LinksScreen
from tui.screens.new import NewScreen

__all__ = ["demo", "told_once"]  # fixtures

WANTED = ["deploy-pipeline-migration-complete", "harbour-desk-hours", "release-checklist"]


def using(demo: Path, name: str) -> list[str]:
    desk = reopened(demo)
    records = desk.list_records(page_size=500).records
    desk.close()
    return sorted(
        f"{record.id}{'' if record.pending else '*'}"
        for record in records
        if f"[[{name}" in record.content
    )


def fix(seat: Sitting) -> FixScreen:
    assert isinstance(seat.app.screen, FixScreen)
    return seat.app.screen


async def typed(seat: Sitting, name: str) -> None:
    """Look for another name."""
    await seat.press("slash", "ctrl+u")
    await seat.type(name)
    await seat.press("enter")


async def test_a_broken_name_suggests_what_reads_like_it(demo: Path) -> None:
    async with at(demo, "L", "F") as seat:
        assert names(seat) == ["old-pipeline-keys-are-revoked", "write old-pipeline-notes"]
        assert "2 texts change; A does it." in card_text(seat)
        assert "+ change. Background: [[old-pipeline-keys-are-revoked]]." in card_text(seat)
        assert "[[old-pipeline-notes]] · 2 places in 2 records" in seat.header


async def test_nothing_changes_before_it_is_said_and_all_that_was_shown_then(demo: Path) -> None:
    async with at(demo, "L", "F") as seat:
        before = using(demo, "old-pipeline-notes")
        assert len(before) == 2
        await seat.press("A")
        assert isinstance(seat.app.screen, LinksScreen)
        assert using(demo, "old-pipeline-notes") == []
        assert using(demo, "old-pipeline-keys-are-revoked") == before
        assert "old-pipeline-notes" not in names(seat)


async def test_a_fix_is_taken_back_by_one_key(demo: Path) -> None:
    async with at(demo, "L", "F") as seat:
        before = using(demo, "old-pipeline-notes")
        await seat.press("A", "u")
        assert using(demo, "old-pipeline-notes") == before
        assert using(demo, "old-pipeline-keys-are-revoked") == []
        await seat.press("u")
        assert "no link was fixed in this sitting" in str(
            seat.app.screen.query_one(ItemList).border_subtitle
        )


async def test_the_mouse_fixes_and_takes_back(demo: Path) -> None:
    async with at(demo, "L") as seat:
        rows = seat.app.screen.query_one(ItemList)
        line = names(seat).index("old-pipeline-notes")
        await seat.pilot.click(rows, offset=(8, line + 1), times=2)
        await seat.settle()
        await seat.click_key("apply_fix")
        assert using(demo, "old-pipeline-notes") == []
        await seat.click_key("undo_fix")
        assert len(using(demo, "old-pipeline-notes")) == 2


async def test_another_name_is_looked_for_by_a_part_of_it(demo: Path) -> None:
    async with at(demo, "L") as seat:
        await go_to(seat, "oncall-rota")
        await seat.press("F")
        await typed(seat, "runbook")
        assert "deploy-pipeline-runbook" in names(seat)
        assert "3 texts change" in card_text(seat)
        await seat.press("A")
        assert using(demo, "oncall-rota") == ["release-checklist*"]


async def test_a_revision_is_fixed_and_says_that_the_approved_text_is_not_yet(demo: Path) -> None:
    async with at(demo, "L") as seat:
        await go_to(seat, "oncall-rota")
        await seat.press("F")
        await typed(seat, "runbook")
        await seat.press("l", "G")
        assert "Its approved text gets the link when this revision is approved." in " ".join(
            card_text(seat).split()
        )


async def test_an_ambiguous_name_offers_the_records_that_answer_to_it(demo: Path) -> None:
    async with at(demo, "L") as seat:
        await go_to(seat, "Glossary")
        await seat.press("F")
        assert names(seat) == ["glossary-for-booking", "glossary-for-harbours"]


async def test_a_text_that_changed_meanwhile_is_left_alone_and_named(demo: Path) -> None:
    async with at(demo, "L", "F") as seat:
        id = fix(seat).worked_out.changes[0].record.id  # type: ignore[union-attr]
        desk = reopened(demo)
        desk.edit(id, desk.review(id).record.revision, content="Mine: [[old-pipeline-notes]].")
        desk.close()
        await seat.press("A")
        assert any(id in notice and "not what you looked at" in notice for notice in seat.notices)
        assert len(using(demo, "old-pipeline-notes")) == 1
        assert len(using(demo, "old-pipeline-keys-are-revoked")) == 1


async def test_a_mark_follows_the_draft_whose_link_was_fixed(demo: Path) -> None:
    async with at(demo) as seat:
        await seat.press("slash")
        await seat.type("shared key described")
        await seat.press("enter", "a")
        assert seat.marks == {"old-pipeline-keys-are-revoked": "approve"}
        await seat.press("escape", "L", "F")
        await typed(seat, "runbook")
        await seat.press("A", "escape")
        assert seat.marks == {"old-pipeline-keys-are-revoked": "approve"}
        await seat.press("p", "A")
        assert seat.marks == {}


async def test_the_links_of_a_card_are_fixed_from_there(demo: Path) -> None:
    async with at(demo, "tab", "tab", "tab") as seat:
        assert isinstance(seat.app.screen, InboxScreen)
        await seat.press("F")
        assert fix(seat).name_wanted == "oncall-rota"
        await typed(seat, "runbook")
        await seat.press("A")
        assert isinstance(seat.app.screen, InboxScreen)
        assert "deploy-pipeline-migration-complete" not in using(demo, "oncall-rota")
        assert "oncall-rota" not in card_text(seat)


async def test_a_card_whose_links_all_lead_somewhere_says_so(demo: Path) -> None:
    async with at(demo, "b", "slash") as seat:
        await seat.type("sea shanties")
        await seat.press("enter", "F")
        assert "every link here leads to a record" in str(seat.app.screen.rows.border_subtitle)


async def test_the_wanted_record_is_begun_as_a_draft_and_its_links_resolve(demo: Path) -> None:
    async with at(demo, "L") as seat:
        await go_to(seat, "oncall-rota")
        await seat.press("F", "G")
        assert "A begins a draft with the name oncall-rota." in card_text(seat)
        await seat.press("A")
        assert isinstance(seat.app.screen, NewScreen)
        assert seat.app.screen.title_line.value == "oncall-rota"
        await seat.type("Jonas on even weeks.")
        await seat.press("ctrl+s")
        assert isinstance(seat.app.screen, LinksScreen)
        assert "oncall-rota" in names(seat)
        desk = reopened(demo)
        seen = desk.review("oncall-rota", RecordStatus.PENDING)
        desk.close()
        assert seen.record.content == "Jonas on even weeks."
        assert set(seen.on_approve.resolves) | {each.source_id for each in seen.backlinks} >= set(
            WANTED
        )


# -- a record of one's own


async def test_a_record_of_ones_own_goes_through_the_plan(demo: Path) -> None:
    async with at(demo, "ctrl+n") as seat:
        assert isinstance(seat.app.screen, NewScreen)
        await seat.type("Tide tables")
        await seat.press("tab")
        await seat.type("They are in the wiki.")
        await seat.press("ctrl+t", "ctrl+o", "ctrl+g")
        assert seat.marks == {"tide-tables": "approve"}
        assert "tide-tables" in seat.ids
        desk = reopened(demo)
        record = desk.review("tide-tables", RecordStatus.PENDING).record
        desk.close()
        assert record.content == "They are in the wiki."
        assert record.provenance.recorded_by == "inbox.new"
        assert record.scope is MemoryScope.GLOBAL
        await seat.press("u")
        assert seat.marks == {}


async def test_type_and_scope_are_chosen_by_the_mouse_and_saved(demo: Path) -> None:
    async with at(demo, "ctrl+n") as seat:
        first = seat.header
        await seat.click_key("next_type")
        await seat.click_key("next_scope")
        assert seat.header != first
        await seat.type("Tide tables")
        await seat.press("tab")
        await seat.type("In the wiki.")
        await seat.click_key("save_new")
        assert seat.marks == {}
        desk = reopened(demo)
        record = desk.review("tide-tables", RecordStatus.PENDING).record
        desk.close()
        assert record.type is MemoryType.REFERENCE
        assert record.scope is MemoryScope.GLOBAL
        assert record.project_root == ""


async def test_an_empty_record_is_not_saved_and_a_begun_one_not_lost_by_one_key(demo: Path) -> None:
    async with at(demo, "ctrl+n", "ctrl+s") as seat:
        new = seat.app.screen
        assert isinstance(new, NewScreen)
        assert "it needs a title" in str(new.text.border_subtitle)
        await seat.press("tab", "x", "escape")
        assert seat.app.screen is new
        assert "esc again" in str(new.text.border_subtitle)
        await seat.press("escape")
        assert isinstance(seat.app.screen, InboxScreen)
