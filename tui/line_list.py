"""A list of one-line items with a cursor, painted line by line; what the items are is up to subclasses.

The cursor's line has a bar in its first cell beside its colour, selected lines another one. Rows above
the view may come and go: the line on top stays where it is, blank lines below make up for it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Offset, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from render.visible import Visible, pad, visible
from tui.painting.runs import runs_of, wrap

CONTEXT = 2  # lines kept in view around the cursor
_GROUNDS = frozenset({"row", "cursor", "range"})


class LineList(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines, a cursor, and a range of lines that may be selected."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--row",
        "list--cursor",
        "list--range",
        "list--bar",
        "list--aside",
        "list--notice",
    }

    cursor: reactive[int] = reactive(0, init=False)
    """The line under the cursor."""

    selection: reactive[range | None] = reactive(None, init=False)
    """The lines of a range that is being selected, None when none is."""

    notice: reactive[str] = reactive("")
    """What is said while there are no lines; any text, never markup."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._anchor: int | None = None

    @abstractmethod
    def line_count(self) -> int:
        """Return how many lines there are."""

    @abstractmethod
    def line_cells(self, line: int, width: int, base: Style) -> list[Segment]:
        """Return a line without its bar, in at most ``width`` cells, over a base style.

        A cell stays free on the right, so that nothing touches the scrollbar.
        """

    def cursor_moved(self) -> None:
        """Take note that another line, or another item, is under the cursor."""

    def view_moved(self) -> None:
        """Take note that other lines are in view."""

    def line_clicked(self, offset: Offset, chain: int) -> None:
        """Take note that the line under the cursor was clicked, ``chain`` times in a row."""

    @property
    def selected(self) -> range:
        """The lines of the range, or the cursor's alone."""
        if not self.line_count():
            return range(0)
        return self.selection or range(self.cursor, self.cursor + 1)

    def lines_changed(self, *, cursor: int | None = None, top: int | None = None) -> None:
        """Draw other lines.

        Args:
            cursor: the line to put the cursor on; where it is when None.
            top: the first line in view; where it is when None.
        """
        last = max(self.line_count() - 1, 0)
        self.set_reactive(
            LineList.cursor, max(0, min(last, self.cursor if cursor is None else cursor))
        )
        if top is not None:
            self._measure(0)
            self.scroll_to(y=max(top, 0), animate=False, force=True)
        self._measure()
        self.refresh()
        self.view_moved()
        self.cursor_moved()

    def lines_prepended(self, count: int) -> None:
        """Take note of lines above: the cursor stays on its item and on its line of the screen."""
        self.set_reactive(LineList.cursor, self.cursor + count)
        if self.selection is not None:
            moved = range(self.selection.start + count, self.selection.stop + count)
            self.set_reactive(LineList.selection, moved)
        if self._anchor is not None:
            self._anchor += count
        top = self.scroll_offset.y + count
        self._measure(top)
        self.scroll_to(y=top, animate=False, force=True)
        self.refresh()
        self.view_moved()

    def move(self, by: int) -> None:
        """Move the cursor by lines, stopping at the ends."""
        self.jump(self.cursor + by)

    def page(self, screens: int) -> None:
        """Move the cursor by screens of lines, less one to find the place by."""
        self.move(screens * max(self.view_height - 1, 1))

    def jump(self, line: int) -> None:
        """Put the cursor on a line, the nearest that there is."""
        self.cursor = max(0, min(line, self.line_count() - 1))

    def start_range(self) -> None:
        """Select from the cursor's line to wherever it goes."""
        self._anchor = self.cursor
        self.selection = range(self.cursor, self.cursor + 1)

    def select_all(self) -> None:
        """Select every line that is there now; the cursor stays."""
        self._anchor = None
        self.selection = range(self.line_count())

    def end_range(self) -> None:
        """Select the cursor's line alone again."""
        self._anchor = None
        self.selection = None

    def say(self, text: str) -> None:
        """Say something short in the border below; the text is never read as markup."""
        self.border_subtitle = Content(visible(text)) if text else None

    def watch_cursor(self, old: int, new: int) -> None:
        """Keep the cursor in view and tell where it is."""
        self.refresh_line(old)
        self.refresh_line(new)
        if self._anchor is not None:
            self.selection = range(min(self._anchor, new), max(self._anchor, new) + 1)
        self._scroll_into_view()
        self.cursor_moved()

    def watch_selection(self) -> None:
        """Draw the range."""
        self.refresh()

    def watch_notice(self) -> None:
        """Draw the notice."""
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell that other lines came into view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.view_moved()

    def on_resize(self) -> None:
        """Measure anew and keep the cursor in view."""
        self._scroll_into_view()
        self.view_moved()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the line that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y + self.scroll_offset.y >= self.line_count():
            return
        event.stop()
        self.jump(offset.y + self.scroll_offset.y)
        self.line_clicked(offset, event.chain)

    def render_line(self, y: int) -> Strip:
        """Paint one line of the view."""
        width = self.scrollable_content_region.width
        line = y + self.scroll_offset.y
        if not self.line_count():
            return self._notice_line(y, width)
        if line >= self.line_count():
            return Strip.blank(width, self.part_style("row"))
        chosen = self.selection is not None and line in self.selection
        place = "cursor" if line == self.cursor else "range" if chosen else None
        base = self.part_style("row") + (self.part_style(place) if place else Style.null())
        bar = "▌" if line == self.cursor else "┃" if chosen else " "
        cells = [
            Segment(bar, base + self.part_style("bar")),
            *self.line_cells(line, width - 2, base),
        ]
        return Strip(cells).adjust_cell_length(width, base)

    def part_style(self, part: str) -> Style:
        """Return the style of a part: with its ground for those that are one, else what it adds to a row."""
        # Not Textual's partial style: it knows no ground to blend with, so a faint colour came out solid.
        whole = self.get_component_rich_style(f"list--{part}")
        if part in _GROUNDS:
            return whole
        return whole.without_color + Style(color=whole.color)

    @property
    def view_height(self) -> int:
        """How many lines are in view."""
        return self.scrollable_content_region.height

    def _notice_line(self, y: int, width: int) -> Strip:
        style = self.part_style("row") + self.part_style("notice")
        paragraphs = [runs_of(line, style, style) for line in self.notice.splitlines()]
        lines = [line.text for runs in paragraphs for line in wrap(runs, max(width - 2, 1))]
        text = visible(lines[y - 1]) if 0 < y <= len(lines) else Visible()
        return Strip([Segment(" ", style), Segment(pad(text, width - 1), style)], width)

    def _measure(self, top: int | None = None) -> None:
        """Set the height to scroll over: room for the lines, and for the first one in view to stay."""
        top = self.scroll_offset.y if top is None else top
        height = max(self.line_count(), top + self.view_height if top else 0)
        self.virtual_size = Size(self.scrollable_content_region.width, height)

    def _scroll_into_view(self) -> None:
        height = self.view_height
        if height <= 0:
            return
        self._measure()
        context = min(CONTEXT, (height - 1) // 2)
        first = max(self.cursor - context, 0)
        end = min(self.cursor + context + 1, self.line_count())
        top = self.scroll_offset.y
        if first < top:
            self.scroll_to(y=first, animate=False, force=True)
        elif end > top + height:
            self.scroll_to(y=end - height, animate=False, force=True)
