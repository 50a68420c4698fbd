"""Marking drafts: one by one or many at once, with undo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from render.tree import Node
from store.records import Claim, Record, RecordStatus, Review
from tui.actions import BY_ID, Need
from tui.claiming import has_expired, tell_lost
from tui.lists import read_rows
from tui.marks import Edit, Mark, Marked, Marks, Step, in_bulk
from tui.messages import ClaimsTakenOver, RowsGathered, RowToggled
from tui.rows import Row, row_of
from tui.screens.live import LiveScreen

NAMED_NOTICES = 5  # dropped marks that are named; more are counted


class MarkingScreen(LiveScreen):
    """A list of drafts that can be marked. Marks are of what was on the card, or in the list for many."""

    def __init__(self) -> None:
        super().__init__()
        self._opened: set[tuple[str, str]] = set()  # id and revision of drafts whose card was seen
        self._toggle_when_shown: str | None = None
        self._select_when_read = False

    @property
    def marks(self) -> Marks:
        """The marks of this sitting."""
        return self.inbox.marks

    def mark_of(self, id: str) -> Marked | None:
        """Return the mark of a draft."""
        return self.marks.get(id)

    def met(self) -> frozenset[Need]:
        """Tell what the marks allow."""
        needs = set(super().met())
        row = self.rows.row
        holds = {
            Need.UNDO: self.marks.can_undo,
            Need.REDO: self.marks.can_redo,
            Need.MARKS: len(self.marks) > 0,
            Need.APPLIED: bool(self.inbox.approved),
            Need.MARK: row is not None and row.id in self.marks,
            Need.DRAFT: row is not None and row.status is RecordStatus.PENDING,
        }
        needs.update(need for need, held in holds.items() if held)
        if self.rows.selection is not None:
            needs |= {Need.CARD, Need.MARK, Need.DRAFT, Need.UNCHANGED, Need.FREE, Need.EXPIRED}
        return frozenset(needs)

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

    def drafts_claimed(self, claims: Sequence[Claim]) -> None:
        """Drop the marks on drafts that others have."""
        self.show_claims((self.claims | {claim.id: claim for claim in claims}).values())
        self.drafts_touched(tell_lost(claims, self.now), {})

    def do_take_over(self) -> None:
        """Claim what others have let expire."""
        keys = (self.rows.pages.key(line) for line in self.rows.selected)
        claims = [claim for key in keys if key and (claim := self.claim_of(key[0]))]
        ids = tuple(claim.id for claim in claims if has_expired(claim, self.now))
        self.rows.end_range()
        if not ids:
            self.refuse(f"{BY_ID['take_over'].label}: {Need.EXPIRED}")
            return
        self.ask(
            lambda desk: ClaimsTakenOver(ids, desk.claim(ids, take_over=True)),
            group=f"{self.WHERE}:take-over",
            description="taking claims over",
            exclusive=False,
        )

    def on_claims_taken_over(self, message: ClaimsTakenOver) -> None:
        """Say which drafts can be marked now."""
        refused = {claim.id: claim for claim in message.refused}
        others = {id: claim for id, claim in self.claims.items() if id not in message.ids}
        self.show_claims((others | refused).values())
        taken = [id for id in message.ids if id not in refused]
        what = taken[0] if len(taken) == 1 else f"{len(taken)} drafts"
        self.echo(f"taken over: {what}")

    def draft_written(self, record: Record, *, approve: bool) -> None:
        """Mark a draft of the operator's own."""
        if approve:
            self.marks.set(Marked(record.id, Mark.APPROVE, record.revision))
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
        pages, lines = self.rows.pages, self.rows.selected
        rows = [row for line in lines if (row := pages.row(line)) and row.flagged is not None]
        if len(rows) == len(lines):
            self._mark_rows(rows, mark)
            return
        if pages.read < lines.stop:
            self.refuse("the list is still being read")
            return
        # Rows far from view were forgotten, or not looked at yet: read them again, and no others.
        keys = frozenset(pages.keys_between(lines.start, lines.stop - 1))
        chosen = self.chosen
        self.ask(
            lambda desk: RowsGathered(tuple(read_rows(desk, chosen, self.LISTED, keys)), mark),
            group=f"{self.WHERE}:gather",
            description="reading what is selected",
        )

    def on_rows_gathered(self, message: RowsGathered) -> None:
        """Mark what was selected, now that all of it is there."""
        self._mark_rows(message.rows, message.mark)

    def _mark_rows(self, rows: Sequence[Row], mark: Mark) -> None:
        drafts = [row for row in rows if _can_be_marked(row)]
        free = [row for row in drafts if mark is Mark.SKIP or self.claim_of(row.id) is None]
        marked = [self._marked(row, self._held(row, mark)) for row in free]
        self.rows.end_range()
        self.marks.set(*marked)
        self.marks_changed()
        held, claimed = sum(item.mark is Mark.HELD for item in marked), len(drafts) - len(free)
        left_out = [(held, "flagged"), (claimed, "claimed by others")]
        words = "".join(f", {number} {what} left out" for number, what in left_out if number)
        self.echo(f"{mark}: {len(marked) - held} drafts{words}")

    def _held(self, row: Row, mark: Mark) -> Mark:
        """Return the mark that a bulk decision gives a row: flagged ones are approved one by one."""
        unseen = bool(row.flagged) and (row.id, row.revision) not in self._opened
        return in_bulk(mark, unseen=unseen)

    def on_row_toggled(self, message: RowToggled) -> None:
        """Turn a mark on or off by the mouse, once the card is in view."""
        row = message.row
        if self.shown is not None and self.shown.record.id == row.id:
            self._toggle(row.id)
        else:
            self._toggle_when_shown = row.id

    def _toggle(self, id: str) -> None:
        row = self.rows.row
        if row is None or row.id != id or not _can_be_marked(row):
            return
        if (why := self.unmet(BY_ID["approve"])) is not None and id not in self.marks:
            self.refuse(why)
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
        if step.edit is not None:
            self.reword(step.edit, back=what == "undone")
        self.marks_changed()
        self.echo(f"{what}: {step.words}")

    def reword(self, edit: Edit, *, back: bool) -> None:
        """Have the store take an edit back, or do it again."""
        raise NotImplementedError

    def marks_changed(self) -> None:
        """Draw the marks anew."""
        self.rows.say("")
        self.rows.refresh()
        self.refresh_bars()
        self.inbox.marks_changed()

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
            if key is None or not (self._settled(key[0]) or (row and row.gone)):
                return line
        return None

    def _settled(self, id: str) -> bool:
        """Tell whether a draft needs no attention here: it is marked, or somebody else is at it."""
        claim = self.claim_of(id)
        held = claim is not None and not has_expired(claim, self.now)
        return held or self.marks.decided(id)

    def lines_ahead(self) -> tuple[int, ...]:
        """Return the lines around, and the next undecided ones."""
        cursor, pages = self.rows.cursor, self.rows.pages
        undecided = (n for n in range(cursor + 1, pages.read) if not self._settled(pages.id(n)))
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
        """Select all that is listed; what was not read yet is read first, to be there to be seen."""
        if self.rows.pages.complete:
            self.rows.select_all()
            self.refresh_bars()
        else:
            self.echo("reading all of the list")
            self._select_when_read = True
            self.reload(whole=True)

    def list_shown(self) -> None:
        """Select what was read to be selected."""
        super().list_shown()
        if self._select_when_read:
            self._select_when_read = False
            self.rows.select_all()


def _can_be_marked(row: Row) -> bool:
    return row.status is RecordStatus.PENDING and not row.gone
