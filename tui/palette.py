"""What the command palette offers: the actions that can run now, and the operator's saved filters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from textual.app import SystemCommand
from textual.screen import Screen

from render.visible import visible
from tui.actions import Group, actions_of, spell_key
from tui.screens.base import DeskScreen
from tui.screens.listing import ListScreen


def commands_of(screen: Screen[Any], sections: Mapping[str, str]) -> Iterable[SystemCommand]:
    """Return the commands of a screen.

    Args:
        sections: filter texts by name.
    """
    if not isinstance(screen, DeskScreen):
        return
    for action in actions_of(screen.WHERE):
        if action.group is not Group.MOVE and screen.unmet(action) is None:
            key = spell_key(screen.inbox.key_of(action))
            title = f"{action.label[:1].upper()}{action.label[1:]}"
            yield SystemCommand(
                f"{title}  ({key})", action.help, partial(screen.action_act, action.id)
            )
    if isinstance(screen, ListScreen):
        for name, text in sections.items():
            run = partial(screen.filter_by, text)
            yield SystemCommand(f"Filter: {_literal(name)}", _literal(text), run)


def _literal(text: str) -> str:
    """Return text that the palette, which reads markup, shows as it is."""
    return visible(text).replace("[", r"\[")
