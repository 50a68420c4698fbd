"""The browser: all records, canonical and pending, under any filter."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from store.records import RecordStatus
from tui.actions import Need, Where, bindings_of
from tui.applying import delete
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

    def met(self) -> frozenset[Need]:
        """Tell approved records from drafts."""
        needs, row = super().met(), self.rows.row
        return needs | (
            {Need.RECORD} if row is not None and row.status is RecordStatus.CANONICAL else set()
        )

    def do_delete(self) -> None:
        """Move the record to the trash."""
        if self.shown is not None:
            record, by = self.shown.record, self.inbox.reviewer
            self.ask(
                lambda desk: delete(desk, record, by),
                group="browse:delete",
                description=f"deleting {record.id}",
                exclusive=False,
            )

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
