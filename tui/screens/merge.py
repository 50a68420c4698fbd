"""Composing one text of several: an editor with what they say, and their cards beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content

from render.tree import Group
from render.visible import visible
from store.records import Record
from tui.actions import Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.editing import shown_text
from tui.lists import AnyKey
from tui.merging import begin
from tui.messages import JobFailed, RecordsMerged, ReviewsRead
from tui.reading import read_all
from tui.saving import merge
from tui.screens.base import DeskScreen
from tui.text_area import LineEditor, TextEditor


class MergeScreen(DeskScreen):
    """The text that is to be, on the left; what it is made of, on the right.

    Args:
        target: the record that will have the text.
        sources: the drafts that will be rejected once it has.
    """

    WHERE = Where.MERGE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.MERGE)]

    def __init__(self, target: AnyKey, sources: Sequence[AnyKey]) -> None:
        super().__init__()
        self.keys = (target, *sources)
        self.target: Record | None = None
        self.sources: tuple[Record, ...] = ()
        self._begun = ""
        self._saving = False
        self._warned = False

    def compose(self) -> ComposeResult:
        """Lay out the bars, the editor and the cards."""
        count = len(self.keys) - 1
        drafts = "1 draft" if count == 1 else f"{count} drafts"
        yield TopBar(f"Merge {drafts} into {visible(self.keys[0][0])}", id="top")
        with Container(id="panes"):
            with Vertical(id="editor"):
                title = LineEditor(id="edit-title", compact=True)
                title.border_title = "Title"
                yield title
                text = TextEditor("", id="edit-text")
                text.border_title = "Text"
                yield text
            yield Card(id="sources")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Read what is to be merged."""
        keys, clock = self.keys, self.inbox.clock
        self.ask(
            lambda desk: read_all(desk, keys, clock),
            group="merge:read",
            description="reading what is to be merged",
        )

    @property
    def text(self) -> TextEditor:
        """The text's field."""
        return self.query_one(TextEditor)

    @property
    def title_line(self) -> LineEditor:
        """The title's field."""
        return self.query_one(LineEditor)

    def on_reviews_read(self, message: ReviewsRead) -> None:
        """Begin with all that the texts say."""
        self.target, *sources = [read.review.record for read in message.reviews]
        self.sources = tuple(sources)
        self.title_line.value = shown_text(self.target.title)
        self._begun = shown_text(begin(self.target, self.sources))
        self.text.text = self._begun
        self.text.focus()
        cards = Group(tuple(read.node for read in message.reviews[1:]))
        self.query_one("#sources", Card).show(cards, "what is merged")
        kind = (
            "canonical: a revision is made" if not self.target.pending else "draft: edited in place"
        )
        self.query_one(TopBar).facts = (kind,)

    def on_job_failed(self, message: JobFailed) -> None:
        """Keep the text here; without what is to be merged there is nothing to compose."""
        self._saving = False
        if message.group == "merge:read":
            self.inbox.pop_screen()

    def refuse(self, why: str) -> None:
        """Say it in the text's border."""
        self.text.border_subtitle = Content(visible(why))

    def do_save_merge(self) -> None:
        """Write the text."""
        target, sources = self.target, self.sources
        if target is None or self._saving:
            return
        self._saving = True
        title, content, by = self.title_line.value, self.text.text, self.inbox.reviewer
        self.ask(
            lambda desk: merge(desk, target, sources, title, content, by),
            group="merge:save",
            description=f"merging into {target.id}",
            exclusive=False,
        )

    def on_records_merged(self, message: RecordsMerged) -> None:
        """Leave with what was written."""
        message.stop()
        self.inbox.pop_screen()
        self.inbox.records_merged(message)

    def do_back(self) -> None:
        """Leave; when something was composed only when asked twice."""
        if self.text.text != self._begun and not self._warned:
            self._warned = True
            self.refuse("not merged: esc again leaves without merging")
        else:
            self.inbox.pop_screen()

    def acted(self) -> None:
        """Clear what was said."""
        self.text.border_subtitle = None

    def on_text_area_changed(self) -> None:
        """After another change, escape asks again."""
        self._warned = False
