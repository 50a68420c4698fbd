"""Asks for another type or scope of a record, and changes both as one step."""

from __future__ import annotations

import os
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from render.visible import visible
from store.records import MemoryScope, MemoryType, Record
from tui.actions import Need, Where, bindings_of
from tui.applying import reclassify
from tui.bars import KeyBar
from tui.messages import JobFailed, RecordChanged
from tui.screens.base import DeskScreen


class KindScreen(DeskScreen, ModalScreen[None]):
    """Says what the record is and what it would be.

    Args:
        record: as it was seen.
    """

    WHERE = Where.KIND
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.KIND)]

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record
        self.type, self.scope = record.type, record.scope
        # Without a session nothing of session scope would ever be recalled.
        session = record.session_id or record.provenance.source_session_id
        self.scopes = [s for s in MemoryScope if session or s is not MemoryScope.SESSION]
        self._changing = False

    def compose(self) -> ComposeResult:
        """Lay out what it is and would be."""
        with Vertical(id="kind") as box:
            box.border_title = Content(visible(self.record.id))
            yield Static(self._words(), id="kind-words", markup=False)
            yield KeyBar(id="kind-keys")

    def _words(self) -> Content:
        record = self.record
        lines = (
            _line("type ", record.type, self.type),
            _line("scope", record.scope, self.scope),
        )
        return Content("\n".join(lines))

    def refresh_bars(self) -> None:
        """Draw what it would be anew."""
        self.query_one("#kind-words", Static).update(self._words())
        self.query_one(KeyBar).refresh()

    def met(self) -> frozenset[Need]:
        """Tell whether anything would change."""
        other = (self.type, self.scope) != (self.record.type, self.record.scope)
        return super().met() | ({Need.OTHER} if other and not self._changing else set())

    def do_next_type(self) -> None:
        """The next type."""
        kinds = list(MemoryType)
        self.type = kinds[(kinds.index(self.type) + 1) % len(kinds)]
        self.refresh_bars()

    def do_next_scope(self) -> None:
        """The next scope."""
        at = self.scopes.index(self.scope) if self.scope in self.scopes else -1
        self.scope = self.scopes[(at + 1) % len(self.scopes)]
        self.refresh_bars()

    def do_apply_kind(self) -> None:
        """Change it."""
        self._changing = True
        record, kind, by = self.record, (self.type, self.scope), self.inbox.reviewer
        project = record.project_root or os.getcwd()
        self.ask(
            lambda desk: reclassify(desk, record, kind, project, by),
            group="kind",
            description=f"changing {record.id}",
            exclusive=False,
        )

    def on_record_changed(self, message: RecordChanged) -> None:
        """Leave, and let the app tell all screens."""
        message.stop()
        self.inbox.pop_screen()
        self.inbox.post_message(message)

    def on_job_failed(self, message: JobFailed) -> None:
        """Let it be tried again, or left."""
        self._changing = False


def _line(name: str, now: str, then: str) -> str:
    return f"{name}  {now}" + (f" → {then}" if then != now else "")
