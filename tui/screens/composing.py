"""Edits and merges as steps among the marks: made with a mark, taken back with it."""

from __future__ import annotations

from store.records import Record
from tui.actions import Need
from tui.cards import is_flagged
from tui.editing import note_edit
from tui.marks import Edit, Mark
from tui.merging import note_merge
from tui.messages import JobFailed, RecordEdited, RecordsMerged
from tui.rows import key_of, row_of
from tui.saving import reword
from tui.screens.marking import MarkingScreen


class ComposingScreen(MarkingScreen):
    """A list of drafts that can be marked, edited, compared and merged."""

    def __init__(self) -> None:
        super().__init__()
        self._rewording: str | None = None  # the draft whose edit is being taken back or done again

    def met(self) -> frozenset[Need]:
        """Tell whether there is something to compare or to merge with."""
        needs = set(super().met())
        if self._rewording is None:
            needs.add(Need.SETTLED)
        selection = self.rows.selection
        if selection is not None:
            if len(selection) > 1 and self.rows.cursor in selection:
                needs.add(Need.MERGEABLE)
        elif self.shown is not None and self.shown.near:
            needs |= {Need.NEAR, Need.MERGEABLE}
        return frozenset(needs)

    def busy(self) -> bool:
        """While an edit is taken back the store and the marks differ: no time to compare them."""
        return super().busy() or self._rewording is not None

    def reword(self, edit: Edit, *, back: bool) -> None:
        """Have the store take an edit back, or do it again."""
        self._rewording = edit.id
        by = self.inbox.reviewer
        self.ask(
            lambda desk: reword(desk, edit, by, back=back),
            group=f"{self.WHERE}:reword",
            description=f"taking back the edit of {edit.id}"
            if back
            else f"editing {edit.id} again",
            exclusive=False,
        )

    def on_job_failed(self, message: JobFailed) -> None:
        """Let go of an edit that could not be taken back: the draft is not what it was."""
        if message.group == f"{self.WHERE}:reword" and self._rewording is not None:
            self.marks.forget(self._rewording)
            self._rewording = None
            self.marks_changed()

    def records_merged(self, message: RecordsMerged) -> None:
        """Approve what was merged into, reject what was merged, as one step."""
        step = note_merge(self.marks, message.after, message.edit, message.sources)
        self.forget_reviews()
        self.rows.end_range()
        self.rows.pages.replace(row_of(message.after, flagged=is_flagged(message.after)))
        self.marks_changed()
        self.look()
        self.echo(step.words)
        if self.rows.row is not None and self.marks.decided(self.rows.row.id):
            self.advance()

    def record_edited(self, message: RecordEdited) -> None:
        """Keep an edit among the steps that can be undone; approve the draft if that was asked."""
        before, after = message.before, message.after
        if message.reworded:
            self._rewording = None
            self._follow_rewording(before, after)
        elif after.pending:
            note_edit(self.marks, before, after, Mark.APPROVE if message.decide else None)
        super().record_edited(message)
        self.marks_changed()
        if message.decide:
            self.advance()

    def _follow_rewording(self, before: Record, after: Record) -> None:
        """Take a revision that was taken back out of the list; one that is made again comes by itself."""
        if before.pending and not after.pending:
            line = self.rows.line_of(key_of(before))
            self.rows.pages.remove(key_of(before))
            above = line is not None and line < self.rows.cursor
            self.rows.lines_changed(cursor=self.rows.cursor - above)
        elif after.pending and not before.pending:
            self.look()

    def do_compare(self) -> None:
        """Show the draft beside what is much like it."""
        from tui.screens.compare import CompareScreen

        if self.shown is not None:
            self.inbox.push_screen(CompareScreen(self.shown, self.node))

    def do_merge(self) -> None:
        """Compose one text of what is selected, or of the draft and what is most like it."""
        from tui.screens.merge import MergeScreen

        pages, cursor = self.rows.pages, self.rows.cursor
        if self.rows.selection is None:
            self.do_compare()
            return
        keys = [key for line in self.rows.selected if line != cursor and (key := pages.key(line))]
        target = pages.key(cursor)
        if target is not None:
            self.inbox.push_screen(MergeScreen(target, keys))
