"""The inbox: drafts on the left, the card of the one under the cursor on the right, marks on both."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice
from typing import ClassVar

from textual.binding import BindingType

from render.tree import Node
from store.records import RecordStatus, Review
from tui.actions import Action, Need, Where, bindings_of
from tui.marks import Mark, Marked, Marks, Step
from tui.messages import PlanApplied, RowToggled, TakenBack
from tui.rows import Row, row_of, short_age
from tui.screens.live import LiveScreen

NAMED_NOTICES = 5  # dropped marks that are named; more are counted


class InboxScreen(LiveScreen):
    """The drafts that wait, and what is to become of each."""

    WHERE = Where.INBOX
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.INBOX)]
    LISTED = RecordStatus.PENDING
    PLACE = "Memory Inbox"

    def __init__(self) -> None:
        super().__init__()
        self._opened: set[tuple[str, str]] = set()  # id and revision of drafts whose card was seen
        self._toggle_when_shown: str | None = None

    @property
    def marks(self) -> Marks:
        """The marks of this sitting."""
        return self.inbox.marks

    @property
    def list_title(self) -> str:
        """The list's title."""
        return "Drafts"

    def mark_of(self, id: str) -> Marked | None:
        """Return the mark of a draft."""
        return self.marks.get(id)

    def empty_notice(self) -> str:
        """Return what an empty inbox says."""
        return (
            super().empty_notice()
            if self.filtered
            else "No drafts wait for you.\nb shows all records."
        )

    def met(self) -> frozenset[Need]:
        """Tell what the marks allow."""
        needs = set(super().met())
        if self.marks.can_undo:
            needs.add(Need.UNDO)
        if self.marks.can_redo:
            needs.add(Need.REDO)
        if len(self.marks):
            needs.add(Need.MARKS)
        if self.inbox.approved:
            needs.add(Need.APPLIED)
        row = self.rows.row
        if row is not None and row.id in self.marks:
            needs.add(Need.MARK)
        if self.rows.selection is not None:
            needs |= {Need.CARD, Need.MARK, Need.UNCHANGED}
        return frozenset(needs)

    # -- marking

    def present(self, review: Review, node: Node) -> None:
        """Draw a review and take note that it was seen; a mark on an older text falls."""
        super().present(review, node)
        record = review.record
        if record.status is not RecordStatus.PENDING:
            return
        self._opened.add((record.id, record.revision))
        row = self.rows.row
        if (
            row is not None
            and row.key == (record.id, record.status)
            and row.revision != record.revision
        ):
            self.rows.pages.replace(row_of(record, flagged=row.flagged))
            self.rows.refresh()
        self.drafts_touched({record.id: "has changed"}, {record.id: record.revision})
        if self._toggle_when_shown == record.id:
            self._toggle_when_shown = None
            self._toggle(record.id)

    def marked_ids(self) -> Collection[str]:
        """Return the drafts with a mark."""
        return [marked.id for marked in self.marks]

    def drafts_touched(self, reasons: Mapping[str, str], revisions: Mapping[str, str]) -> None:
        """Drop the marks of drafts that are no longer what was seen, and say so."""
        fallen = [
            marked
            for marked in self.marks
            if marked.id in reasons and marked.revision != revisions.get(marked.id)
        ]
        if not fallen:
            return
        self.marks.forget(*(marked.id for marked in fallen))
        lines = [f"{marked.id} {reasons[marked.id]} ({marked.mark})" for marked in fallen]
        if len(lines) > NAMED_NOTICES:
            lines[NAMED_NOTICES:] = [f"and {len(lines) - NAMED_NOTICES} more"]
        self.inbox.say("\n".join(lines), title="Marks dropped", severity="warning")
        self.marks_changed()

    def do_approve(self) -> None:
        """Mark for approval."""
        self._decide(Mark.APPROVE)

    def do_reject(self) -> None:
        """Mark for rejection."""
        self._decide(Mark.REJECT)

    def do_skip(self) -> None:
        """Leave for later."""
        self._decide(Mark.SKIP)

    def _decide(self, mark: Mark) -> None:
        if self.rows.selection is not None:
            self._decide_range(mark)
            return
        row = self.rows.row
        if row is not None:
            self.marks.set(self._marked(row, mark))
            self.marks_changed()
            self.advance()

    def _marked(self, row: Row, mark: Mark) -> Marked:
        """Return a mark for a row: of the revision on the card if that is its card."""
        record = self.shown.record if self.shown else None
        on_card = record is not None and (record.id, record.status) == row.key
        revision = record.revision if record is not None and on_card else row.revision
        return Marked(row.id, mark, revision, row.is_revision)

    def _decide_range(self, mark: Mark) -> None:
        lines = self.rows.selected
        rows = [row for line in lines if (row := self.rows.pages.row(line)) and not row.gone]
        marked = [self._marked(row, self._held(row, mark)) for row in rows]
        self.rows.end_range()
        self.marks.set(*marked)
        self.marks_changed()
        held = sum(item.mark is Mark.HELD for item in marked)
        self.echo(
            f"{mark}: {len(marked) - held} drafts" + (f", {held} flagged left out" if held else "")
        )

    def _held(self, row: Row, mark: Mark) -> Mark:
        """Return the mark that a bulk decision gives a row: flagged ones are approved one by one."""
        unseen = row.flagged and (row.id, row.revision) not in self._opened
        return Mark.HELD if mark is Mark.APPROVE and unseen else mark

    def on_row_toggled(self, message: RowToggled) -> None:
        """Turn a mark on or off by the mouse, once the card is in view."""
        row = message.row
        if self.shown is not None and self.shown.record.id == row.id:
            self._toggle(row.id)
        else:
            self._toggle_when_shown = row.id

    def _toggle(self, id: str) -> None:
        row = self.rows.row
        if row is None or row.id != id or row.gone:
            return
        if id in self.marks:
            self.marks.clear([id])
        else:
            self.marks.set(self._marked(row, Mark.APPROVE))
        self.marks_changed()

    def do_unmark(self) -> None:
        """Take marks away."""
        keys = (self.rows.pages.key(line) for line in self.rows.selected)
        self.marks.clear([key[0] for key in keys if key is not None])
        self.rows.end_range()
        self.marks_changed()

    def do_undo(self) -> None:
        """Take the last step back."""
        self._shifted("undone", self.marks.undo())

    def do_redo(self) -> None:
        """Do the last undone step again."""
        self._shifted("redone", self.marks.redo())

    def _shifted(self, what: str, step: Step | None) -> None:
        if step is None:
            return
        line = self.rows.line_of((step.id, RecordStatus.PENDING))
        if line is not None:
            self.rows.jump(line)
        self.marks_changed()
        self.echo(f"{what}: {step.words}")

    def marks_changed(self) -> None:
        """Draw the marks anew."""
        self.rows.say("")
        self.rows.refresh()
        self.refresh_bars()
        self.inbox.marks_changed()

    # -- moving

    def advance(self) -> None:
        """Go to the next undecided draft; from the end to the first one that is left."""
        line = self._undecided(range(self.rows.cursor + 1, len(self.rows.pages)))
        if line is None:
            line = self._undecided(range(self.rows.cursor))
        if line is None:
            self.echo("all decided: p shows the plan")
        else:
            self.rows.jump(line)

    def _undecided(self, lines: range) -> int | None:
        pages = self.rows.pages
        for line in lines:
            key, row = pages.key(line), pages.row(line)
            if key is None or not (self.marks.decided(key[0]) or (row and row.gone)):
                return line
        return None

    def lines_ahead(self) -> tuple[int, ...]:
        """Return the lines around, and the next undecided ones."""
        cursor, pages = self.rows.cursor, self.rows.pages
        undecided = (
            n for n in range(cursor + 1, pages.read) if not self.marks.decided(pages.id(n))
        )
        return (*islice(undecided, 3), *super().lines_ahead())

    def do_next_undecided(self) -> None:
        """Next draft without a mark."""
        self._go_undecided(range(self.rows.cursor + 1, len(self.rows.pages)))

    def do_previous_undecided(self) -> None:
        """The draft without a mark before this one."""
        self._go_undecided(range(self.rows.cursor - 1, -1, -1))

    def _go_undecided(self, lines: range) -> None:
        line = self._undecided(lines)
        if line is None:
            self.echo("no undecided draft there")
        else:
            self.rows.jump(line)

    def do_range(self) -> None:
        """Select from here, or stop selecting."""
        if self.rows.selection is None:
            self.rows.start_range()
        else:
            self.rows.end_range()
        self.refresh_bars()

    def do_select_all(self) -> None:
        """Select all that is listed."""
        self.rows.select_all()
        self.refresh_bars()

    def go_to(self, id: str) -> None:
        """Put the cursor on a draft, if it is among those read."""
        line = self.rows.line_of((id, RecordStatus.PENDING))
        if line is not None:
            self.rows.jump(line)

    # -- leading elsewhere

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
        oldest = self.counts.oldest_pending if self.counts else None
        return (
            f"{position} pending",
            f"{marked} marked" if marked else "",
            f"{flagged} flagged" if flagged else "",
            f"{self.fresh} new" if self.fresh else "",
            f"oldest {short_age(self.now - oldest)}" if oldest else "",
        )
