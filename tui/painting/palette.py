"""The painted parts of a card: each has a component class, so that themes reach it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from rich.style import Style

from render.tree import TextStyle


class Part(StrEnum):
    """What a run of painted text is; ``card--<value>`` is its component class."""

    TEXT = "text"
    BOLD = "bold"
    ITALIC = "italic"
    CODE = "code"
    DIM = "dim"
    MARK = "mark"
    ERROR = "error"
    WARNING = "warning"
    SUCCESS = "success"
    LINK = "link"
    LINK_ACTIVE = "link-active"
    JUMP = "jump"
    FOUND = "found"
    LINE = "line"
    BULLET = "bullet"
    FOLD = "fold"
    ACTION = "action"
    TERM = "term"
    TABLE_HEADER = "table-header"
    BLOCK = "block"
    BLOCK_LABEL = "block-label"
    HUNK = "hunk"
    SAME = "same"
    ADD = "add"
    ADD_WORD = "add-word"
    REMOVE = "remove"
    REMOVE_WORD = "remove-word"


Palette: TypeAlias = Mapping[Part, Style]
"""A Rich style for every part."""

NO_STYLE: Palette = {part: Style.null() for part in Part}
"""A palette without looks: everything that is said must be said by characters too."""

OF_TEXT: Mapping[TextStyle, Part] = {
    TextStyle.NORMAL: Part.TEXT,
    TextStyle.BOLD: Part.BOLD,
    TextStyle.ITALIC: Part.ITALIC,
    TextStyle.CODE: Part.CODE,
    TextStyle.DIM: Part.DIM,
    TextStyle.ERROR: Part.ERROR,
    TextStyle.WARNING: Part.WARNING,
    TextStyle.SUCCESS: Part.SUCCESS,
}


def component_class(part: Part) -> str:
    """Return the name of a part's component class."""
    return f"card--{part}"
