"""The list of records: painted line by line from lazy pages, never moving under the cursor.

Columns: the cursor's bar, the mark (``✓ ✗ » ○``), the kind (``!`` flagged, ``Δ`` revision), id, type, scope,
age. Ids come from a store and are made visible before they are painted.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from render.visible import Visible, pad, visible
from store.records import MemoryType, RecordStatus
from tui.filters import Filter
from tui.marks import SIGNS, Marked
from tui.messages import LinesShown, RowHighlighted, RowToggled
from tui.paging import Key, Pages
from tui.painting.runs import runs_of, wrap
from tui.rows import Row, short_age

MARK_COLUMNS = range(0, 3)  # clicks here toggle the mark
SHORT_TYPES = {
    MemoryType.USER: "user",
    MemoryType.FEEDBACK: "fdbk",
    MemoryType.PROJECT: "proj",
    MemoryType.REFERENCE: "ref",
}
ROOMY = 64  # cells from which types are written out
CONTEXT = 2  # lines kept in view around the cursor


class RowList(ScrollView, can_focus=True, inherit_bindings=False):
    """A list over `Pages`. Posts `RowHighlighted`, `RowToggled` and `LinesShown`.

    Args:
        marked: returns the mark of an id.
        clock: returns the present time, for ages.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--row",
        "row-list--cursor",
        "row-list--range",
        "row-list--bar",
        "row-list--approve",
        "row-list--reject",
        "row-list--skip",
        "row-list--held",
        "row-list--flag",
        "row-list--kind",
        "row-list--aside",
        "row-list--gone",
        "row-list--failed",
        "row-list--notice",
    }

    cursor: reactive[int] = reactive(0, init=False)
    """The line under the cursor."""

    selection: reactive[range | None] = reactive(None, init=False)
    """The lines of a range that is being selected, None when none is."""

    notice: reactive[str] = reactive("")
    """What is said while there are no rows."""

    def __init__(
        self,
        *,
        marked: Callable[[str], Marked | None],
        clock: Callable[[], datetime],
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.pages = Pages()
        self.chosen: Filter | None = None  # what the pages were read by, None before the first
        self._marked = marked
        self._clock = clock
        self._anchor: int | None = None

    @property
    def row(self) -> Row | None:
        """The row under the cursor, None while it is being read."""
        return self.pages.row(self.cursor)

    @property
    def selected(self) -> range:
        """The lines of the range, or the cursor's alone."""
        if not len(self.pages):
            return range(0)
        return self.selection or range(self.cursor, self.cursor + 1)

    def show_pages(self, pages: Pages, *, cursor: int = 0, top: int = 0) -> None:
        """Show another list, with the cursor on a line and another one on top."""
        self.pages = pages
        self._anchor = None
        self.selection = None
        self.set_reactive(RowList.cursor, cursor)
        self._measure(0)
        self.scroll_to(0, max(top, 0), animate=False)
        self.rows_arrived()

    def rows_arrived(self) -> None:
        """Draw what pages brought, keeping the cursor where it is."""
        self._measure()
        last = max(len(self.pages) - 1, 0)
        if self.cursor > last:
            self.set_reactive(RowList.cursor, last)
        self.refresh()
        self._want_lines()
        self.post_message(RowHighlighted(self.cursor, self.row))

    def rows_prepended(self, count: int) -> None:
        """Take note of rows above: the cursor stays on its row and on its line of the screen."""
        self.set_reactive(RowList.cursor, self.cursor + count)
        if self.selection is not None:
            moved = range(self.selection.start + count, self.selection.stop + count)
            self.set_reactive(RowList.selection, moved)
        if self._anchor is not None:
            self._anchor += count
        top = self.scroll_offset.y + count
        self._measure(top)
        self.scroll_to(y=top, animate=False)
        self.refresh()
        self._want_lines()

    def move(self, by: int) -> None:
        """Move the cursor by lines, stopping at the ends."""
        self.jump(self.cursor + by)

    def page(self, screens: int) -> None:
        """Move the cursor by screens of lines."""
        self.move(screens * max(self._height - 1, 1))

    def jump(self, line: int) -> None:
        """Put the cursor on a line, the nearest that there is."""
        self.cursor = max(0, min(line, len(self.pages) - 1))

    def start_range(self) -> None:
        """Select from the cursor's line to wherever it goes."""
        self._anchor = self.cursor
        self.selection = range(self.cursor, self.cursor + 1)

    def select_all(self) -> None:
        """Select every line that is there now; the cursor stays."""
        self._anchor = None
        self.selection = range(len(self.pages))

    def end_range(self) -> None:
        """Select the cursor's line alone again."""
        self._anchor = None
        self.selection = None

    def say(self, text: str) -> None:
        """Say something short in the border below; the text is never read as markup."""
        self.border_subtitle = Content(visible(text)) if text else None

    def line_of(self, key: Key) -> int | None:
        """Return the line of a row among those read."""
        return self.pages.line(key)

    def watch_cursor(self, old: int, new: int) -> None:
        """Keep the cursor in view and tell where it is."""
        self.refresh_line(old)
        self.refresh_line(new)
        if self._anchor is not None:
            self.selection = range(min(self._anchor, new), max(self._anchor, new) + 1)
        self._scroll_into_view()
        self._want_lines()
        self.post_message(RowHighlighted(new, self.row))

    def watch_selection(self) -> None:
        """Draw the range."""
        self.refresh()

    def watch_notice(self) -> None:
        """Draw the notice."""
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for the rows that came into view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._want_lines()

    def on_resize(self) -> None:
        """Measure anew and keep the cursor in view."""
        self._measure()
        self._scroll_into_view()
        self._want_lines()

    def on_click(self, event: events.Click) -> None:
        """Select by a click; toggle the mark by a click on its column or by two."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        line = offset.y + self.scroll_offset.y
        if line >= len(self.pages):
            return
        event.stop()
        self.jump(line)
        if (row := self.row) and (offset.x in MARK_COLUMNS or event.chain == 2):
            self.post_message(RowToggled(line, row))

    def render_line(self, y: int) -> Strip:
        """Paint one line of the view."""
        width = self.scrollable_content_region.width
        line = y + self.scroll_offset.y
        if not len(self.pages):
            return self._notice_line(y, width)
        if line >= len(self.pages):
            return Strip.blank(width, self.rich_style)
        base = self._style("row") + self._place_style(line)
        bar = "▌" if line == self.cursor else "┃" if self._in_range(line) else " "
        row = self.pages.row(line)
        cells = [Segment(bar, base + self._style("bar"))]
        if row is None:
            cells.append(Segment("     …", base + self._style("aside")))
        else:
            cells += self._row_cells(row, width - 1, base)
        return Strip(cells).adjust_cell_length(width, base)

    def _row_cells(self, row: Row, width: int, base: Style) -> list[Segment]:
        marked = self._marked(row.id) if row.status is RecordStatus.PENDING else None
        aside = base + self._style("aside")
        types = (row.type.value, 9) if width >= ROOMY else (SHORT_TYPES[row.type], 4)
        age = short_age(self._clock() - row.created_at)
        if row.gone or (marked and marked.failure):
            age = "gone" if row.gone else "fail"
        tail = f" {types[0]:{types[1]}} {row.scope.value:7} "
        name = pad(visible(row.id), max(width - 4 - len(tail) - 4, 4))
        sign = SIGNS[marked.mark] if marked else " "
        sign_style = base + self._style(marked.mark.value) if marked else base
        kind, kind_part = _kind_of(row)
        last = "failed" if age == "fail" else "aside"
        return [
            Segment(f"{sign} ", sign_style),
            Segment(f"{kind} ", base + self._style(kind_part)),
            Segment(name, base + self._style("gone") if row.gone else base),
            Segment(tail, aside),
            Segment(f"{age:>4}", base + self._style(last)),
        ]

    def _notice_line(self, y: int, width: int) -> Strip:
        style = self._style("row") + self._style("notice")
        paragraphs = [runs_of(line, style, style) for line in self.notice.splitlines()]
        lines = [line.text for runs in paragraphs for line in wrap(runs, max(width - 2, 1))]
        text = visible(lines[y - 1]) if 0 < y <= len(lines) else Visible()
        return Strip([Segment(" ", style), Segment(pad(text, width - 1), style)], width)

    def _place_style(self, line: int) -> Style:
        if line == self.cursor:
            return self._style("cursor")
        return self._style("range") if self._in_range(line) else Style.null()

    def _in_range(self, line: int) -> bool:
        return self.selection is not None and line in self.selection

    def _style(self, part: str) -> Style:
        name = f"row-list--{part}"
        return self.get_component_rich_style(name, partial=part != "row")

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    def _measure(self, top: int | None = None) -> None:
        """Set the height to scroll over: room for the rows, and for the first line in view to stay."""
        top = self.scroll_offset.y if top is None else top
        short = len(self.pages) < top + self._height
        lines = top + self._height if short and top else len(self.pages)
        self.virtual_size = Size(self.scrollable_content_region.width, lines)

    def _scroll_into_view(self) -> None:
        height = self._height
        if height <= 0:
            return
        self._measure()
        context = min(CONTEXT, (height - 1) // 2)
        region = Region(0, self.cursor - context, 1, 1 + 2 * context)
        top = self.scroll_offset.y
        if region.y < top:
            self.scroll_to(y=max(region.y, 0), animate=False)
        elif region.bottom > top + height:
            self.scroll_to(y=min(region.bottom, len(self.pages)) - height, animate=False)

    def _want_lines(self) -> None:
        if self._height > 0:
            first = self.scroll_offset.y
            self.post_message(LinesShown(first, first + self._height - 1))


def _kind_of(row: Row) -> tuple[str, str]:
    if row.flagged:
        return "!", "flag"
    return ("Δ", "kind") if row.is_revision else (" ", "kind")
