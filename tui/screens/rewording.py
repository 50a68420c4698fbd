"""A screen whose card can be edited: here, or in the operator's own editor."""

from __future__ import annotations

from tui.actions import Need
from tui.editing import edit_outside, editor
from tui.messages import RecordChanged, RecordEdited, SaveConflicted
from tui.saving import save
from tui.screens.reader import ReaderScreen


class RewordingScreen(ReaderScreen):
    """Leads from the card to an editor, and back with what was saved."""

    def met(self) -> frozenset[Need]:
        """Tell whether there is an editor outside."""
        return super().met() | ({Need.EDITOR} if editor() is not None else set())

    def do_edit(self) -> None:
        """Edit the record on the card."""
        from tui.screens.edit import EditScreen

        if self.shown is not None:
            self.inbox.push_screen(EditScreen(self.shown.record))

    def do_edit_outside(self) -> None:
        """Edit the record on the card in the operator's own editor."""
        command = editor()
        if command is None or self.shown is None:
            return
        record, by = self.shown.record, self.inbox.reviewer
        with self.inbox.suspend():
            title, content = edit_outside(command, record.title, record.content)
        if (title, content) == (record.title, record.content):
            self.refuse("nothing was changed")
            return
        self.ask(
            lambda desk: save(desk, record, title, content, by),
            group=f"{self.WHERE}:save",
            description=f"saving {record.id}",
            exclusive=False,
        )

    def do_kind(self) -> None:
        """Choose another type or scope."""
        from tui.screens.kind import KindScreen

        if self.shown is not None:
            self.inbox.push_screen(KindScreen(self.shown.record))

    def on_record_changed(self, message: RecordChanged) -> None:
        """Let the app tell all screens."""
        message.stop()
        self.inbox.post_message(message)

    def on_record_edited(self, message: RecordEdited) -> None:
        """Tell all screens: a list below this one may show the record too."""
        message.stop()
        self.inbox.record_edited(message)

    def on_save_conflicted(self, message: SaveConflicted) -> None:
        """Say that what came out of the editor was not saved."""
        self.inbox.say(
            f"{message.now.id} has changed since you opened it; nothing was saved.",
            title="Changed since you looked",
            severity="error",
        )
