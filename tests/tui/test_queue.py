"""The queue: counts to go to, what is told of all drafts, and how fast a sitting goes."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store.local import LocalDesk
from tests.tui.sitting import NOW, Sitting, desk_at, sitting
from tui.detail import Card
from tui.item_list import ItemList
from tui.pace import Pace
from tui.queue import MOST_LOOKED_AT, pace_words, read_warnings, span
from tui.screens.inbox import InboxScreen
from tui.screens.queue import QueueScreen


def listed(seat: Sitting) -> dict[str, str]:
    """Return what the list says: names with their counts."""
    return {item.name: item.aside.strip(" █") for item in seat.app.screen.query_one(ItemList).items}


def told(seat: Sitting) -> str:
    return "\n".join(line.text.rstrip() for line in seat.app.screen.query_one(Card)._painted.lines)


async def go_to(seat: Sitting, name: str) -> None:
    rows = seat.app.screen.query_one(ItemList)
    while rows.item is None or rows.item.name != name:
        before = rows.cursor
        await seat.press("j")
        assert rows.cursor > before, f"{name} is not in the list"


async def test_the_queue_is_counted_by_age_type_writer_and_warning(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("Q")
        assert isinstance(seat.app.screen, QueueScreen)
        counts = listed(seat)
        assert counts["under a day"] == "10"
        assert counts["user"] == "3"
        assert counts["memory.remember"] == "10"
        assert counts["hidden-characters"] == "1"
        assert "10 pending · 1 flagged · oldest 10h" in seat.header
        assert "The oldest draft has waited 10h: note-0" in told(seat)


async def test_enter_on_a_group_goes_to_its_drafts(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("Q")
        await go_to(seat, "hidden-characters")
        await seat.press("enter")
        assert isinstance(seat.app.screen, InboxScreen)
        assert seat.ids == ["note-4"]
        await seat.press("escape")
        assert len(seat.ids) == 10


@pytest.mark.parametrize("name", ["under a day", "user", "memory.remember"])
async def test_what_is_gone_to_is_as_many_as_were_counted(store: Path, name: str) -> None:
    async with sitting(store) as seat:
        await seat.press("Q")
        await go_to(seat, name)
        count = int(listed(seat)[name])
        await seat.press("enter")
        assert len(seat.ids) == count


async def test_the_mouse_goes_there_by_the_footer_and_by_two_clicks(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("Q")
        await go_to(seat, "feedback")
        await seat.click_key("show_these")
        assert seat.ids == ["note-9", "note-5", "note-1"]
        await seat.press("escape", "Q")
        rows = seat.app.screen.query_one(ItemList)
        line = next(n for n, item in enumerate(rows.items) if item.name == "user")
        await seat.pilot.click(rows, offset=(10, line + 1), times=2)
        await seat.settle()
        assert seat.ids == ["note-8", "note-4", "note-0"]


async def test_a_title_leads_nowhere_and_says_so(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("Q", "g", "enter")
        assert isinstance(seat.app.screen, QueueScreen)
        assert "no drafts are counted here" in str(seat.app.screen.rows.border_subtitle)


async def test_the_oldest_draft_is_a_link_with_a_way_back(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("Q", "tab", "enter")
        assert "What note 0 says." in told(seat)
        await seat.press("escape")
        assert "The oldest draft" in told(seat)


async def test_what_was_accepted_is_told_by_writer(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "a", "a", "r", "p", "A", "escape", "Q")
        text = " ".join(told(seat).split())
        assert "memory.remember 75% 3 1" in text
        await go_to(seat, "memory.remember")
        assert "3 of its last 4 were accepted, 75%." in " ".join(told(seat).split())


async def test_a_provider_without_a_journal_says_so(store: Path) -> None:
    class Forgetful(LocalDesk):
        @property
        def missing(self) -> dict[str, str]:
            return {"history": "the protocol does not say what was decided"}

    async with sitting(store, open_desk=lambda: Forgetful(str(store))) as seat:
        await seat.press("Q")
        assert "Unknown: the protocol does not say what was decided." in told(seat)


async def test_f5_counts_again(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("Q")
        other = desk_at(store)
        other.reject_record("note-0")
        other.close()
        await seat.press("f5")
        assert "9 pending" in seat.header


async def test_nothing_waits_and_nothing_is_wrong(store: Path, tmp_path: Path) -> None:
    empty = Path(shutil.copy(store, tmp_path / "empty.db"))
    desk = desk_at(empty)
    for number in range(10):
        desk.approve_record(f"note-{number}")
    desk.close()
    async with sitting(empty) as seat:
        await seat.press("Q")
        assert "No drafts wait for you." in seat.app.screen.query_one(ItemList).notice
        assert "memory.remember" in told(seat)


def test_warnings_are_looked_for_up_to_a_bound(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_at(many)
    whole = list(read_warnings(desk))
    assert [(each.looked_at, each.complete) for each in whole] == [(250, False), (300, True)]
    monkeypatch.setattr("tui.queue.MOST_LOOKED_AT", 200)
    assert [each.looked_at for each in read_warnings(desk)] == [250]
    assert MOST_LOOKED_AT == 5_000
    desk.close()


# -- the pace


def test_the_pace_is_decisions_over_minutes_of_work() -> None:
    pace = Pace(NOW)
    for number in range(1, 11):
        pace.note(number, NOW + timedelta(seconds=6 * number))
    assert pace.per_minute == pytest.approx(10)
    assert pace.minutes_for(40) == pytest.approx(4)


def test_a_break_counts_as_two_minutes_at_most() -> None:
    pace = Pace(NOW)
    pace.note(1, NOW + timedelta(minutes=1))
    pace.note(2, NOW + timedelta(hours=3))
    assert pace.minutes == 3


def test_what_was_undone_or_marked_before_does_not_count() -> None:
    pace = Pace(NOW, decided=5)
    pace.note(7, NOW + timedelta(minutes=1))
    pace.note(6, NOW + timedelta(minutes=2))
    assert pace.decisions == 1
    pace.note(4, NOW + timedelta(minutes=3))
    assert pace.decisions == 0
    assert pace.per_minute is None


def test_a_clock_put_back_takes_no_time_away() -> None:
    pace = Pace(NOW)
    pace.note(1, NOW + timedelta(minutes=1))
    pace.note(2, datetime(2020, 1, 1, tzinfo=UTC))
    assert pace.minutes == 1


def test_the_pace_in_words() -> None:
    pace = Pace(NOW)
    assert pace_words(pace, 3) == ("Nothing was decided in this sitting yet.",)
    pace.note(1, NOW + timedelta(minutes=1))
    assert pace_words(pace, 3) == (
        "1 decision in 1 minute: 1.0 a minute.",
        "At this pace the 3 that are left take 3 minutes.",
    )
    assert pace_words(pace, 0) == ("1 decision in 1 minute: 1.0 a minute.",)
    assert span(0.4) == "less than a minute"
    assert span(150) == "2 h 30 min"


async def test_the_sitting_follows_marks_and_applied_ones(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "a", "r", "u")
        assert seat.app.pace.decisions == 2
        await seat.press("p", "A")
        assert seat.app.pace.decisions == 2
        await seat.press("escape", "Z")
        await seat.press("a")
        assert seat.app.pace.decisions == 1
