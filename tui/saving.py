"""Edits in the app: written in jobs that return what became of the record as a message."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from store.errors import Conflict, NotFound
from store.provider import Desk
from store.records import MemoryScope, MemoryType, NewRecord, Record
from tui import editing, merging
from tui.marks import Edit
from tui.messages import (
    DraftBegun,
    DraftWritten,
    RecordEdited,
    RecordsMerged,
    SaveConflicted,
)


def save(
    desk: Desk, record: Record, title: str, content: str, by: str
) -> RecordEdited | SaveConflicted:
    """Write an edited record, checked against the revision that the editor started from."""
    try:
        after = desk.edit(record.id, record.revision, title=title, content=content, by=by)
    except Conflict:
        return SaveConflicted(desk.review(record.id, record.status).record)
    return RecordEdited(record, after)


def reword(desk: Desk, edit: Edit, by: str, *, back: bool) -> RecordEdited:
    """Take an edit back, or do it again."""
    return RecordEdited(*editing.reword(desk, edit, by, back=back), reworded=True)


def merge(
    desk: Desk, target: Record, sources: Sequence[Record], title: str, content: str, by: str
) -> RecordsMerged:
    """Write a merged text as a draft, as `tui.merging.merge` does."""
    after, edit = merging.merge(desk, target, sources, title, content, by)
    return RecordsMerged(after, tuple(sources), edit)


def write_draft(
    desk: Desk,
    title: str,
    content: str,
    kind: tuple[MemoryType, MemoryScope],
    *,
    project: str,
    session: str,
    approve: bool,
) -> DraftWritten:
    """Write a draft of the operator's own; arguments as in `tui.editing.write_draft`."""
    origin = editing.origin_of_own(kind[1], project, session)
    record = editing.write_draft(desk, NewRecord(*kind, title, content), origin)
    return DraftWritten(record, approve)


def read_like(desk: Desk, title: str, id: str) -> DraftBegun:
    """Read a record whose type, scope and project a new one begins with."""
    with suppress(NotFound):
        return DraftBegun(title, desk.review(id).record)
    return DraftBegun(title, None)
