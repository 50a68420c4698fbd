"""Asks before a link leads out of the store: the whole target is shown, and nothing opens by itself."""

from __future__ import annotations

import webbrowser
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from render.address import where_to
from render.visible import visible


class LeavingScreen(ModalScreen[None]):
    """Shows where a link leads; ``o`` opens it, ``y`` copies it, escape leaves it.

    Args:
        url: as an agent wrote it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "open", "open"),
        Binding("y", "copy", "copy"),
        Binding("escape,n,q", "leave", "leave it"),
    ]

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url

    def compose(self) -> ComposeResult:
        """Lay out the question."""
        with VerticalScroll(id="leaving") as box:
            box.border_title = "This link leads out of the store"
            box.border_subtitle = "o opens it · y copies it · esc leaves it"
            if told := where_to(self.url):
                yield Static(Content(visible(told)), id="leaving-host")
            yield Static(Content(visible(self.url)), id="leaving-url")

    def action_open(self) -> None:
        """Hand the target to the system's browser."""
        try:
            found = webbrowser.open(self.url)
        except (
            OSError,
            ValueError,
        ):  # no program takes an argument that long, or with these characters
            self.app.notify("No browser takes this address.", severity="warning", markup=False)
            return
        if not found:
            self.app.notify(
                "No browser was found; y copies the link.", severity="warning", markup=False
            )
            return
        self.dismiss()

    def action_copy(self) -> None:
        """Put the target on the clipboard, marks of hidden characters included: it is for reading first."""
        self.app.copy_to_clipboard(visible(self.url))
        self.app.notify("Copied.", markup=False)
        self.dismiss()

    def action_leave(self) -> None:
        """Close without doing anything."""
        self.dismiss()

    def on_click(self, event: events.Click) -> None:
        """Close by a click beside the question."""
        if event.widget is self:
            self.dismiss()
