"""A tour of the whole app on a real terminal: ``python -m tests.doors.tour DIRECTORY``.

Walks through every screen over a hostile store, by keys and pastes, and writes what each one showed to
``seen.json`` in the directory: a mapping of doors to texts. What the terminal received is its reader's.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from store.errors import SourceUnavailable
from store.local import open_desk
from store.provider import Desk
from store.remote import open_provider
from tests.doors.provider import hostile_provider, records
from tests.doors.store import (
    ALL,
    EVERY,
    HOSTILE,
    TARGET,
    TWIN,
    hostile_folder,
    hostile_store,
)
from tests.tui.sitting import NOW, Sitting
from tui.app import InboxApp
from tui.failures import Failure
from tui.screens.kind import KindScreen
from tui.settings import Settings, understand

LINK = f"https://example.test/{HOSTILE[7]}?{HOSTILE[12]}"


class Tour:
    """The app, its pilot, and what was seen so far."""

    def __init__(self, app: InboxApp, pilot: Pilot[None], seen: dict[str, list[str]]) -> None:
        self.app, self.seat, self.seen = app, Sitting(app, pilot), seen

    def look(self, door: str = "") -> None:
        """Keep what is on the screen, under the name of the door or of the screen."""
        strips = self.app.screen._compositor.render_strips()
        text = "\n".join(strip.text for strip in strips)
        self.seen[door or type(self.app.screen).__name__].append(text)

    async def press(self, *keys: str) -> None:
        """Press keys, looking after each."""
        for key in keys:
            await self.seat.press(key)
            self.look()

    async def paste(self, text: str) -> None:
        """Paste as a terminal does."""
        self.app.post_message(events.Paste(text))
        await self.seat.settle()
        self.look()

    async def back(self) -> None:
        """Go back to the inbox, whatever is open."""
        for _ in range(8):
            if self.app.screen is self.seat.inbox:
                return
            await self.seat.press("escape")
        raise AssertionError(f"still in {type(self.app.screen).__name__}")

    async def go_to(self, id: str) -> None:
        """Put the inbox's cursor on a draft."""
        self.seat.inbox.go_to(id)
        await self.seat.settle()
        self.look()


async def read_everything(tour: Tour) -> None:
    """The list, and the card of each draft with all of it unfolded; then the filter."""
    tour.look()
    for _ in range(tour.seat.rows.pages.read):
        await tour.press("j")
    await tour.press("g", "slash")
    await tour.paste("".join(HOSTILE[7:13]))
    await tour.press("escape", "escape")


async def follow_links(tour: Tour) -> None:
    """A link that leads out of the store asks."""
    await tour.go_to("twins")
    await tour.press("l")
    card = tour.seat.inbox.card
    for _ in range(100):
        stop = card.active_stop
        if stop is not None and "example.test" in stop.target:
            break
        await tour.press("tab")
    await tour.press("enter")
    tour.look("a link's target")
    await tour.back()


async def mark_and_plan(tour: Tour) -> None:
    """Marks, their notices, the plan, and the question before leaving."""
    await tour.press("g", "V", "a", "u", "U", "p")
    await tour.press("j", "escape", "q", "escape")
    await tour.press("V", "x", "escape")


async def compare_and_merge(tour: Tour) -> None:
    """Two drafts that are much alike: side by side, line by line, as one."""
    await tour.go_to(TWIN)
    await tour.press("c", "d", "n")
    await tour.back()
    await tour.press("g")
    await tour.go_to(TWIN)
    await tour.press("m", "m")
    await tour.paste(ALL)
    await tour.back()


async def edit(tour: Tour) -> None:
    """Title and text in the editors, and what is pasted there."""
    await tour.go_to(TARGET)
    await tour.press("e")
    await tour.paste(ALL)
    await tour.press("shift+tab")
    await tour.paste("".join(HOSTILE))
    await tour.back()


async def look_around(tour: Tour) -> None:
    """Browser, links, recall, history with the trash, help and palette."""
    await tour.press("b", "j", "j")
    await tour.back()
    await tour.press("L", *"jjjjj")
    await tour.back()
    await tour.press("R", "b", "j", "slash")
    await tour.paste("".join(HOSTILE))
    await tour.back()
    await tour.press("H", *"jjjjj", "G")
    await tour.back()
    await tour.go_to(TWIN)
    await tour.press("Q", "j", "j")
    await tour.back()
    await tour.press("L", "j", "F")
    await tour.paste("".join(HOSTILE))
    await tour.back()
    await tour.press("K")
    await tour.back()
    await tour.press("ctrl+n")
    await tour.paste("".join(HOSTILE))
    await tour.back()
    await tour.press("question_mark")
    await tour.back()
    await tour.press("colon")
    await tour.paste("Filter")
    await tour.paste("".join(HOSTILE[7:12]))
    await tour.back()


