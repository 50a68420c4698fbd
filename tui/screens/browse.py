"""The browser: all records, canonical and pending, under any filter."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from tui.actions import Where, bindings_of
from tui.marks import Marked
from tui.screens.listing import ListScreen


class BrowseScreen(ListScreen):
    """All records, newest first; links are followed from card to card."""

    WHERE = Where.BROWSE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.BROWSE)]
    PLACE = "Browse"

    @property
    def list_title(self) -> str:
        """The list's title."""
        return "All records"

    def mark_of(self, id: str) -> Marked | None:
        """Return the mark that a draft has in the inbox."""
        return self.inbox.marks.get(id)

    def facts(self) -> tuple[str, ...]:
        """Return where one is, and what there is."""
        counts = self.counts
        if counts is None:
            return super().facts()
        return (
            *super().facts(),
            f"{counts.canonical} canonical",
            f"{counts.pending} pending",
            *((f"{counts.trashed} in the trash",) if counts.trashed else ()),
        )

    def leave(self) -> None:
        """Go back to where one came from."""
        self.inbox.pop_screen()
