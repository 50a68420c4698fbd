"""A sitting at the inbox in a test: a real store, the app under a pilot, a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot
from textual.worker import WorkerCancelled, WorkerFailed, WorkerState

from store import local
from store.clock import to_micros
from store.local import LocalDesk
from store.provider import Desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin
from tui.app import InboxApp
from tui.bars import KeyBar, TopBar
from tui.inbox_list import RowList
from tui.keeping import Keeper
from tui.marks import Mark
from tui.screens.inbox import InboxScreen
from tui.settings import DEFAULTS, Settings

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
AGENT = Origin("memory.remember", session_id="01JB6Z", project_root="/home/ann/acme")


def desk_at(path: Path, moment: datetime = NOW) -> LocalDesk:
    """Open a desk whose clock stands still."""
    desk = local.open_desk(str(path), reviewer="ann")
    desk.clock = lambda: to_micros(moment)
    return desk


def draft(number: int, content: str = "", scope: MemoryScope = MemoryScope.PROJECT) -> NewRecord:
    """Return a draft for the store; its id is ``note-<number>``."""
    types = list(MemoryType)
    return NewRecord(
        types[number % len(types)],
        scope,
        f"Note {number}",
        content or f"What note {number} says.",
    )


def fill(path: Path, drafts: Iterable[NewRecord], end: datetime = NOW) -> None:
    """Write drafts an hour apart, the last one an hour ago: it is the first of the list."""
    new = list(drafts)
    desk = desk_at(path)
    for place, item in enumerate(new):
        moment = end - timedelta(hours=len(new) - place)
        desk.clock = lambda moment=moment: to_micros(moment)
        desk.record(item, AGENT)
    desk.close()


@dataclass
class Sitting:
    """The app and its pilot."""

    app: InboxApp
    pilot: Pilot[None]

    @property
    def inbox(self) -> InboxScreen:
        """The inbox, wherever in the stack it is."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, InboxScreen)
        return screen

    @property
    def rows(self) -> RowList:
        return self.inbox.rows

    @property
    def here(self) -> str:
        """The id under the cursor."""
        assert self.rows.row is not None
        return self.rows.row.id

    @property
    def marks(self) -> dict[str, str]:
        """Ids and the words of their marks."""
        return {marked.id: str(marked.mark) for marked in self.app.marks}

    @property
    def ids(self) -> list[str]:
        """The ids of all rows that were read."""
        return [self.rows.pages.id(line) for line in range(self.rows.pages.read)]

    @property
    def header(self) -> str:
        return str(self.app.screen.query_one(TopBar).render())

    @property
    def footer(self) -> str:
        return str(self.app.screen.query_one(KeyBar).render())

    @property
    def said(self) -> str:
        """What the list's border says."""
        return str(self.rows.border_subtitle or "")

    @property
    def notices(self) -> list[str]:
        return [notice.message for notice in self.app._notifications]

    async def settle(self) -> None:
        """Wait until nothing runs and nothing is left to be handled."""
        while True:
            await self.pilot.pause()
            busy = [
                worker
                for worker in self.app.workers
                if worker.state in {WorkerState.PENDING, WorkerState.RUNNING}
            ]
            if not busy:
                await self.pilot.pause()
                return
            for worker in busy:
                with suppress(WorkerFailed, WorkerCancelled):
                    await worker.wait()

    async def press(self, *keys: str) -> None:
        """Press keys one by one, as somebody who waits to see what each one does."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Type text."""
        names = {" ": "space", ":": "colon", "/": "slash", "-": "minus"}
        for character in text:
            await self.pilot.press(names.get(character, character))
        await self.settle()

    async def click_row(self, line: int, column: int = 10, times: int = 1) -> None:
        """Click a line of the list that is in view, at a column inside its border."""
        y = line - self.rows.scroll_offset.y + 1
        await self.pilot.click(self.rows, offset=(column + 1, y), times=times)
        await self.settle()

    async def click_key(self, action: str) -> None:
        """Click an action in the footer."""
        bar = self.app.screen.query_one(KeyBar)
        x = bar.styles.padding.left
        for key in bar.drawn():
            if key.action == action:
                await self.pilot.click(bar, offset=(x, 0))
                await self.settle()
                return
            x += key.width
        raise AssertionError(f"{action} is not in the footer: {self.footer}")

    def mark_of(self, id: str) -> Mark | None:
        marked = self.app.marks.get(id)
        return marked.mark if marked else None


@asynccontextmanager
async def sitting(
    path: Path,
    *,
    size: tuple[int, int] = (120, 40),
    keeper: Keeper | None = None,
    open_desk: Callable[[], Desk] | None = None,
    settings: Settings = DEFAULTS,
) -> AsyncIterator[Sitting]:
    """Sit down at a store: the app has opened it and read the first drafts."""
    app = InboxApp(
        open_desk or (lambda: desk_at(path)),
        store_name="test.db",
        clock=lambda: NOW,
        keeper=keeper,
        look_every=0,
        settings=settings,
    )
    async with app.run_test(size=size) as pilot:
        seat = Sitting(app, pilot)
        await seat.settle()
        yield seat
