"""Writing a record oneself: a title, a text, a type and a scope; it becomes a draft like any other."""

from __future__ import annotations

import os
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from render.visible import visible
from store.records import MemoryScope, MemoryType, Record
from tui.actions import Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.editing import shown_text
from tui.messages import DraftWritten, JobFailed
from tui.saving import write_draft
from tui.screens.base import DeskScreen
from tui.text_area import LineEditor, TextEditor


class NewScreen(DeskScreen):
    """Title and text of a record to be.

    Args:
        title: to begin with.
        like: a record whose type, scope, session and project it begins with.
    """

    WHERE = Where.NEW
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.NEW)]

    def __init__(self, title: str = "", like: Record | None = None) -> None:
        super().__init__()
        self._begun = title
        self.type = like.type if like else MemoryType.PROJECT
        self.session = like.session_id if like else ""
        self.project = (like.project_root if like else "") or os.getcwd()
        # Without a session nothing of session scope would ever be recalled.
        self.scopes = [s for s in MemoryScope if self.session or s is not MemoryScope.SESSION]
        self.scope = like.scope if like and like.scope in self.scopes else MemoryScope.PROJECT
        self._saving = False
        self._warned = False

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two fields."""
        yield TopBar("New record", id="top")
        title = LineEditor(shown_text(self._begun), id="edit-title", compact=True)
        title.border_title = "Title"
        yield title
        text = TextEditor("", id="edit-text")
        text.border_title = "Text"
        yield text
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin where something is missing."""
        (self.text if self._begun else self.title_line).focus()
        self.refresh_bars()

    @property
    def text(self) -> TextEditor:
        """The text's field."""
        return self.query_one(TextEditor)

    @property
    def title_line(self) -> LineEditor:
        """The title's field."""
        return self.query_one(LineEditor)

    def refresh_bars(self) -> None:
        """Say what it will be, and where it will apply."""
        top = self.query_one(TopBar)
        where = {MemoryScope.PROJECT: self.project, MemoryScope.SESSION: self.session}
        top.facts = ("draft", self.type.value, f"{self.scope.value} scope")
        top.aside = where.get(self.scope, "everywhere")
        self.query_one(KeyBar).refresh()

    def refuse(self, why: str) -> None:
        """Say it in the text's border."""
        self.text.border_subtitle = Content(visible(why))

    def acted(self) -> None:
        """Clear what was said."""
        self.text.border_subtitle = None

    def do_next_type(self) -> None:
        """The next type."""
        kinds = list(MemoryType)
        self.type = kinds[(kinds.index(self.type) + 1) % len(kinds)]
        self.refresh_bars()

    def do_next_scope(self) -> None:
        """The next scope."""
        self.scope = self.scopes[(self.scopes.index(self.scope) + 1) % len(self.scopes)]
        self.refresh_bars()

    def do_save_new(self) -> None:
        """Save it as a draft."""
        self._save(approve=False)

    def do_save_new_and_approve(self) -> None:
        """Save it and mark it for approval."""
        self._save(approve=True)

    def _save(self, *, approve: bool) -> None:
        title, content = self.title_line.value.strip(), self.text.text
        if not title or not content.strip():
            self.refuse("it needs a title" if not title else "it needs a text")
            return
        if self._saving:
            return
        self._saving = True
        kind = (self.type, self.scope)
        project, session = self.project, self.session
        self.ask(
            lambda desk: write_draft(
                desk, title, content, kind, project=project, session=session, approve=approve
            ),
            group="new:save",
            description=f"writing {title}",
            exclusive=False,
        )

    def on_draft_written(self, message: DraftWritten) -> None:
        """Leave with what was written."""
        message.stop()
        self.inbox.pop_screen()
        self.inbox.post_message(message)

    def on_job_failed(self, message: JobFailed) -> None:
        """Keep the text here: it can be saved again."""
        self._saving = False

    def do_back(self) -> None:
        """Leave; when something was written only when asked twice."""
        if self.text.text.strip() and not self._warned:
            self._warned = True
            self.refuse("not saved: esc again leaves without saving")
        else:
            self.inbox.pop_screen()

    def on_text_area_changed(self) -> None:
        """After another change, escape asks again."""
        self._warned = False
