"""The help as trees: what the keys do here, and what the signs and filters mean. No app needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from render.tree import Group, Node, Table, Text, TextStyle
from tui.actions import Action, Where, actions_of, spell_keys
from tui.actions import Group as Section
from tui.marks import SIGNS, Mark

KeysOf = Callable[[Action], tuple[str, ...]]
"""Returns the keys of an action as the keymap has them, by Textual's names."""

_WITH_CARD = frozenset({Where.INBOX, Where.BROWSE})

_KEYS = 14  # cells: the sections share one edge

_SIGNS = (
    (SIGNS[Mark.APPROVE], "will be approved"),
    (SIGNS[Mark.REJECT], "will be rejected"),
    (SIGNS[Mark.SKIP], "left for later"),
    (SIGNS[Mark.HELD], "left out of a bulk approval: look at it first"),
    ("!", "flagged: the card says why"),
    ("Δ", "a pending revision of an approved record"),
    ("+", "a draft, where approved records are listed too"),
)

_FILTERS = (
    ("words", "all of them must occur, in any order"),
    ("type:feedback", "or user, project, reference; a beginning is enough"),
    ("scope:project", "or session, global"),
    ("status:pending", "or canonical"),
    ("from:01KB9", "part of a session, or of the door that wrote"),
    ("older:7d newer:2h", "by age: m, h, d, w"),
    ("has:warning", "or revision"),
    ("link:oncall-rota", "texts that link there"),
    ("about:oncall-rota", "what changes it, links there or is named like it"),
)


def default_keys(action: Action) -> tuple[str, ...]:
    """Return the keys of an action as the table has them."""
    return action.key_names


def keys_here(where: Where, keys_of: KeysOf = default_keys) -> Group:
    """Return the keys of a screen, in sections."""
    return Group(tuple(_sections(actions_of(where), keys_of)))


def keys_and_words(where: Where, keys_of: KeysOf = default_keys) -> Group:
    """Return what helps beyond the screen's own keys: the card's keys, the signs, the filters."""
    parts: list[Node] = []
    if where in _WITH_CARD:
        parts += _section("In the card", _rows(actions_of(Where.CARD), keys_of))
        parts += _section("Signs in the list", _SIGNS)
        parts += _section("In the filter", _FILTERS)
    return Group(tuple(parts))


def _sections(offered: Iterable[Action], keys_of: KeysOf) -> Iterable[Node]:
    offered = tuple(offered)
    for group in Section:
        rows = _rows((action for action in offered if action.group is group), keys_of)
        if rows:
            yield from _section(group, rows)


def _rows(offered: Iterable[Action], keys_of: KeysOf) -> tuple[tuple[str, str], ...]:
    return tuple((f"{spell_keys(keys_of(action)):{_KEYS}}", action.help) for action in offered)


def _section(title: str, rows: tuple[tuple[str, str], ...]) -> tuple[Node, Node]:
    return Group((Text(title, TextStyle.BOLD),)), Table((), rows)
