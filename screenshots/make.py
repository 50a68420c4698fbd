"""Draws the screenshots of this directory from the real app on the demo store, by key presses alone.

    python screenshots/make.py            draw them all
    python screenshots/make.py inbox      draw those named
    python screenshots/make.py --check    say which are not what the app draws now; exit code 1 if any

Nothing in them depends on when or where they are drawn: the clock stands still, the store is made on the
spot, and the SVG names no font server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import html
import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from rich.cells import cell_len
from textual.pilot import Pilot

from store.local import LocalDesk
from tui.app import InboxApp
from tui.demo import PROJECT_ROOT, REVIEWER
from tui.demo.opening import open_demo

HERE = Path(__file__).resolve().parent
MEMORIES = HERE.parent / "tests" / "cases" / "import" / "claude-basic"
MONDAY = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)
FONTS = '"Fira Code", "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace'
CELL = 12.2  # width of a cell in the SVG's own units
WIDE, SMALL = (120, 40), (80, 24)


def open_standing(directory: Path, now: datetime) -> LocalDesk:
    """Open the demo store with its clock standing still."""
    return open_demo(directory, now, standing=True)


def open_empty(directory: Path, now: datetime) -> LocalDesk:
    """Open a store in which nothing is yet."""
    desk = LocalDesk(str(directory / "inbox.db"))
    desk.open()
    return desk


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the keys that lead to it, and how large the terminal is."""

    name: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = WIDE
    open_desk: Callable[[Path, datetime], LocalDesk] = open_standing
    theme: str = "textual-dark"


_MARKED = ("a", "a", "a", "s", "a", "r", "a")

_BACK_ON_TOP = ("j", "a", "a", "s", "a", "r", "g")
_CLEARED = ("backspace",) * 4

SHOTS = (
    Shot("inbox", _BACK_ON_TOP),
    Shot("inbox-80x24", _BACK_ON_TOP, SMALL),
    Shot("inbox-light", _BACK_ON_TOP, theme="textual-light"),
    Shot("card-links", ("tab", "tab")),
    Shot("revision", ("j",)),
    Shot("warnings", ("j", "j", "j")),
    Shot("plan", (*_MARKED, "p")),
    Shot("browse", ("b", "slash", *"deploy", "enter", "j")),
    Shot("links", ("L", "j", "j")),
    Shot(
        "recall",
        (
            "j",
            "R",
            "slash",
            "tab",
            "tab",
            "backspace",
            "backspace",
            "backspace",
            "backspace",
            *"400",
            "enter",
        ),
    ),
    Shot("history", ("H",)),
    Shot("queue", ("Q",)),
    Shot("fix-a-link", ("L", "F")),
    Shot("type-and-scope", ("K", "ctrl+o")),
    Shot("help", ("question_mark",)),
    Shot("empty-state", (), WIDE, open_empty),
    Shot("import", ("i",), WIDE, open_empty),
    Shot("connect", ("c",), WIDE, open_empty),
)


@asynccontextmanager
async def running(shot: Shot, directory: Path, theme: str | None = None) -> AsyncIterator[InboxApp]:
    """Run the app up to where a shot is taken.

    Args:
        directory: an empty one, for the store and for the home directory that the app sees.
        theme: instead of the shot's own.
    """
    home = directory / "home"
    shutil.copytree(MEMORIES, home / ".claude/projects/-home-maren-code-ferryline/memory")
    with patch.dict(os.environ, HOME=str(home)), contextlib.chdir(home):
        app = InboxApp(
            lambda: shot.open_desk(directory, MONDAY),
            store_name=PROJECT_ROOT.replace("/home/maren", "~"),
            reviewer=REVIEWER,
            clock=lambda: MONDAY,
            look_every=0,
        )
        app.animation_level = "none"
        async with app.run_test(size=shot.size) as pilot:
            app.theme = theme or shot.theme
            await settle(app, pilot)
            for key in shot.keys:
                await pilot.press(key)
                await settle(app, pilot)
            yield app


async def draw(shot: Shot, directory: Path) -> str:
    """Return the SVG of a shot; ``directory`` as in `running`."""
    async with running(shot, directory) as app:
        return clean(app.export_screenshot())


async def settle(app: InboxApp, pilot: Pilot[None]) -> None:
    """Wait until the app has nothing more to do."""
    for _ in range(3):
        await app.workers.wait_for_complete()
        await pilot.pause()


def clean(svg: str) -> str:
    """Take out of an SVG what differs from one drawing to the next, and every address."""
    svg = re.sub(r"\s*<!--.*?-->", "", svg)
    svg = re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = svg.replace("font-family: Fira Code, monospace", f"font-family: {FONTS}")
    svg = re.sub(r'textLength="[\d.]+"([^>]*)>([^<]*)<', _measured, svg)
    return re.sub(r"[ \t]+\n", "\n", svg).rstrip() + "\n"


def _measured(text: re.Match[str]) -> str:
    """Give a text the length of its cells: the exporter counts characters, which squeezes wide ones."""
    cells = cell_len(html.unescape(text[2]))
    return f'textLength="{round(cells * CELL, 1):g}"{text[1]}>{text[2]}<'


def main(arguments: list[str]) -> int:
    """Draw or check; returns the exit code."""
    parser = argparse.ArgumentParser(description="Draw the screenshots.")
    parser.add_argument("names", nargs="*", help="those to draw; all when none is named")
    parser.add_argument("--check", action="store_true", help="only say which are out of date")
    parser.add_argument("--to", type=Path, default=HERE, help="another directory")
    options = parser.parse_args(arguments)
    stale = []
    for shot in SHOTS:
        if options.names and shot.name not in options.names:
            continue
        path = options.to / f"{shot.name}.svg"
        with tempfile.TemporaryDirectory() as name:
            svg = asyncio.run(draw(shot, Path(name)))
        if options.check:
            if not path.exists() or path.read_text(encoding="utf-8") != svg:
                stale.append(path.name)
        else:
            path.write_text(svg, encoding="utf-8")
    if stale:
        print(f"out of date: {', '.join(stale)}; make screenshots draws them", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
