"""The list of records: long lists, wide letters, hostile ids, the wheel; it never moves by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tests.tui.sitting import NOW, sitting
from tests.tui.test_paging import row
from tui.inbox_list import RowList
from tui.marks import Mark, Marked
from tui.messages import LinesShown, RowHighlighted
from tui.paging import FetchedPage, PageRequest, Pages
from tui.rows import Row


class Shown(App[None]):
    """A list alone on the screen; keeps what it posts."""

    CSS = "RowList { height: 1fr; }"

    def __init__(self, rows: list[Row], marks: dict[str, Marked] | None = None) -> None:
        super().__init__()
        self.made = Pages.of([FetchedPage(PageRequest(0, 0, ""), tuple(rows), "")], len(rows))
        self.marks = marks or {}
        self.highlighted: list[RowHighlighted] = []
        self.lines: list[LinesShown] = []

    def compose(self) -> ComposeResult:
        yield RowList(marked=self.marks.get, clock=lambda: NOW)

    @property
    def list(self) -> RowList:
        return self.query_one(RowList)

    def on_mount(self) -> None:
        self.list.show_pages(self.made)

    def on_row_highlighted(self, message: RowHighlighted) -> None:
        self.highlighted.append(message)

    def on_lines_shown(self, message: LinesShown) -> None:
        self.lines.append(message)


@asynccontextmanager
async def shown(
    rows: list[Row], marks: dict[str, Marked] | None = None, size: tuple[int, int] = (60, 10)
) -> AsyncIterator[tuple[RowList, Pilot[None], Shown]]:
    app = Shown(rows, marks)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app.list, pilot, app


def painted(rows: RowList) -> list[str]:
    return [rows.render_line(y).text for y in range(rows.view_height)]


@pytest.mark.parametrize("width", [40, 60, 79, 120])
async def test_lines_are_cell_exact_whatever_is_in_them(width: int) -> None:
    ids = [
        "plain",
        "港の名前の書き方" * 6,
        "لیلا-گزارش",
        "a" * 80,
        "e\u0301" * 30,
        "👩‍👩‍👧‍👦-family",
    ]
    async with shown([replace(row(n), id=id) for n, id in enumerate(ids)], size=(width, 10)) as (
        rows,
        _,
        _,
    ):
        assert {rows.render_line(y).cell_length for y in range(10)} == {
            rows.scrollable_content_region.width
        }


async def test_a_hostile_id_is_made_visible() -> None:
    async with shown([replace(row(1), id="x\x1b[2J\u202ey[bold]")]) as (rows, _, _):
        (line, *_) = painted(rows)
        assert "x␛[2J‹U+202E›y[bold]" in line


async def test_every_state_of_a_row_reads_without_colour() -> None:
    rows = [
        row(0),
        row(1),
        row(2),
        row(3),
        replace(row(4), flagged=True),
        replace(row(5), is_revision=True),
        replace(row(6), gone="withdrawn"),
        row(7),
    ]
    marks = {
        "draft-0": Marked("draft-0", Mark.APPROVE, "r"),
        "draft-1": Marked("draft-1", Mark.REJECT, "r"),
        "draft-2": Marked("draft-2", Mark.SKIP, "r"),
        "draft-3": Marked("draft-3", Mark.HELD, "r"),
        "draft-7": Marked("draft-7", Mark.APPROVE, "r", failure="changed"),
    }
    async with shown(rows, marks, size=(44, 10)) as (shown_rows, _, _):
        assert [line.rstrip() for line in painted(shown_rows)[:8]] == [
            "▌✓   draft-0              proj project  now",
            " ✗   draft-1              proj project  now",
            " »   draft-2              proj project  now",
            " ○   draft-3              proj project  now",
            "   ! draft-4              proj project  now",
            "   Δ draft-5              proj project  now",
            "     draft-6              proj project gone",
            " ✓   draft-7              proj project fail",
        ]


async def test_the_cursor_keeps_two_lines_around_it_in_view() -> None:
    async with shown([row(n) for n in range(50)]) as (rows, pilot, _):
        rows.jump(20)
        await pilot.pause()
        assert rows.scroll_offset.y == 13
        rows.jump(12)
        await pilot.pause()
        assert rows.scroll_offset.y == 10
        rows.jump(49)
        await pilot.pause()
        assert rows.scroll_offset.y == 40


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    async with shown([row(n) for n in range(50)]) as (rows, pilot, app):
        wheel = events.MouseScrollDown(rows, 5, 5, 0, 1, 0, False, False, False, 5, 5)
        app.screen._forward_event(wheel)
        await pilot.pause()
        await pilot.pause()
        assert rows.scroll_offset.y > 0
        assert rows.cursor == 0


async def test_a_cursor_move_tells_its_row_once() -> None:
    async with shown([row(n) for n in range(50)]) as (rows, pilot, app):
        app.highlighted.clear()
        rows.move(3)
        await pilot.pause()
        assert [(m.line, m.row) for m in app.highlighted] == [(3, row(3))]


async def test_the_ends_stop_the_cursor() -> None:
    async with shown([row(n) for n in range(3)]) as (rows, _, _):
        rows.move(-5)
        assert rows.cursor == 0
        rows.page(4)
        assert rows.cursor == 2


async def test_an_empty_list_says_so_and_a_move_does_no_harm() -> None:
    async with shown([]) as (rows, _, _):
        rows.notice = "Nothing here."
        rows.move(1)
        rows.select_all()
        assert "Nothing here." in painted(rows)[1]
        assert list(rows.selected) == []


async def test_the_end_of_a_long_list_is_reached_and_its_rows_are_read(many: Path) -> None:
    async with sitting(many) as seat:
        assert seat.rows.pages.read < 300
        await seat.press("G")
        assert seat.here == "note-0"
        assert "300/300 pending" in seat.header
        await seat.press("g")
        assert seat.here == "note-299"


async def test_pages_move_by_a_screen_less_a_line(many: Path) -> None:
    async with sitting(many) as seat:
        await seat.press("pagedown")
        assert seat.rows.cursor == seat.rows.view_height - 1
        await seat.press("ctrl+u")
        assert seat.rows.cursor == 0
