"""The editor on the screen: nothing that is typed or pasted into it reaches the terminal raw."""

from __future__ import annotations

from dataclasses import replace

from textual.widgets import Input, TextArea
from textual.widgets.text_area import Edit, EditResult

from render.visible import visible
from tui.editing import shown_text


class TextEditor(TextArea):
    """A text area for Markdown; hidden characters are inserted as their marks."""

    def __init__(self, text: str, *, id: str | None = None) -> None:
        super().__init__(
            shown_text(text),
            language="markdown",
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            id=id,
        )

    def edit(self, edit: Edit) -> EditResult:
        """Insert what is typed or pasted, made visible first."""
        return super().edit(replace(edit, text=shown_text(edit.text)))


class LineEditor(Input):
    """One line of text; hidden characters are inserted as their marks."""

    def replace(self, text: str, start: int, end: int) -> None:
        """Insert what is typed or pasted, made visible first."""
        super().replace(visible(text), start, end)
