"""The list of records, over lazy pages.

Columns: the cursor's bar, the mark (``✓ ✗ » ○``, ``@`` claimed by somebody else), the kind (``!`` flagged,
``Δ`` revision, ``+`` a draft where approved records are listed too), id, type, scope, age. Ids come from a
store and are made visible before they are painted.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset

from render.visible import cell_width, fit, isolate, pad, visible
from store.records import Claim, MemoryType, RecordStatus
from tui.claiming import until_of
from tui.filters import Filter
from tui.line_list import LineList
from tui.marks import SIGNS, Marked
from tui.messages import LinesShown, RowHighlighted, RowToggled
from tui.paging import Key, Pages
from tui.rows import Row, short_age

MARK_COLUMNS = range(0, 3)  # clicks here toggle the mark
SHORT_TYPES = {
    MemoryType.USER: "user",
    MemoryType.FEEDBACK: "fdbk",
    MemoryType.PROJECT: "proj",
    MemoryType.REFERENCE: "ref",
}
ROOMY = 64  # cells from which types are written out


class RowList(LineList):
    """A list over `Pages`. Posts `RowHighlighted`, `RowToggled` and `LinesShown`.

    Args:
        marked: returns the mark of an id.
        claimed: returns somebody else's claim on the draft of an id.
        clock: returns the present time, for ages.
        mixed: whether drafts are listed among approved records and have to be told from them.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--approve",
        "list--reject",
        "list--skip",
        "list--held",
        "list--flag",
        "list--kind",
        "list--gone",
        "list--failed",
        "list--claimed",
    }

    def __init__(
        self,
        *,
        marked: Callable[[str], Marked | None],
        claimed: Callable[[str], Claim | None] = lambda _: None,
        clock: Callable[[], datetime],
        mixed: bool = False,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.pages = Pages()
        self.chosen: Filter | None = None  # what the pages were read by, None before the first
        self._marked = marked
        self._claimed = claimed
        self._clock = clock
        self._mixed = mixed

    @property
    def row(self) -> Row | None:
        """The row under the cursor, None while it is being read."""
        return self.pages.row(self.cursor)

    def line_count(self) -> int:
        """Return how many rows there are, read or not."""
        return len(self.pages)

    def line_of(self, key: Key) -> int | None:
        """Return the line of a row among those read."""
        return self.pages.line(key)

    def show_pages(self, pages: Pages, *, cursor: int = 0, top: int = 0) -> None:
        """Show another list, with the cursor on a line and another one on top."""
        self.pages = pages
        self.end_range()
        self.lines_changed(cursor=cursor, top=top)

    def cursor_moved(self) -> None:
        """Tell which row is under the cursor."""
        self.post_message(RowHighlighted(self.cursor, self.row))

    def view_moved(self) -> None:
        """Ask for the rows in view."""
        if self.view_height > 0:
            first = self.scroll_offset.y
            self.post_message(LinesShown(first, first + self.view_height - 1))

    def line_clicked(self, offset: Offset, chain: int) -> None:
        """Toggle the mark by a click on its column or by two anywhere."""
        if (row := self.row) and (offset.x in MARK_COLUMNS or chain == 2):
            self.post_message(RowToggled(self.cursor, row))

    def line_cells(self, line: int, width: int, base: Style) -> list[Segment]:
        """Return the columns of a row."""
        row = self.pages.row(line)
        aside = base + self.part_style("aside")
        if row is None:
            return [Segment("     …", aside)]
        draft = row.status is RecordStatus.PENDING
        marked = self._marked(row.id) if draft else None
        claim = self._claimed(row.id) if draft and not row.gone else None
        failed = marked is not None and bool(marked.failure)
        kind, kind_part = self._kind_of(row)
        word, cells = (row.type.value, 9) if width >= ROOMY else (SHORT_TYPES[row.type], 4)
        tail = f" {word:{cells}} {row.scope.value:7} "
        room = max(width - 4 - len(tail) - 4, 4)
        if claim is not None:
            until = until_of(claim, self._clock())
            by = pad(visible(claim.by), len(tail) - len(until) - 3)
            tail = f" {isolate(by)} {until} "
        name = fit(visible(row.id), room)
        age = (
            "gone" if row.gone else "fail" if failed else short_age(self._clock() - row.created_at)
        )
        return [
            self._sign(marked, claim, base),
            Segment(f"{kind} ", base + self.part_style(kind_part)),
            Segment(isolate(name), base + self.part_style("gone") if row.gone else base),
            Segment(
                " " * (room - cell_width(name)) + tail,
                base + self.part_style("claimed") if claim else aside,
            ),
            Segment(f"{age:>4}", base + self.part_style("failed") if failed else aside),
        ]

    def _sign(self, marked: Marked | None, claim: Claim | None, base: Style) -> Segment:
        if marked is not None:
            return Segment(f"{SIGNS[marked.mark]} ", base + self.part_style(marked.mark.value))
        if claim is not None:
            return Segment("@ ", base + self.part_style("claimed"))
        return Segment("  ", base)

    def _kind_of(self, row: Row) -> tuple[str, str]:
        if row.flagged:
            return "!", "flag"
        if row.is_revision:
            return "Δ", "kind"
        return (
            ("+", "kind") if self._mixed and row.status is RecordStatus.PENDING else (" ", "kind")
        )
