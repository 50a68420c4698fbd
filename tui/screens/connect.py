"""How agents connect: a page to read."""

from __future__ import annotations

from importlib import resources
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from render.markdown import markdown
from tui.actions import Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.screens.base import DeskScreen


class ConnectScreen(DeskScreen):
    """Shows `tui/connect.md` through the same painter as the records."""

    WHERE = Where.CONNECT
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.CONNECT)]

    def compose(self) -> ComposeResult:
        """Lay out the page."""
        yield TopBar("Connect agents", id="top")
        yield Card(id="page")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Show the page."""
        text = resources.files("tui").joinpath("connect.md").read_text(encoding="utf-8")
        self.query_one(TopBar).aside = self.inbox.store_name
        self.query_one(Card).show(markdown(text))
        self.query_one(Card).focus()
