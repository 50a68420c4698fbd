"""The help: what the keys do where one came from, on one screen, made from the table of actions."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from render.tree import Group
from tui.actions import Action, Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.help import keys_and_words, keys_here
from tui.screens.base import DeskScreen


class HelpScreen(DeskScreen):
    """The keys of one screen on the left, what else one may ask on the right.

    Args:
        about: the screen that is explained.
    """

    WHERE = Where.HELP
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.HELP)]

    def __init__(self, about: Where) -> None:
        super().__init__()
        self.about = about

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two panes."""
        yield TopBar(f"Help: {self.about}", id="top")
        with Container(id="help-panes"):
            yield Card(id="help-here")
            yield Card(id="help-more")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Fill the panes: one is enough where there is no room for two, or nothing for the other."""
        here, more = keys_here(self.about, self.keys_of), keys_and_words(self.about, self.keys_of)
        both = self.inbox.size.width >= 100 and bool(more.children)
        first, second = self.query_one("#help-here", Card), self.query_one("#help-more", Card)
        first.show(here if both else Group((*here.children, *more.children)), "keys")
        second.show(more, "signs and words")
        second.display = both
        first.focus()

    def keys_of(self, action: Action) -> tuple[str, ...]:
        """Return the keys of an action under the keymap."""
        key = self.inbox.key_of(action)
        return action.key_names if key == action.key_names[0] else (key,)

    def do_help(self) -> None:
        """Close the help: the key that opened it closes it."""
        self.do_back()
