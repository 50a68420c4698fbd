"""The one table of what an operator can do: keys, words and conditions of every action.

The footer, the help screen, the command palette, the keymap file and `docs/keys.md` read this table, so a
key is written down once. A screen named in a row has a method ``do_<id>`` (see `tui.screens.base`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding


class Where(StrEnum):
    """The screens that have actions, by the name a reader of the help sees."""

    INBOX = "inbox"
    PLAN = "plan"
    EDIT = "edit"
    BROWSE = "browse"
    HELP = "help"
    WELCOME = "welcome"


class Group(StrEnum):
    """The sections of the help screen, in its order."""

    DECIDE = "Decide"
    MOVE = "Move"
    READ = "Read"
    FIND = "Find"
    ACT = "Act"
    APP = "The app"


class Need(StrEnum):
    """What must hold for an action; the value is what the operator is told when it does not."""

    DESK = "the store is still opening"
    ROW = "no record under the cursor"
    CARD = "this draft is still being read"
    MARK = "nothing is marked here"
    MARKS = "nothing is marked yet"
    UNDO = "nothing to undo"
    REDO = "nothing to redo"
    READY = "nothing in the plan can be applied"
    FILTER = "no filter is set"
    WRITES = "the store is open read-only"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do.

    Args:
        id: names the binding (keymap files use it) and the method ``do_<id>`` of its screens.
        keys: Textual key names, the one that the footer shows first; empty for palette only.
        label: one or two words for the footer.
        help: one sentence for the help screen, the palette and the docs.
        group: the section of the help screen.
        where: the screens that offer it.
        needs: what must hold; asked of the screen before the action runs.
        footer: its place in the footer from 1, where small numbers survive a narrow terminal; 0 keeps it out.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: Group
    where: frozenset[Where]
    needs: tuple[Need, ...] = ()
    footer: int = 0


_INBOX = frozenset({Where.INBOX})
_PLAN = frozenset({Where.PLAN})
_LISTS = frozenset({Where.INBOX, Where.BROWSE})
_ROWS = frozenset({Where.INBOX, Where.BROWSE, Where.PLAN})
_CALLED = frozenset({Where.PLAN, Where.BROWSE, Where.HELP, Where.WELCOME})
_ALL = frozenset(Where)

ACTIONS: tuple[Action, ...] = (
    Action(
        "approve",
        ("a",),
        "approve",
        "Mark the draft for approval and go to the next undecided one.",
        Group.DECIDE,
        _INBOX,
        (Need.ROW, Need.CARD),
        footer=1,
    ),
    Action(
        "reject",
        ("r",),
        "reject",
        "Mark the draft for rejection and go to the next undecided one.",
        Group.DECIDE,
        _INBOX,
        (Need.ROW, Need.CARD),
        footer=2,
    ),
    Action(
        "skip",
        ("s",),
        "skip",
        "Leave the draft for later and go to the next undecided one.",
        Group.DECIDE,
        _INBOX,
        (Need.ROW,),
        footer=3,
    ),
    Action(
        "unmark",
        ("x",),
        "unmark",
        "Take the mark of this draft away.",
        Group.DECIDE,
        _INBOX,
        (Need.ROW, Need.MARK),
    ),
    Action(
        "undo",
        ("u",),
        "undo",
        "Take back the last mark or edit; as often as you like until you apply.",
        Group.DECIDE,
        _INBOX,
        (Need.UNDO,),
        footer=5,
    ),
    Action(
        "redo",
        ("U", "ctrl+r"),
        "redo",
        "Do again what was last undone.",
        Group.DECIDE,
        _INBOX,
        (Need.REDO,),
    ),
    Action(
        "plan",
        ("p",),
        "plan",
        "See exactly what the marks will do, before anything is done.",
        Group.DECIDE,
        _INBOX,
        (Need.DESK, Need.MARKS),
        footer=4,
    ),
    Action(
        "apply",
        ("A",),
        "apply",
        "Do what the plan says, one by one; what fails keeps its mark and says why.",
        Group.DECIDE,
        _PLAN,
        (Need.READY,),
        footer=1,
    ),
    Action("down", ("j", "down"), "down", "Next row.", Group.MOVE, _ROWS),
    Action("up", ("k", "up"), "up", "Row before.", Group.MOVE, _ROWS),
    Action(
        "page_down", ("ctrl+d", "pagedown"), "page down", "A screen of rows on.", Group.MOVE, _ROWS
    ),
    Action("page_up", ("ctrl+u", "pageup"), "page up", "A screen of rows back.", Group.MOVE, _ROWS),
    Action("first", ("g", "home"), "first", "First row.", Group.MOVE, _ROWS),
    Action("last", ("G", "end"), "last", "Last row.", Group.MOVE, _ROWS),
    Action(
        "next_undecided",
        ("n",),
        "next",
        "Next draft without a mark.",
        Group.MOVE,
        _INBOX,
        (Need.ROW,),
    ),
    Action(
        "previous_undecided",
        ("N",),
        "previous",
        "Draft without a mark before this one.",
        Group.MOVE,
        _INBOX,
        (Need.ROW,),
    ),
    Action(
        "open",
        ("enter",),
        "open",
        "Give the card the whole screen; again or escape gives it back.",
        Group.READ,
        _ROWS,
        (Need.ROW,),
        footer=6,
    ),
    Action(
        "card",
        ("l", "right"),
        "to the card",
        "Go into the card: scroll it, walk its links with tab.",
        Group.READ,
        _LISTS,
        (Need.ROW,),
    ),
    Action("list", ("h", "left"), "to the list", "Go back to the list.", Group.READ, _LISTS),
    Action(
        "filter",
        ("slash",),
        "filter",
        "Show only what has these words: type:, scope: and status: narrow further.",
        Group.FIND,
        _LISTS,
        footer=7,
    ),
    Action(
        "browse",
        ("b",),
        "browse",
        "All records, canonical ones too.",
        Group.FIND,
        _INBOX,
        (Need.DESK,),
        footer=8,
    ),
    Action(
        "refresh",
        ("f5",),
        "refresh",
        "Read the list from the store again.",
        Group.FIND,
        _LISTS,
        (Need.DESK,),
    ),
    Action(
        "help",
        ("question_mark", "f1"),
        "help",
        "What the keys do here.",
        Group.APP,
        _ALL - {Where.EDIT},
        footer=9,
    ),
    Action(
        "back",
        ("escape",),
        "back",
        "Leave what is open: the filter, the card, the screen.",
        Group.APP,
        _ALL,
        footer=8,
    ),
    Action(
        "quit",
        ("q",),
        "quit",
        "Leave; asks first when marks are not applied.",
        Group.APP,
        _ALL - {Where.EDIT},
    ),
)
"""Every action, in the order of the help screen within its group."""

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}


def actions_of(where: Where) -> tuple[Action, ...]:
    """Return a screen's actions in the table's order."""
    return tuple(action for action in ACTIONS if where in action.where)


def bindings_of(where: Where) -> list[Binding]:
    """Return Textual bindings for a screen: all lead to its ``action_act``, each with its action's id."""
    return [
        Binding(
            ",".join(action.keys),
            f"act('{action.id}')",
            action.label,
            id=action.id,
            tooltip=action.help,
            show=bool(action.footer),
        )
        for action in actions_of(where)
        if action.keys
    ]


def footer_of(where: Where) -> tuple[Action, ...]:
    """Return what the footer of a screen may show, most needed first."""
    shown = (action for action in actions_of(where) if action.footer)
    return tuple(sorted(shown, key=lambda action: action.footer))


_SPOKEN = {
    "question_mark": "?",
    "slash": "/",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "space": "space",
    "asterisk": "*",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}


def spell_key(key: str) -> str:
    """Return a Textual key name as people write it: ``question_mark`` is ``?``, ``ctrl+r`` is ``^r``."""
    *modifiers, last = key.split("+")
    last = _SPOKEN.get(last, last)
    return "".join("^" if name == "ctrl" else f"{name}+" for name in modifiers) + last


def spell_keys(keys: Iterable[str]) -> str:
    """Return several keys as people write them, with blanks between."""
    return " ".join(spell_key(key) for key in keys)
