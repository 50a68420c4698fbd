"""The recall preview before and after the marks: what is new, what is pushed out, and why."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from store.local import LocalDesk
from store.records import (
    MemoryScope,
    MemoryType,
    Recalled,
    RecallRequest,
    Record,
    RecordStatus,
    Scored,
)
from tests.tui.test_browsing import at, demo, names, told_once
from tui.item_list import ItemList
from tui.marks import Mark, Marked, Marks
from tui.recalling import Change, Preview, budget_words, lines, to_approve
from tui.screens.recall import RecallScreen

__all__ = ["demo", "told_once"]  # fixtures
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ROOM = (*["backspace"] * 4, *"300", "enter")


def scored(id: str, score: float, tokens: int, content: str = "text") -> Scored:
    record = Record(
        id,
        MemoryType.USER,
        MemoryScope.GLOBAL,
        id,
        content,
        tokens,
        RecordStatus.CANONICAL,
        (),
        NOW,
        NOW,
    )
    return Scored(record, score)


async def test_exactly_the_marked_drafts_are_taken_to_be_approved(demo: Path) -> None:
    async with at(demo, "a", "j", "j", "R") as seat:
        marked = next(iter(seat.marks))
        before = names(seat)
        assert marked not in before
        await seat.press("b")
        assert set(names(seat)) - set(before) == {marked}
        assert "after 1 approved" in seat.header
        await seat.press("b")
        assert names(seat) == before


async def test_what_is_pushed_out_says_so_and_why(demo: Path) -> None:
    async with at(demo, "a", "R", "slash", "tab", "tab", *ROOM) as seat:
        await seat.click_key("after_marks")
        screen = seat.app.screen
        assert isinstance(screen, RecallScreen)
        rows = screen.query_one(ItemList)
        signs = {item.name: item.sign for item in rows.items}
        assert signs[next(iter(seat.marks))] == "+"
        pushed = [item.name for item in rows.items if item.sign == "−"]
        assert pushed
        await seat.press("G")
        while rows.item is None or rows.item.name != pushed[-1]:
            await seat.press("k")
        assert "pushed out by the marks: needs" in str(rows.border_subtitle)


async def test_without_a_mark_that_approves_there_is_nothing_to_foresee(demo: Path) -> None:
    async with at(demo, "r", "R", "b") as seat:
        assert "nothing is marked yet" in str(seat.app.screen.query_one(ItemList).border_subtitle)


async def test_a_provider_that_cannot_foresee_says_so(demo: Path) -> None:
    from tests.tui.sitting import desk_at, sitting

    class Plain(LocalDesk):
        @property
        def missing(self) -> dict[str, str]:
            return {"preview_decided": "the protocol recalls with all drafts or with none"}

    desk_at(demo).close()
    async with sitting(demo, open_desk=lambda: Plain(str(demo))) as seat:
        await seat.press("a", "R", "b")
        assert "with all drafts or with none" in str(
            seat.app.screen.query_one(ItemList).border_subtitle
        )


def test_each_line_says_what_the_marks_change() -> None:
    before = Recalled(
        (scored("a", 0.9, 10), scored("b", 0.8, 10), scored("c", 0.7, 10)),
        (scored("d", 0.6, 40), scored("e", 0.5, 8)),
        30,
        35,
    )
    after = Recalled(
        (scored("new", 0.95, 12), scored("a", 0.9, 10, "other"), scored("e", 0.5, 8)),
        (scored("b", 0.8, 15), scored("d", 0.6, 40)),
        30,
        35,
    )
    told = {
        line.scored.record.id: (line.change, line.why) for line in lines(Preview(before, after))
    }
    assert told == {
        "new": (Change.NEW, "new by the marks"),
        "a": (Change.REPLACED, "new text by the marks"),
        "e": (Change.NEW, "has room now"),
        "b": (Change.PUSHED_OUT, "pushed out by the marks: needs 15, 13 left"),
        "d": (Change.DROPPED, "needs 40, 13 left"),
    }
    assert [line.change for line in lines(Preview(before))] == [*["●"] * 3, *["○"] * 2]
    assert budget_words(Preview(before)) == "30 of 35 tokens given · 48 dropped"
    assert budget_words(Preview(before, after, 1)) == "30 → 30 of 35 tokens given · 55 dropped"


def test_only_approvals_change_what_is_recalled() -> None:
    marks = Marks([Marked("a", Mark.APPROVE, ""), Marked("b", Mark.REJECT, "")])
    marks.set(Marked("c", Mark.SKIP, ""))
    assert to_approve(marks) == ("a",)
    assert RecallRequest(1).include_pending is False
