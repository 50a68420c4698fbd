"""The inbox: drafts on the left, the card of the one under the cursor on the right."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Static

from tui.actions import Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.screens.base import DeskScreen


class InboxScreen(DeskScreen):
    """The drafts that wait, and their cards."""

    WHERE = Where.INBOX
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.INBOX)]

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two panes."""
        yield TopBar("Memory Inbox", id="top")
        with Container(id="panes"):
            yield Static("Opening the store …", id="list-pane")
            yield Static("", id="card-pane")
        yield KeyBar(id="keys")
