"""Deciding: every action by key and by mouse, each with its undo, against a real store."""

from __future__ import annotations

from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest

from render.tree import Node
from store.records import RecordStatus
from tests.tui.sitting import desk_at, draft, fill, sitting
from tui.detail import LONG
from tui.painter import Painted, paint

DECISIONS = [("a", "approve"), ("r", "reject"), ("s", "skip")]


async def test_the_newest_draft_is_under_the_cursor_and_on_the_card(store: Path) -> None:
    async with sitting(store) as seat:
        assert seat.here == "note-9"
        assert seat.inbox.shown is not None
        assert seat.inbox.shown.record.id == "note-9"
        assert "1/10 pending" in seat.header


@pytest.mark.parametrize(("key", "mark"), DECISIONS)
async def test_a_key_marks_the_draft_and_goes_on_to_the_next(
    store: Path, key: str, mark: str
) -> None:
    async with sitting(store) as seat:
        await seat.press(key)
        assert seat.marks == {"note-9": mark}
        assert seat.here == "note-8"
        await seat.press("u")
        assert seat.marks == {}
        assert seat.here == "note-9"
        await seat.press("U")
        assert seat.marks == {"note-9": mark}


@pytest.mark.parametrize(("key", "mark"), DECISIONS)
async def test_a_click_in_the_footer_does_what_its_key_does(
    store: Path, key: str, mark: str
) -> None:
    async with sitting(store) as seat:
        await seat.click_key(mark)
        assert seat.marks == {"note-9": mark}
        await seat.click_key("undo")
        assert seat.marks == {}


