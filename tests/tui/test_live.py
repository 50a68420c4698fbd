"""Others write while the inbox is open: nothing moves under the cursor, no mark lands on what nobody saw."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from render.tree import Node
from store.errors import SourceUnavailable
from store.local import LocalDesk
from store.records import JournalEntry, RecordStatus, Review
from tests.tui.sitting import AGENT, Sitting, desk_at, draft, fill, sitting
from tui.screens.inbox import InboxScreen


@pytest.fixture
def other(store: Path) -> Iterator[LocalDesk]:
    """The desk of somebody else, over the same store."""
    desk = desk_at(store)
    yield desk
    desk.close()


async def look(seat: Sitting) -> None:
    seat.inbox.look()
    await seat.settle()


def screen_line(seat: Sitting) -> int:
    """The line of the screen on which the cursor is."""
    return seat.rows.cursor - seat.rows.scroll_offset.y


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_new_drafts_go_above_and_nothing_moves(
    store: Path, other: LocalDesk, size: tuple[int, int]
) -> None:
    async with sitting(store, size=size) as seat:
        await seat.press("a", "j")
        here, line = seat.here, screen_line(seat)
        for number in range(20, 23):
            other.record(draft(number), AGENT)
        await look(seat)
        assert (seat.here, screen_line(seat)) == (here, line)
        assert seat.marks == {"note-9": "approve"}
        assert seat.ids[:4] == ["note-22", "note-21", "note-20", "note-9"]
        assert seat.said == "3 new above"
        assert "6/13" in seat.header
        assert "3 new" in seat.header


async def test_the_cursor_reaches_what_came_above(store: Path, other: LocalDesk) -> None:
    async with sitting(store) as seat:
        other.record(draft(20), AGENT)
        await look(seat)
        await seat.press("k")
        assert seat.here == "note-20"
        assert screen_line(seat) == 0
        await seat.press("a")
        assert seat.marks == {"note-20": "approve"}


async def test_a_draft_that_changes_under_a_mark_loses_it_with_a_notice(
    store: Path, other: LocalDesk
) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "a")
        other.update_record("note-9", "Now it says this.")
        await look(seat)
        assert seat.marks == {"note-8": "approve"}
        assert "note-9 has changed (approve)" in seat.notices
        await seat.press("u")
        assert seat.marks == {}


async def test_a_draft_that_changes_in_view_is_shown_and_asks_for_a_second_look(
    store: Path, other: LocalDesk
) -> None:
    async with sitting(store) as seat:
        other.update_record("note-9", "Now it says this.")
        await look(seat)
        assert seat.inbox.shown is not None
        assert seat.inbox.shown.record.content == "Now it says this."
        await seat.press("a")
        assert seat.marks == {}
        assert "has just changed" in seat.said
        await seat.press("a")
        assert seat.marks == {"note-9": "approve"}


async def test_a_draft_that_goes_stays_as_a_line_that_cannot_be_decided(
    store: Path, other: LocalDesk
) -> None:
    async with sitting(store) as seat:
        await seat.press("j", "r", "k", "k")
        other.approve_record("note-9")
        other.delete_record("note-8")
        await look(seat)
        assert seat.ids[:2] == ["note-9", "note-8"]
        assert seat.rows.row is not None
        assert seat.rows.row.gone == "was approved elsewhere"
        await seat.press("a")
        assert seat.marks == {}
        assert "note-8 was withdrawn (reject)" in seat.notices
        await seat.press("f5")
        assert seat.ids[0] == "note-7"


async def test_new_drafts_under_a_filter_are_those_that_match(
    store: Path, other: LocalDesk
) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("type:user")
        await seat.press("enter")
        other.record(draft(20), AGENT)
        other.record(draft(21), AGENT)
        await look(seat)
        assert seat.ids == ["note-20", "note-8", "note-4", "note-0"]


async def test_a_range_keeps_its_drafts_when_others_come_above(
    store: Path, other: LocalDesk
) -> None:
    async with sitting(store) as seat:
        await seat.press("v", "j")
        other.record(draft(20), AGENT)
        await look(seat)
        await seat.press("r")
        assert seat.marks == dict.fromkeys(["note-9", "note-8"], "reject")


async def test_a_store_that_is_away_is_said_in_the_header_until_it_is_back(store: Path) -> None:
    class Away(LocalDesk):
        away = False

        def history(
            self, id: str | None = None, limit: int = 100, before: int | None = None
        ) -> tuple[JournalEntry, ...]:
            if self.away:
                raise SourceUnavailable("the disk is gone")
            return super().history(id, limit, before)

    desk = Away(str(store))
    desk.open()
    async with sitting(store, open_desk=lambda: desk) as seat:
        desk.away = True
        await look(seat)
        assert "the store cannot be reached" in seat.header
        desk.away = False
        await look(seat)
        assert "cannot be reached" not in seat.header


@pytest.mark.slow
async def test_no_mark_lands_on_a_draft_that_nobody_saw_while_2000_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process writes 2,000 drafts; decisions are made as fast as the app takes them."""
    store = tmp_path / "inbox.db"
    fill(store, (draft(n) for n in range(100)))
    seen: set[tuple[str, str]] = set()
    present = InboxScreen.present

    def spy(self: InboxScreen, review: Review, node: Node) -> None:
        seen.add((review.record.id, review.record.revision))
        present(self, review, node)

    monkeypatch.setattr(InboxScreen, "present", spy)
    async with sitting(store) as seat:
        writer = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.tui.writer", str(store), "2000"
        )
        decided = 0
        while writer.returncode is None or decided < 150:
            await seat.pilot.press("r" if decided % 5 == 0 else "a")
            decided += 1
            if decided % 10 == 0:
                await look(seat)
                await asyncio.wait([asyncio.ensure_future(writer.wait())], timeout=0)
        await look(seat)
        marks = tuple(seat.app.marks)
        assert len(marks) > 50
        assert {(marked.id, marked.revision) for marked in marks} <= seen
        assert seat.inbox.counts is not None
        assert seat.inbox.counts.pending == 2100
        assert len(seat.rows.pages) == 2100
    desk = desk_at(store)
    drafts = {marked.id: desk.review(marked.id, RecordStatus.PENDING).record for marked in marks}
    assert all(drafts[marked.id].revision == marked.revision for marked in marks)
    desk.close()
