"""Editing one record: its title on a line, its text below. Saving can approve in the same step."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from render.visible import visible
from store.records import Record
from tui.actions import Need, Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.editing import shown_text
from tui.messages import JobFailed, RecordEdited, SaveConflicted
from tui.saving import save
from tui.screens.base import DeskScreen
from tui.text_area import LineEditor, TextEditor


class EditScreen(DeskScreen):
    """Title and text of a record, to be changed in place.

    Args:
        record: what is edited, as it was seen.
    """

    WHERE = Where.EDIT
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.EDIT)]

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record
        self._decide = False
        self._saving = False
        self._warned = False  # of changes that escape would drop
        self._overwriting = False

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two fields."""
        yield TopBar(f"Edit {visible(self.record.id)}", id="top")
        title = LineEditor(shown_text(self.record.title), id="edit-title", compact=True)
        title.border_title = "Title"
        yield title
        text = TextEditor(self.record.content, id="edit-text")
        text.border_title = "Text"
        yield text
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin in the text; say so when hidden characters are shown as marks."""
        self.text.focus()
        if shown_text(self.record.content) != self.record.content.replace("\r\n", "\n"):
            self.refuse("hidden characters are shown as marks, and saved as those")
        self.refresh_bars()

    @property
    def text(self) -> TextEditor:
        """The text's field."""
        return self.query_one(TextEditor)

    @property
    def title_line(self) -> LineEditor:
        """The title's field."""
        return self.query_one(LineEditor)

    @property
    def changed(self) -> bool:
        """Whether there is something to save."""
        fields = (self.title_line.value, self.text.text)
        return fields != (shown_text(self.record.title), shown_text(self.record.content))

    def met(self) -> frozenset[Need]:
        """Only drafts can be approved."""
        return super().met() | ({Need.DRAFT} if self.record.pending else set())

    def refuse(self, why: str) -> None:
        """Say it in the text's border."""
        self.text.border_subtitle = Content(visible(why))

    def do_save(self) -> None:
        """Save; without a change there is nothing to do but leave."""
        self._save(decide=False)

    def do_save_and_approve(self) -> None:
        """Save and mark for approval."""
        self._save(decide=True)

    def _save(self, *, decide: bool) -> None:
        if self._saving:
            return
        # Where it applies and what it replaces may be other than was seen: its card has to be looked at.
        self._decide = decide and not self._overwriting
        if not self.changed:
            self._finish(RecordEdited(self.record, self.record))
            return
        self._saving = True
        record, by = self.record, self.inbox.reviewer
        title, content = self.title_line.value, self.text.text
        self.ask(
            lambda desk: save(desk, record, title, content, by),
            group="edit:save",
            description=f"saving {record.id}",
            exclusive=False,
        )

    def on_record_edited(self, message: RecordEdited) -> None:
        """Leave with what was saved."""
        message.stop()
        self._finish(message)

    def _finish(self, message: RecordEdited) -> None:
        message.decide = self._decide
        self.inbox.pop_screen()
        self.inbox.record_edited(message)

    def on_save_conflicted(self, message: SaveConflicted) -> None:
        """Keep the text here; a second save goes over what somebody else wrote."""
        self._saving = False
        self._overwriting = True
        self.record = message.now
        self.refuse("it has changed since you opened it: saving again overwrites that, unapproved")
        self.refresh_bars()

    def on_job_failed(self, message: JobFailed) -> None:
        """Keep the text here: it can be saved again."""
        self._saving = False

    def do_back(self) -> None:
        """Leave; with unsaved changes only when asked twice."""
        if self.changed and not self._warned:
            self._warned = True
            self.refuse("not saved: esc again leaves without saving")
        else:
            self.inbox.pop_screen()

    def acted(self) -> None:
        """Clear what was said."""
        self.text.border_subtitle = None

    def on_text_area_changed(self) -> None:
        """After another change, escape asks again."""
        self._warned = False

    def refresh_bars(self) -> None:
        """Say what is edited."""
        record = self.record
        kind = "revision" if record.is_revision else record.status.value
        self.query_one(TopBar).facts = (kind, record.type.value, f"{record.scope.value} scope")
