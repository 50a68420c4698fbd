"""A screen with a list that is read page by page: what the view needs, and a little more."""

from __future__ import annotations

import sys
from typing import ClassVar

from store.provider import Desk
from store.records import Counts, RecordStatus
from tui.failures import Failure
from tui.filters import Filter
from tui.inbox_list import RowList
from tui.messages import (
    JobFailed,
    LinesShown,
    ListRead,
    PageFetched,
    RowsFlagged,
)
from tui.paging import PAGE_SIZE, PageRequest, Pages
from tui.reading import fetch_page, read_flags, read_list
from tui.screens.rewording import RewordingScreen


class PagedScreen(RewordingScreen):
    """Reads a list from the desk in jobs. ``chosen`` is the filter that is wanted, the list has its own."""

    LISTED: ClassVar[RecordStatus | None] = None
    """What is listed where the filter does not say."""

    def __init__(self) -> None:
        super().__init__()
        self.chosen = Filter()
        self.counts: Counts | None = None
        self._era = 0
        self._flagging: set[PageRequest] = set()

    @property
    def rows(self) -> RowList:
        """The list."""
        return self.query_one(RowList)

    def empty_notice(self) -> str:
        """Return what an empty list says."""
        return "Nothing matches the filter.\nesc clears it." if self.filtered else "Nothing here."

    @property
    def filtered(self) -> bool:
        """Whether a filter is on."""
        return self.chosen != Filter()

    def desk_opened(self, desk: Desk) -> None:
        """Read the list; what was read of another desk counts no more."""
        self.forget_reviews()
        self.rows.notice = "Reading …"
        self.reload()

    def desk_refused(self, failure: Failure) -> None:
        """Say in the list's place why there is none."""
        self.rows.notice = "\n".join((failure.title, failure.text, failure.hint, "f5 tries again"))

    def reload(self, *, whole: bool = False) -> None:
        """Read the list from its top as far as the cursor; what is shown stays until that is there.

        Args:
            whole: read it to its end.
        """
        self._era += 1
        era, chosen, clock = self._era, self.chosen, self.inbox.clock
        lines = self.rows.cursor + PAGE_SIZE if len(self.rows.pages) else 1
        if whole:
            lines = sys.maxsize
        self.ask(
            lambda desk: read_list(desk, chosen, self.LISTED, era, lines, clock),
            group=f"{self.WHERE}:list",
            description="reading the list",
        )

    def on_list_read(self, message: ListRead) -> None:
        """Show the list anew, the cursor on the record where it was if that is still there."""
        if message.era != self._era:
            return
        self.counts = message.counts
        total = None if message.chosen.narrows else self.total_of(message.counts)
        rows = self.rows
        key, line, top = rows.pages.key(rows.cursor), rows.cursor, rows.scroll_offset.y
        pages = Pages.of(message.pages, total)
        found = pages.line(key) if key else None
        same_list = rows.chosen == message.chosen
        cursor = found if found is not None else min(line, max(len(pages) - 1, 0)) * same_list
        rows.chosen = message.chosen
        rows.notice = self.empty_notice()
        rows.show_pages(pages, cursor=cursor, top=cursor - (line - top))
        self.list_shown()
        self.refresh_bars()

    def list_shown(self) -> None:
        """Take note that the list was read anew and is shown."""

    def total_of(self, counts: Counts) -> int:
        """Return how many rows there are by the counts under the filter."""
        status = self.chosen.query(self.LISTED).status
        if status is None:
            return counts.total
        return counts.pending if status is RecordStatus.PENDING else counts.canonical

    def on_lines_shown(self, message: LinesShown) -> None:
        """Fetch the rows that come into view, and forget those far from it."""
        pages = self.rows.pages
        if self.inbox.desk is None or self.rows.chosen is None:
            return
        for request in pages.wanted(message.first, message.last):
            self._fetch(request)
        pages.forget_far(message.first, message.last)
        for request in pages.unflagged(message.first, message.last):
            self._flag(request)

    def _flag(self, request: PageRequest) -> None:
        """Look for warnings in what is in view: that takes too long to wait for it with the rows."""
        if request in self._flagging:
            return
        self._flagging.add(request)
        chosen = self.chosen
        self.ask(
            lambda desk: read_flags(desk, chosen, self.LISTED, request),
            group=f"{self.WHERE}:flags",
            description="looking for warnings",
            exclusive=False,
        )

    def on_rows_flagged(self, message: RowsFlagged) -> None:
        """Draw the flags."""
        self._flagging.discard(message.request)
        self.rows.pages.flag(message.flags)
        self.rows.refresh()
        self.refresh_bars()

    def _fetch(self, request: PageRequest) -> None:
        chosen, now = self.chosen, self.now
        self.ask(
            lambda desk: fetch_page(desk, chosen, self.LISTED, request, now),
            group=f"{self.WHERE}:page",
            description="reading more of the list",
            exclusive=False,
        )

    def on_page_fetched(self, message: PageFetched) -> None:
        """Take a page into the list."""
        if self.rows.pages.receive(message.page):
            self.rows.lines_changed()
            self.refresh_bars()

    def on_job_failed(self, message: JobFailed) -> None:
        """Let what did not arrive be asked for again; the app draws the failure."""
        if message.group.startswith(f"{self.WHERE}:page"):
            self.rows.pages.lost()
        elif message.group == f"{self.WHERE}:list" and not len(self.rows.pages):
            self.desk_refused(message.failure)
