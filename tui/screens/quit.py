"""Asks before the app is left with marks that were not applied."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.actions import Need, Where, bindings_of
from tui.bars import KeyBar
from tui.keeping import describe_unapplied
from tui.screens.base import DeskScreen


class QuitScreen(DeskScreen, ModalScreen[None]):
    """Says what is not applied; ``y`` leaves all the same, another key than the one that asked."""

    WHERE = Where.QUIT
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.QUIT)]

    def compose(self) -> ComposeResult:
        """Lay out the question."""
        count = len(self.inbox.marks.to_apply())
        words = describe_unapplied(count, kept=self.inbox.keeper is not None)
        with Vertical(id="quit") as box:
            box.border_title = "Leave without applying?"
            yield Static(words, markup=False)
            yield KeyBar(id="quit-keys")

    def met(self) -> frozenset[Need]:
        """There are marks, or nothing would be asked."""
        return super().met() | {Need.MARKS, Need.SETTLED}

    def do_leave(self) -> None:
        """Leave the app."""
        self.inbox.exit()

    def do_plan(self) -> None:
        """Look at the plan instead."""
        self.inbox.pop_screen()
        self.inbox.show_plan()