async def test_a_click_on_the_mark_column_turns_approval_on_and_off(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.click_row(3, column=1)
        assert seat.here == "note-6"
        assert seat.marks == {"note-6": "approve"}
        await seat.press("u", "ctrl+r")
        assert seat.marks == {"note-6": "approve"}
        await seat.click_row(3, column=1)
        assert seat.marks == {}


async def test_a_double_click_toggles_and_a_single_one_only_selects(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.click_row(2)
        assert seat.here == "note-7"
        assert seat.marks == {}
        await seat.click_row(2, times=2)
        assert seat.marks == {"note-7": "approve"}


async def test_a_decision_passes_over_what_is_decided_already(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("j", "a")
        assert seat.here == "note-7"
        await seat.press("k", "k", "r")
        assert seat.here == "note-7"


async def test_after_the_last_draft_comes_the_first_that_is_undecided(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("j", "G", "a")
        assert seat.here == "note-9"


async def test_when_all_is_decided_the_border_says_what_comes_next(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press(*"aaaaaaaaaa")
        assert len(seat.marks) == 10
        assert "p shows the plan" in seat.said


async def test_unmark_takes_a_mark_away_and_undo_brings_it_back(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "k", "x")
        assert seat.marks == {}
        await seat.press("u")
        assert seat.marks == {"note-9": "approve"}


async def test_next_and_previous_undecided_pass_over_marks(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("j", "a", "a", "g", "n")
        assert seat.here == "note-6"
        await seat.press("N")
        assert seat.here == "note-9"


async def test_what_cannot_be_done_now_says_why(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("u")
        assert seat.said == "undo: nothing to undo"
        await seat.press("p")
        assert seat.said == "plan: nothing is marked yet"
        assert len(seat.app.screen_stack) == 1


async def test_a_mark_holds_the_revision_that_was_on_the_card(store: Path) -> None:
    async with sitting(store) as seat:
        assert seat.inbox.shown is not None
        seen = seat.inbox.shown.record.revision
        await seat.press("a")
        marked = seat.app.marks.get("note-9")
        assert marked is not None
        assert marked.revision == seen


async def test_a_range_is_marked_and_undone_as_one(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("v", "j", "j", "r")
        assert seat.marks == dict.fromkeys(["note-9", "note-8", "note-7"], "reject")
        assert seat.rows.selection is None
        await seat.press("u")
        assert seat.marks == {}


async def test_a_bulk_approval_leaves_flagged_drafts_out_until_they_are_opened(
    store: Path,
) -> None:
    async with sitting(store) as seat:
        await seat.press("V", "a")
        assert seat.marks.pop("note-4") == "held"
        assert set(seat.marks.values()) == {"approve", "held"}
        assert seat.said == "approve: 9 drafts, 1 flagged left out"
        await seat.press("n")
        assert seat.here == "note-4"
        await seat.press("a")
        assert seat.marks["note-4"] == "approve"


async def test_a_flagged_draft_that_was_looked_at_is_part_of_a_bulk_approval(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press(*"jjjjj")
        assert seat.here == "note-4"
        await seat.press("V", "a")
        assert seat.marks["note-4"] == "approve"


async def test_escape_drops_the_selection_and_nothing_else(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "v", "j", "escape")
        assert seat.rows.selection is None
        assert seat.marks == {"note-9": "approve"}


async def test_a_sitting_ends_in_the_store_as_the_plan_said(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "r", "s", "a", "p")
        assert "2 approve · 1 reject" in seat.header
        await seat.press("A")
        assert "2 approved · 1 rejected · none failed" in seat.header
        await seat.press("escape")
        assert seat.ids == ["note-7", "note-5", "note-4", "note-3", "note-2", "note-1", "note-0"]
        assert seat.marks == {"note-7": "skip"}
    desk = desk_at(store)
    assert {r.id for r in desk.list_records(status=RecordStatus.CANONICAL).records} == {
        "note-9",
        "note-6",
    }
    assert desk.count().pending == 7
    desk.close()


async def test_one_draft_that_fails_keeps_its_mark_and_does_not_stop_the_rest(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "a", "a", "p")
        other = desk_at(store)
        other.update_record("note-8", "Something else altogether.")
        await seat.press("A")
        assert "2 approved · 1 failed, marks kept" in seat.header
        await seat.press("escape")
        marked = seat.app.marks.get("note-8")
        assert marked is None or marked.failure
        assert other.count().canonical == 2
        other.close()


async def test_approvals_can_be_taken_back_after_they_were_applied(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "a", "r", "p", "A", "Z")
        assert seat.app.screen is seat.inbox
        assert "note-9" in seat.ids
        assert "note-8" in seat.ids
        assert "note-7" not in seat.ids
    desk = desk_at(store)
    assert desk.count().canonical == 0
    desk.close()


async def test_the_plan_says_that_a_rejection_is_final(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("r", "p")
        (line,) = seat.app.screen.rows.plan.lines  # type: ignore[attr-defined]
        assert line.note == "text destroyed, cannot be taken back"


async def test_a_draft_can_be_taken_out_of_the_plan(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "r", "p", "j", "x")
        assert seat.marks == {"note-9": "approve"}
        assert "1 approve · links" in seat.header


async def test_the_action_keys_do_not_apply(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "p", "a", "p", "r", "y", "enter")
    desk = desk_at(store)
    assert desk.count().canonical == 0
    desk.close()


async def test_a_canonical_record_in_the_list_cannot_be_marked(store: Path) -> None:
    desk = desk_at(store)
    desk.approve_record("note-9")
    desk.close()
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("status:canonical")
        await seat.press("enter", "a", "r", "s")
        assert seat.said == "skip: this is no draft"
        await seat.press("V", "a")
        await seat.click_row(4, column=1)
        assert seat.marks == {}


async def test_a_decision_about_all_reaches_rows_far_from_view(many: Path) -> None:
    async with sitting(many) as seat:
        await seat.press("V")
        assert len(seat.rows.selected) == 300
        await seat.press("r")
        assert len(seat.marks) == 300
        assert seat.said == "reject: 300 drafts"
        await seat.press("u")
        assert seat.marks == {}


async def test_no_draft_is_decided_before_its_card_was_drawn(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("j", "k")  # so that both are read
        seat.inbox.rows.move(1)
        seat.inbox.want(seat.inbox.rows.pages.key(1))
        assert seat.inbox.shown is None
        seat.inbox.action_act("approve")
        assert seat.marks == {}
        assert "still being read" in seat.said
        await seat.press("a")
        assert seat.marks == {"note-8": "approve"}


async def test_a_long_draft_is_drawn_beside_the_app_and_not_decided_before(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = " ".join(f"[[somewhere-{n}]]" for n in range(LONG // 15))
    fill(store, [draft(10, words)])
    may_draw = Event()

    def slow(node: Node, *arguments: Any) -> Painted:
        if current_thread() is not main_thread():
            may_draw.wait(30)
        return paint(node, *arguments)

    monkeypatch.setattr("tui.detail.paint", slow)
    may_draw.set()
    async with sitting(store) as seat:
        assert seat.here == "note-10"
        may_draw.clear()
        await seat.pilot.press("j", "k", "a")
        assert seat.here == "note-10"
        assert seat.marks == {}
        assert "still being read" in seat.said
        may_draw.set()
        await seat.settle()
        await seat.press("a")
        assert seat.marks == {"note-10": "approve"}
