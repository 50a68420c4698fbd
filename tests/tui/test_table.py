"""One table of actions: what it says is so on every screen."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tui.screens
from tui.actions import ACTIONS, Action, Group, Where, actions_of, bindings_of, footer_of, spell_key
from tui.bars import Key, fit_keys
from tui.detail import Card
from tui.filter_bar import FilterBar
from tui.screens.base import DeskScreen


def _screens(base: type[DeskScreen] = DeskScreen) -> Iterator[type[DeskScreen]]:
    for info in pkgutil.iter_modules(tui.screens.__path__):
        importlib.import_module(f"tui.screens.{info.name}")
    for screen in base.__subclasses__():
        yield screen
        yield from _screens(screen)


PLACES: dict[Where, type] = {Where.CARD: Card, Where.FILTER: FilterBar} | {
    screen.WHERE: screen for screen in _screens() if hasattr(screen, "WHERE")
}


def test_ids_are_unique() -> None:
    assert [id for id, count in Counter(a.id for a in ACTIONS).items() if count > 1] == []


@pytest.mark.parametrize("where", list(Where))
def test_a_key_does_one_thing_on_a_screen(where: Where) -> None:
    keys = Counter(key for action in actions_of(where) for key in action.key_names)
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("where", list(PLACES))
def test_every_action_of_a_screen_has_its_method(where: Where) -> None:
    missing = [a.id for a in actions_of(where) if not hasattr(PLACES[where], f"do_{a.id}")]
    assert missing == []


@pytest.mark.parametrize("where", list(PLACES))
def test_every_method_of_a_screen_is_an_action(where: Where) -> None:
    known = {f"do_{action.id}" for action in ACTIONS}
    assert [
        name for name in dir(PLACES[where]) if name.startswith("do_") and name not in known
    ] == []


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_help_is_one_sentence_and_the_label_is_short(action: Action) -> None:
    assert action.help.endswith(".")
    assert action.help[0].isupper()
    assert len(action.label) <= 20
    assert action.where


@pytest.mark.parametrize("where", list(Where))
def test_bindings_carry_the_ids_that_keymaps_use(where: Where) -> None:
    assert [b.id for b in bindings_of(where)] == [a.id for a in actions_of(where) if a.keys]


def test_no_key_that_decides_also_confirms() -> None:
    deciding = {
        key
        for action in actions_of(Where.INBOX)
        if action.group is Group.DECIDE
        for key in action.key_names
    }
    confirming = {
        key for action in ACTIONS if action.id in {"apply", "leave"} for key in action.key_names
    }
    assert deciding.isdisjoint(confirming)


def test_the_footer_begins_with_what_is_needed_most() -> None:
    assert [action.id for action in footer_of(Where.INBOX)][:4] == [
        "approve",
        "reject",
        "skip",
        "plan",
    ]
    assert footer_of(Where.INBOX)[-1].id == "help"


@pytest.mark.parametrize(
    ("key", "spelled"),
    [
        ("question_mark", "?"),
        ("ctrl+r", "^r"),
        ("U", "U"),
        ("slash", "/"),
        ("shift+tab", "shift+tab"),
    ],
)
def test_keys_are_spelled_as_people_write_them(key: str, spelled: str) -> None:
    assert spell_key(key) == spelled


@given(
    st.lists(
        st.builds(
            Key, st.just("x"), st.text("ab", max_size=5), st.text("cd", max_size=12), st.booleans()
        )
    ),
    st.integers(0, 200),
)
def test_the_footer_keeps_help_and_never_more_than_fits(keys: list[Key], width: int) -> None:
    shown = fit_keys(keys, width)
    assert shown[-1:] == tuple(keys[-1:])
    assert sum(key.width for key in shown) <= max(width, shown[-1].width if shown else 0)
    assert list(shown[:-1]) == keys[: max(len(shown) - 1, 0)]
