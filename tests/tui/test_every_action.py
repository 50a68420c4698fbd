"""Every action of the table: its key does something, the mouse does the same, undo takes it back.

An action that is added without a scene here fails the first test.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual import events
from textual.command import CommandList
from textual.screen import Screen
from textual.widgets import Input

from store.local import LocalDesk
from tests.tui import test_claims, test_editing, test_grouping, test_leaving
from tests.tui.sitting import Sitting, sitting
from tests.tui.test_browsing import demo, reopened, told_once
from tui.actions import ACTIONS, BY_ID, Action, Group, Where, spell_key
from tui.bars import KeyBar
from tui.detail import Card
from tui.line_list import LineList
from tui.palette import commands_of
from tui.screens.base import DeskScreen

__all__ = ["demo", "told_once"]  # fixtures

MEMORIES = Path(__file__).parent.parent / "cases/import/claude-basic"
SIZE = (220, 44)  # wide enough for most of the footer


@dataclass(frozen=True, slots=True)
class Scene:
    """Where an action does something.

    Args:
        keys: from the inbox of the demo store to there.
        undo: keys after which marks and records are what they were; none where nothing is to be undone.
        empty: the store is empty, which opens the welcome.
    """

    keys: Sequence[str] = ()
    undo: Sequence[str] = ()
    empty: bool = False


_LISTED = ("b", "slash", *"sandbox", "enter")
_FIX = ("L", "F")
_NEW = ("ctrl+n", *"Tide", "tab", "x")
_EDIT = ("e", "x")
_COMPARE = ("slash", *"glossary", "enter")
_WAY = ("tab", "tab", "enter")  # along a link

SCENES: dict[str, Scene] = {
    "approve": Scene((), ("u",)),
    "reject": Scene((), ("u",)),
    "skip": Scene((), ("u",)),
    "unmark": Scene(("a", "g"), ("u",)),
    "undo": Scene(("a",), ("U",)),
    "redo": Scene(("a", "u"), ("u",)),
    "range": Scene((), ("escape",)),
    "select_all": Scene((), ("escape",)),
    "plan": Scene(("a",), ("escape",)),
    "apply": Scene(("a", "p"), ("Z", "escape", "g", "a")),
    "take_back": Scene(("a", "p", "A", "escape")),
    "edit": Scene((), ("escape",)),
    "save": Scene(_EDIT, ("u",)),
    "save_and_approve": Scene(_EDIT, ("u",)),
    "compare": Scene((), ("escape",)),
    "merge": Scene(("c",), ("escape",)),
    "save_merge": Scene(("c", "m", "x"), ("escape", "u")),
    "differences": Scene(("c",), ("d",)),
    "fix_link": Scene((), ("escape",)),
    "apply_fix": Scene(_FIX, ("u",)),
    "undo_fix": Scene((*_FIX, "A")),
    "other_name": Scene(_FIX, ("escape",)),
    "new": Scene((), ("escape",)),
    "save_new": Scene(_NEW),
    "save_new_and_approve": Scene(_NEW),
    "next_type": Scene(("K",), ("escape",)),
    "next_scope": Scene(("K",), ("escape",)),
    "kind": Scene((), ("escape",)),
    "apply_kind": Scene(("K", "ctrl+o"), ("ctrl+z",)),
    "delete": Scene(("b", "slash", *"status:c sandbox", "enter"), ("ctrl+z",)),
    "change_back": Scene(("K", "ctrl+o", "A")),
    "restore": Scene(("H",)),
    "open": Scene((), ("escape",)),
    "show_draft": Scene(("j", "a", "p")),
    "card": Scene((), ("escape",)),
    "links": Scene((), ("escape",)),
    "list": Scene(("l",)),
    "link_back": Scene(_WAY, ("right_square_bracket",)),
    "link_forward": Scene((*_WAY, "left_square_bracket"), ("left_square_bracket",)),
    "next_link": Scene(("l",)),
    "follow": Scene(("tab", "tab"), ("left_square_bracket",)),
    "jump": Scene(("l",), ("escape",)),
    "filter": Scene((), ("escape",)),
    "keep_filter": Scene(("slash", "x")),
    "clear_filter": Scene(("slash", "x")),
    "complete_filter": Scene(("slash", "t", "y"), ("escape",)),
    "same_session": Scene((), ("o",)),
    "same_target": Scene((), ("t",)),
    "browse": Scene((), ("escape",)),
    "show_links": Scene((), ("escape",)),
    "show_recall": Scene((), ("escape",)),
    "show_history": Scene((), ("escape",)),
    "show_queue": Scene((), ("escape",)),
    "show_import": Scene((), ("escape",)),
    "show_these": Scene(("Q",), ("escape",)),
    "ask": Scene(("R",), ("escape",)),
    "after_marks": Scene(("a", "R"), ("b",)),
    "with_drafts": Scene(("R",), ("d",)),
    "try_demo": Scene(empty=True),
    "find_folders": Scene(empty=True, undo=("escape",)),
    "connect": Scene(empty=True, undo=("escape",)),
    "start": Scene(("j", "j"), empty=True, undo=("escape",)),
    "other_folder": Scene(("I",), ("escape",)),
    "import_now": Scene(("I", "slash", "ctrl+u", "MEMORIES", "enter")),
    "help": Scene((), ("escape",)),
    "palette": Scene((), ("escape",)),
    "back": Scene(("b",)),
    "quit": Scene(("a",), ("escape",)),
}

POINTED = frozenset(
    {
        *(
            "down",
            "up",
            "page_down",
            "page_up",
            "first",
            "last",
            "next_undecided",
            "previous_undecided",
        ),
        *("next_near", "previous_near", "previous_link"),
        *("line_down", "line_up", "screen_down", "screen_up", "top", "bottom"),
    }
)
"""Moving: keys go step by step, the mouse goes there or turns its wheel; see the last tests."""

ELSEWHERE = {
    "take_over": test_claims.test_an_expired_claim_has_to_be_taken_over_before_the_draft_can_be_marked,
    "edit_outside": test_editing.test_the_operators_editor_changes_title_and_text,
    "secrets": test_grouping.test_secrets_are_shown_when_asked_for_and_masked_again_by_the_next_card,
    "refresh": test_grouping.test_groups_are_found_in_the_browser_too,
    "leave": test_leaving.test_quit_asks_with_unapplied_marks_and_another_key_confirms,
}
"""Actions that need more than the demo store: an editor, another operator, a secret, an end."""


def test_every_action_has_a_scene() -> None:
    seen = [*SCENES, *POINTED, *ELSEWHERE]
    assert sorted(seen) == sorted(action.id for action in ACTIONS)


def state(seat: Sitting, path: Path) -> dict[str, object]:
    """Return what there is to be changed: where one is, the marks, the records."""
    screen = seat.app.screen
    fields = {box.id: box.value for box in screen.query(Input)}
    lists = [(rows.id, rows.cursor, rows.selection) for rows in screen.query(LineList)]
    cards = [
        (card.id, str(card.border_title), card.scroll_offset.y, card.active_stop, bool(card._jumps))
        for card in screen.query(Card)
    ]
    inside = "-card-full" if screen.has_class("-card-full") else ""
    return {
        "screen": [type(each).__name__ for each in seat.app.screen_stack],
        "focus": getattr(seat.app.focused, "id", None),
        "inside": (fields, lists, cards, inside),
        "header": seat.header if screen.query("TopBar") else "",
        "kept": kept(seat, path),
    }


def kept(seat: Sitting, path: Path) -> object:
    """Return the marks, and what the store at hand holds."""
    desk = seat.app.desk
    assert desk is not None
    records = desk.list_records(page_size=500).records
    told = sorted(
        (r.id, str(r.status), str(r.type), str(r.scope), r.title, r.content) for r in records
    )
    return seat.marks, told


async def go(seat: Sitting, scene: Scene) -> None:
    for key in scene.keys:
        if key == "MEMORIES":
            seat.app.screen.query_one(Input).value = str(MEMORIES)
            await seat.settle()
        else:
            await seat.press("space" if key == " " else "colon" if key == ":" else key)


def screen_text(screen: Screen[object]) -> str:
    strips = screen._compositor.render_strips()
    return "\n".join("".join(run.text for run in strip) for strip in strips)


async def click(seat: Sitting, action: Action) -> None:
    """Click an action in the footer, else in the command palette."""
    bar = seat.app.screen.query_one(KeyBar)
    if any(key.action == action.id for key in bar.drawn()):
        await seat.click_key(action.id)
        return
    end = f"({spell_key(action.key_names[0])})"
    offered = [command.title for command in commands_of(seat.app.screen, {})]
    label = next(title for title in offered if title.endswith(end))
    await seat.press("ctrl+p")
    seat.app.screen.query_one(Input).value = label
    await seat.settle()
    found = seat.app.screen.query_one(CommandList)
    while not found.option_count:
        await seat.pilot.pause()
    await seat.pilot.click(found, offset=(4, 1))
    await seat.settle()


def opened(path: Path, scene: Scene) -> LocalDesk:
    if scene.empty:
        desk = LocalDesk(str(path))
        desk.open()
        return desk
    return reopened(path)


@pytest.mark.parametrize("id", SCENES)
async def test_a_key_does_it_the_mouse_does_the_same_and_undo_takes_it_back(
    id: str, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    action, scene = BY_ID[id], SCENES[id]
    paths = [tmp_path / "keys.db", tmp_path / "mouse.db"]
    if not scene.empty:
        for path in paths:
            shutil.copy(demo, path)
    by_key, by_mouse = paths

    async with sitting(by_key, size=SIZE, open_desk=lambda: opened(by_key, scene)) as seat:
        await go(seat, scene)
        before = state(seat, by_key)
        screen = seat.app.screen
        assert isinstance(screen, DeskScreen)
        assert screen.unmet(action) is None
        shown = screen_text(screen)
        await seat.press(action.key_names[0])
        after = state(seat, by_key)
        assert after != before or screen_text(seat.app.screen) != shown
        if scene.undo:
            await seat.press(*scene.undo)
            assert kept(seat, by_key) == before["kept"]

    async with sitting(by_mouse, size=SIZE, open_desk=lambda: opened(by_mouse, scene)) as seat:
        await go(seat, scene)
        assert state(seat, by_mouse) == before
        if id == "palette":
            return  # no mouse opens the palette: all that it offers has a place of its own or a key
        await click(seat, action)
        assert state(seat, by_mouse) == after


async def test_a_click_moves_to_a_row_and_the_wheel_scrolls_what_is_under_it(demo: Path) -> None:
    async with sitting(demo, size=(100, 24), open_desk=lambda: reopened(demo)) as seat:
        await seat.click_row(3)
        assert seat.rows.cursor == 3
        for widget in (seat.rows, seat.inbox.card):
            assert widget.scroll_offset.y == 0
            await seat.pilot._post_mouse_events([events.MouseScrollDown], widget)
            await seat.settle()
            assert widget.scroll_offset.y > 0
            await seat.pilot._post_mouse_events([events.MouseScrollUp], widget)
            await seat.settle()
            assert widget.scroll_offset.y == 0
        assert seat.rows.cursor == 3


@pytest.mark.parametrize("action", [a for a in ACTIONS if a.id in POINTED], ids=lambda a: a.id)
def test_moving_is_what_the_palette_leaves_out(action: Action) -> None:
    assert action.group is Group.MOVE or action.where == {Where.CARD}
