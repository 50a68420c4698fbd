"""Every screen as it looks at 80x24 and 120x40, dark and light, on the demo store at one moment.

`pytest tests/tui/test_snapshots.py --snapshot-update` draws them again; the pictures open in a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion
from textual._wait import wait_for_idle
from textual.widgets import Input, TextArea

from screenshots.make import Shot, open_empty, open_standing, running
from store.local import LocalDesk
from tests.tui.lean_svg import lean_svg
from tui.actions import Where
from tui.app import InboxApp
from tui.screens.base import DeskScreen


class Picture(SVGImageExtension):
    """Kept as a file that a browser opens."""

    file_extension = "svg"


SIZES = ((80, 24), (120, 40))
THEMES = ("textual-dark", "textual-light")
NO_SCREENS = frozenset({Where.CARD, Where.FILTER})


@dataclass(frozen=True, slots=True)
class View:
    """The keys that lead to what is drawn, and the screen that this is."""

    where: Where
    keys: Sequence[str] = ()
    open_desk: Callable[[Path, datetime], LocalDesk] = open_standing


VIEWS: dict[str, View] = {
    "inbox": View(Where.INBOX, ("a", "r", "s")),
    "inbox-card": View(Where.INBOX, ("j", "j", "j", "enter", "tab")),
    "inbox-filter": View(Where.INBOX, ("slash", *"tide")),
    "inbox-range": View(Where.INBOX, ("v", "j", "j")),
    "inbox-revision": View(Where.INBOX, ("j",)),
    "plan": View(Where.PLAN, ("a", "r", "a", "p")),
    "plan-applied": View(Where.PLAN, ("a", "r", "a", "p", "A")),
    "edit": View(Where.EDIT, ("e",)),
    "browse": View(Where.BROWSE, ("b",)),
    "links": View(Where.LINKS, ("L",)),
    "fix-a-link": View(Where.FIX, ("L", "F")),
    "new-record": View(Where.NEW, ("ctrl+n",)),
    "type-and-scope": View(Where.KIND, ("K", "ctrl+o")),
    "recall": View(Where.RECALL, ("a", "R", "b")),
    "history": View(Where.HISTORY, ("H",)),
    "queue": View(Where.QUEUE, ("Q",)),
    "help": View(Where.HELP, ("question_mark",)),
    "welcome": View(Where.WELCOME, (), open_empty),
    "import": View(Where.IMPORT, ("i",), open_empty),
    "connect": View(Where.CONNECT, ("c",), open_empty),
    "compare": View(Where.COMPARE, ("c",)),
    "merge": View(Where.MERGE, ("c", "m")),
    "quit": View(Where.QUIT, ("a", "q")),
}


def test_every_screen_is_drawn() -> None:
    assert {view.where for view in VIEWS.values()} == set(Where) - NO_SCREENS


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", VIEWS)
async def test_a_screen_looks_as_it_did(
    name: str, size: tuple[int, int], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    view = VIEWS[name]
    shot = Shot(name, tuple(view.keys), size, view.open_desk)
    async with running(shot, tmp_path) as app:
        assert isinstance(app.screen, DeskScreen)
        assert app.screen.WHERE is view.where
        for theme in THEMES:
            picture = await drawn(app, theme)
            assert picture == snapshot(name=theme, extension_class=Picture)


async def drawn(app: InboxApp, theme: str) -> str:
    """Return the screen in a theme, the cursor of what is typed in standing still."""
    app.theme = theme
    for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
        field.cursor_blink = False
    for _ in range(2):
        await wait_for_idle(0)
    return lean_svg(app.screen._compositor.render_strips())
