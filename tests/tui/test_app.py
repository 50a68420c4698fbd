"""The app as a whole: it paints before the store is there, loses no error, and fits its terminal."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from textual.widgets import Static

from store.errors import SourceUnavailable
from store.local import LocalDesk
from store.provider import Desk
from store.records import RecordStatus, Review
from tests.tui.sitting import NOW, Sitting, desk_at, sitting
from tui.app import InboxApp
from tui.messages import ListRead


def test_importing_the_app_brings_no_database() -> None:
    code = (
        "import sys, tui.app;"
        "print(*sorted({'sqlalchemy', 'sqlmodel', 'alembic', 'grpc', 'store.local'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


async def test_the_first_paint_does_not_wait_for_the_store(store: Path) -> None:
    opened = threading.Event()

    def slow() -> Desk:
        opened.wait(30)
        return desk_at(store)

    app = InboxApp(slow, store_name="test.db", clock=lambda: NOW, look_every=0)
    async with app.run_test() as pilot:
        seat = Sitting(app, pilot)
        await pilot.pause()
        assert seat.rows.notice == "Opening the store …"
        await pilot.press("a")
        assert "no record under the cursor" in seat.said
        opened.set()
        await seat.settle()
        assert len(seat.ids) == 10


async def test_a_store_that_does_not_open_says_why_and_is_tried_again(store: Path) -> None:
    attempts: list[int] = []

    def at_second_try() -> Desk:
        attempts.append(1)
        if len(attempts) == 1:
            raise SourceUnavailable("the disk is gone", hint="plug it in")
        return desk_at(store)

    async with sitting(store, open_desk=at_second_try) as seat:
        assert "The store cannot be reached" in seat.rows.notice
        assert "plug it in" in seat.rows.notice
        assert "While opening the store: the disk is gone\nplug it in" in seat.notices
        await seat.press("f5")
        assert len(seat.ids) == 10


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (SourceUnavailable("locked"), "The store cannot be reached"),
        (RuntimeError("never foreseen"), "Something went wrong"),
    ],
)
async def test_no_error_of_a_job_is_lost(store: Path, error: Exception, title: str) -> None:
    class Broken(LocalDesk):
        def review(self, id: str, status: RecordStatus | None = None) -> Review:
            raise error

    def broken() -> Desk:
        desk = Broken(str(store))
        desk.open()
        return desk

    async with sitting(store, open_desk=broken) as seat:
        assert title in {failure.title for failure in seat.app.jobs.failures}
        assert any(str(error) in notice for notice in seat.notices)
        await seat.press("a")
        assert seat.marks == {}


async def test_the_error_of_a_job_whose_asker_is_gone_is_drawn_all_the_same(store: Path) -> None:
    def failing() -> ListRead:
        raise SourceUnavailable("locked")

    async with sitting(store) as seat:
        asker = Static()
        await seat.inbox.mount(asker)
        await asker.remove()
        seat.app.jobs.start(asker, failing, group="x", description="asking")
        await seat.settle()
        assert "While asking: locked" in seat.notices


async def test_text_of_an_error_is_neither_markup_nor_raw(store: Path) -> None:
    def failing() -> ListRead:
        raise SourceUnavailable("no [bold]such\x1b[31m file")

    async with sitting(store) as seat:
        seat.app.jobs.start(seat.app, failing, group="x", description="asking")
        await seat.settle()
        assert "While asking: no [bold]such␛[31m file" in seat.notices


async def test_panes_are_beside_each_other_or_above_each_other(store: Path) -> None:
    async with sitting(store, size=(120, 40)) as seat:
        assert seat.rows.region.y == seat.inbox.card.region.y
        await seat.pilot.resize_terminal(80, 24)
        await seat.settle()
        assert seat.rows.region.bottom <= seat.inbox.card.region.y
        assert seat.here == "note-9"
        await seat.pilot.resize_terminal(120, 40)
        await seat.settle()
        assert seat.rows.region.y == seat.inbox.card.region.y


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_enter_gives_the_card_the_screen_and_decisions_go_on(
    store: Path, size: tuple[int, int]
) -> None:
    async with sitting(store, size=size) as seat:
        await seat.press("enter")
        assert seat.inbox.card.region.width == size[0]
        assert not seat.rows.is_on_screen or not seat.rows.region
        await seat.press("a")
        assert seat.marks == {"note-9": "approve"}
        assert seat.inbox.shown is not None
        assert seat.inbox.shown.record.id == "note-8"
        await seat.press("escape")
        assert seat.rows.has_focus
        assert seat.here == "note-8"


async def test_escape_in_the_inbox_never_leaves_the_app(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("escape", "escape")
        assert not seat.app._exit


async def test_at_80_columns_the_numbers_and_help_are_in_view(store: Path) -> None:
    async with sitting(store, size=(80, 24)) as seat:
        await seat.press("a")
        assert "2/10 pending · 1 marked" in seat.header
        assert seat.footer.rstrip().endswith("? help")


async def test_links_are_followed_and_come_back_without_moving_the_list(store: Path) -> None:
    desk = desk_at(store)
    desk.update_record("note-9", "See [[note-8]] first.")
    desk.close()
    async with sitting(store) as seat:
        await seat.press("tab", "enter")
        assert seat.inbox.shown is not None
        assert seat.inbox.shown.record.id == "note-8"
        await seat.press("a")
        assert seat.marks == {}
        assert "the card shows note-8: esc goes back" in seat.said
        assert seat.here == "note-9"
        await seat.press("left_square_bracket")
        assert seat.inbox.shown.record.id == "note-9"
        await seat.press("right_square_bracket")
        assert seat.inbox.shown.record.id == "note-8"
        await seat.press("escape", "a")
        assert seat.marks == {"note-9": "approve"}
