"""Tables for a terminal: columns that fit its width, cut or wrapped where they must give way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from rich.text import Text

from render.plain import wrap
from render.visible import Visible, cell_width, fit

GAP = 2
_GIVING = (("cut", 24), ("wrap", 16), ("cut", 8))  # in turn, down to so many cells


@dataclass(frozen=True, slots=True)
class Column:
    """One column; ``give`` is how it gives way when the lines are too long for the screen."""

    name: str
    style: str = ""
    justify: Literal["left", "right"] = "left"
    give: Literal["never", "wrap", "cut"] = "never"


def widths(columns: Sequence[Column], rows: Sequence[Sequence[Visible]], width: int) -> list[int]:
    """Return the cells of each column for lines of ``width`` cells.

    What is too much is taken from the columns that may be cut, then from those that may be wrapped,
    always from the widest. Columns that never give way may make the lines longer than asked for.
    """
    cells = [
        max(len(column.name), *(cell_width(row[nth]) for row in rows))
        for nth, column in enumerate(columns)
    ]
    over = sum(cells) + GAP * (len(columns) - 1) - width
    for way, least in _GIVING:
        giving = [nth for nth, column in enumerate(columns) if column.give == way]
        while over > 0 and giving:
            widest = max(giving, key=lambda nth: cells[nth])
            if cells[widest] <= least:
                break
            cells[widest] -= 1
            over -= 1
    return cells


def lines(
    columns: Sequence[Column], rows: Sequence[Sequence[Visible]], width: int, header: bool = True
) -> Iterator[Text]:
    """Yield the lines of a table, without blanks at their ends."""
    cells = widths(columns, rows, width)
    if header:
        yield _line([(column.name, "dim", column.justify) for column in columns], cells)
    for row in rows:
        parts = [
            wrap(text, room) if column.give == "wrap" else [fit(text, room)]
            for column, text, room in zip(columns, row, cells, strict=True)
        ]
        for line in zip_longest(*parts, fillvalue=""):
            yield _line(
                [(text, c.style, c.justify) for c, text in zip(columns, line, strict=True)], cells
            )


def _line(parts: Sequence[tuple[str, str, str]], cells: Sequence[int]) -> Text:
    line, due = Text(no_wrap=True), 0
    for (text, style, justify), room in zip(parts, cells, strict=True):
        blank = max(0, room - cell_width(Visible(text)))
        if text:
            line.append(" " * (due + (blank if justify == "right" else 0)))
            line.append(text, style or None)
            due = GAP + (0 if justify == "right" else blank)
        else:
            due += room + GAP
    return line
