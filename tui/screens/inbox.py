"""The inbox: drafts on the left, the card of the one under the cursor on the right, marks on both."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from store.records import RecordStatus
from tui.actions import Action, Where, bindings_of
from tui.messages import PlanApplied, TakenBack
from tui.onboarding import StoreCounted
from tui.rows import short_age
from tui.screens.composing import ComposingScreen


class InboxScreen(ComposingScreen):
    """The drafts that wait, and what is to become of each."""

    WHERE = Where.INBOX
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.INBOX)]
    LISTED = RecordStatus.PENDING
    PLACE = "Memory Inbox"

    @property
    def list_title(self) -> str:
        """The list's title."""
        return "Drafts"

    def empty_notice(self) -> str:
        """Return what an empty inbox says."""
        return (
            super().empty_notice()
            if self.filtered
            else "No drafts wait for you.\nb shows all records."
        )

    def list_shown(self) -> None:
        """Say in an empty inbox what there is instead of drafts."""
        super().list_shown()
        if not len(self.rows.pages) and not self.filtered:
            self.ask(
                lambda desk: StoreCounted(desk.count()),
                group="inbox:count",
                description="counting the records",
            )

    def on_store_counted(self, message: StoreCounted) -> None:
        """Lead on from an empty inbox."""
        records = message.counts.canonical
        if not self.filtered:
            self.rows.notice = (
                "No drafts wait for you.\n\n"
                f"{records} approved record{'s' if records != 1 else ''}: b browses them\n"
                "L   links that lead nowhere\n"
                "R   what an agent would be given\n"
                "I   import a folder of memories"
            )

    def go_to(self, id: str) -> None:
        """Put the cursor on a draft, if it is among those read."""
        line = self.rows.line_of((id, RecordStatus.PENDING))
        if line is not None:
            self.rows.jump(line)

    def plan_applied(self, message: PlanApplied) -> None:
        """Take what was decided out of the list, and count anew."""
        pages, cursor = self.rows.pages, self.rows.cursor
        keys = [(line.id, RecordStatus.PENDING) for line in message.done]
        above = sum(line is not None and line < cursor for line in map(pages.line, keys))
        for key in keys:
            pages.remove(key)
        self.rows.lines_changed(cursor=cursor - above)
        self.forget_reviews()
        self.reload()

    def taken_back(self, message: TakenBack) -> None:
        """Show what is a draft again."""
        self.forget_reviews()
        self.reload()

    def do_take_back(self) -> None:
        """Make drafts again of what was last approved."""
        self.inbox.take_back()

    def do_plan(self) -> None:
        """Show what the marks will do."""
        self.inbox.show_plan()

    def do_browse(self) -> None:
        """Show all records."""
        self.inbox.show_browse()

    def leave(self) -> None:
        """Stay: escape does not leave the app."""

    def footer_words(self, action: Action) -> str:
        """Return a label, with numbers where they matter."""
        count = len(self.marks.to_apply())
        if action.id == "plan" and count:
            return f"plan ({count})"
        if self.rows.selection is not None and action.id in {"approve", "reject", "skip"}:
            return f"{action.label} {len(self.rows.selection)}"
        return super().footer_words(action)

    def facts(self) -> tuple[str, ...]:
        """Return position, marks and the age of the oldest draft; nothing before they are known."""
        if self.counts is None:
            return ()
        (position,) = super().facts()
        marked, flagged = len(self.marks.to_apply()), self.rows.pages.flagged
        oldest = self.counts.oldest_pending
        return (
            f"{position} pending",
            f"{marked} marked" if marked else "",
            f"{flagged} flagged" if flagged else "",
            f"{self.fresh} new" if self.fresh else "",
            f"{len(self.claims)} claimed by others" if self.claims else "",
            f"oldest {short_age(self.now - oldest)}" if oldest else "",
        )
