"""Merging drafts into one record: what the text begins as, and what is written.

Merging writes one draft: a draft is edited, of a canonical record a pending revision is made. Then that draft
is marked for approval and the merged ones for rejection, so that a merge goes through the plan like
everything else, and undo takes it back.
"""

from __future__ import annotations

from collections.abc import Sequence

from store.provider import Desk
from store.records import Origin, Record
from tui.editing import revise, wording_of
from tui.marks import Edit, Mark, Marked, Marks, Step


def begin(target: Record, sources: Sequence[Record]) -> str:
    """Return the text to compose from: the target's, then what the others have that it has not."""
    parts = [target.content.strip("\n")]
    known = {line.strip() for line in target.content.splitlines()}
    for source in sources:
        fresh = [
            line for line in source.content.strip("\n").splitlines() if line.strip() not in known
        ]
        if any(line.strip() for line in fresh):
            parts.append("\n".join(fresh))
        known.update(line.strip() for line in fresh)
    return "\n\n".join(parts) + "\n"


def merge(
    desk: Desk, target: Record, sources: Sequence[Record], title: str, content: str, by: str
) -> tuple[Record, Edit]:
    """Write a merged text as a draft; returns the draft, and the edit that undo takes back.

    Raises:
        Conflict: the target has changed since it was seen, or has a revision waiting.
    """
    origin = Origin()
    if target.pending:
        after = desk.edit(target.id, target.revision, title=title, content=content, by=by)
    else:
        first = sources[0].provenance
        origin = Origin(turn_id=first.source_turn_id, source_session_id=first.source_session_id)
        after = revise(desk, target, target.revision, title, content, origin)
    made = not target.pending
    return after, Edit(target.id, wording_of(target), wording_of(after), made, origin)


def note_merge(marks: Marks, after: Record, edit: Edit, sources: Sequence[Record]) -> Step:
    """Approve what was merged into and reject what was merged, as one step."""
    approved = Marked(after.id, Mark.APPROVE, after.revision, after.is_revision)
    rejected = [
        Marked(source.id, Mark.REJECT, source.revision, source.is_revision) for source in sources
    ]
    return marks.edited(edit, approved, *rejected)
