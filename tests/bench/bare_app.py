"""The barest Textual app: a list of lines with a cursor. The floor of starting, drawing and holding ours."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList


class Bare(App[None]):
    """Shows a hundred lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "down", show=False),
        Binding("q", "quit", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        yield OptionList(*(f"Line {number}" for number in range(100)))

    def action_down(self) -> None:
        """Move the cursor."""
        self.query_one(OptionList).action_cursor_down()


if __name__ == "__main__":
    Bare().run()
