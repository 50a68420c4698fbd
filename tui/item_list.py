"""A list of things that are not records: targets of links, lines of the journal, folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.message import Message

from render.visible import cell_width, fit, isolate, visible
from tui.line_list import LineList


@dataclass(frozen=True, slots=True)
class Item:
    """One line: a sign, the name, and what is said on the right.

    Args:
        thing: what the line stands for.
        name, aside: any text.
        sign: one cell.
        part: the component class of sign and name, without its prefix.
    """

    thing: object
    name: str
    aside: str = ""
    sign: str = " "
    part: str = "row"


@dataclass
class ItemHighlighted(Message):
    """The cursor came to another item; None when there is none."""

    item: Item | None


@dataclass
class ItemChosen(Message):
    """An item was clicked twice."""

    item: Item


class ItemList(LineList):
    """Shows items; posts `ItemHighlighted` and `ItemChosen`."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--title", "list--flag", "list--kind"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.items: Sequence[Item] = ()

    def show(self, items: Sequence[Item], cursor: int = 0) -> None:
        """Show other items."""
        self.items = items
        self.lines_changed(cursor=cursor, top=0)

    @property
    def item(self) -> Item | None:
        """The item under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def line_count(self) -> int:
        """Return how many items there are."""
        return len(self.items)

    def line_cells(self, line: int, width: int, base: Style) -> list[Segment]:
        """Return sign, name and aside; the aside gives way first."""
        item = self.items[line]
        aside = fit(visible(item.aside), max(width // 2, 0))
        room = max(width - 3 - cell_width(aside) - 1, 4)
        look = base if item.part == "row" else base + self.part_style(item.part)
        name = fit(visible(item.name), room)
        return [
            Segment(f"{visible(item.sign)} ", look),
            Segment(isolate(name), look),
            Segment(" " * (room - cell_width(name)), look),
            Segment(f" {aside} ", base + self.part_style("aside")),
        ]

    def cursor_moved(self) -> None:
        """Tell which item is under the cursor."""
        self.post_message(ItemHighlighted(self.item))

    def line_clicked(self, offset: Offset, chain: int) -> None:
        """Choose by two clicks."""
        if chain == 2 and self.item is not None:
            self.post_message(ItemChosen(self.item))