async def import_folder(tour: Tour) -> None:
    """A folder whose name and files are hostile, and a path that is pasted."""
    await tour.press("I", "enter", "slash")
    await tour.paste("/tmp/" + "".join(HOSTILE))
    await tour.back()


async def be_told(tour: Tour) -> None:
    """Notices, failures of jobs, and what a job failed at."""
    tour.app.say(ALL, title=HOSTILE[7])
    await tour.seat.settle()
    tour.look("notices")
    tour.app.clear_notifications()
    tour.app.draw(Failure(HOSTILE[8], HOSTILE[7], ALL, HOSTILE[5]))
    await tour.seat.settle()
    tour.look("failures")
    tour.app.clear_notifications()


STEPS: tuple[Callable[[Tour], Awaitable[None]], ...] = (
    read_everything,
    follow_links,
    compare_and_merge,
    edit,
    mark_and_plan,
    look_around,
    import_folder,
    be_told,
)


async def review(tour: Tour) -> None:
    """All that is reached from the inbox."""
    for step in STEPS:
        await step(tour)


async def review_other(tour: Tour) -> None:
    """The drafts of another provider: their ids are hostile, and so are the reasons that it gives."""
    tour.look("ids of another provider")
    await tour.press("j", "V", "a", "p", "j")
    tour.look("a plan over ids of another provider")
    await tour.press("A")
    tour.look("errors of another provider")
    await tour.back()
    # No provider offers it yet; the screen shows whatever id it is given all the same.
    for record in records():
        tour.app.push_screen(KindScreen(record))
        await tour.seat.settle()
        tour.look()
        await tour.back()


async def begin(tour: Tour) -> None:
    """What a newcomer sees: the welcome and the page about agents."""
    tour.look()
    await tour.press("c", "escape")


async def be_refused(tour: Tour) -> None:
    """A store that cannot be opened."""
    tour.look("a store that did not open")


def settings() -> Settings:
    """Settings that are hostile too: names of filters, and mistakes that are quoted."""
    keys = {
        HOSTILE[7]: "y",
        "take_over": "".join(HOSTILE[7].split()),
        "change_back": "[@click=app.bell]x",
    }
    hostile = {"sections": {text: text for text in EVERY}, "keys": keys, HOSTILE[8]: 1}
    return understand(hostile)


def run(
    open_store: Callable[[], Desk],
    name: str,
    walk: Callable[[Tour], Awaitable[None]],
    seen: dict[str, list[str]],
) -> None:
    """Run the app on this terminal and walk."""
    app = InboxApp(
        open_store,
        store_name=name,
        reviewer=HOSTILE[7],
        clock=lambda: NOW,
        look_every=0,
        settings=settings(),
    )
    app.animation_level = "none"

    async def guided(pilot: Pilot[None]) -> None:
        tour = Tour(app, pilot, seen)
        await tour.seat.settle()
        tour.look("settings that were left out")
        try:
            await walk(tour)
        finally:
            app.exit()

    app.run(auto_pilot=guided)
    if app.return_code:
        sys.exit(app.return_code)


def refuse() -> Desk:
    """Open nothing."""
    raise SourceUnavailable(ALL, hint=HOSTILE[7])


def main() -> None:
    """Make the store, walk through the app, and write down what was seen."""
    directory = Path(sys.argv[1])
    os.chdir(directory)
    seen: dict[str, list[str]] = defaultdict(list)
    hostile_folder(directory / ".claude" / "projects")
    store = hostile_store(directory / "inbox.db")
    run(lambda: open_desk(str(store)), HOSTILE[7], review, seen)
    run(lambda: open_desk(str(directory / "empty.db")), HOSTILE[8], begin, seen)
    with hostile_provider(directory / "other.sock") as address:
        run(lambda: open_provider(address), address, review_other, seen)
    run(refuse, HOSTILE[7], be_refused, seen)
    Path("seen.json").write_text(json.dumps(seen), "utf-8")


if __name__ == "__main__":
    main()
