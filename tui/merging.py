"""Merging drafts into one record: what the text begins as, and what is written.

Merging writes one draft: a draft is edited, of a canonical record a pending revision is made. Then that draft
is marked for approval and the merged ones for rejection, so that a merge goes through the plan like
everything else, and undo takes it back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from store.provider import Desk
from store.records import Origin, Record
from tui.editing import revise, wording_of
from tui.lists import AnyKey
from tui.marks import Edit
from tui.messages import RecordsMerged, ReviewsRead
from tui.reading import read_review


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
) -> RecordsMerged:
    """Write a merged text as a draft.

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
    edit = Edit(target.id, wording_of(target), wording_of(after), made, origin)
    return RecordsMerged(after, tuple(sources), edit)


def read_all(desk: Desk, keys: Sequence[AnyKey], clock: Callable[[], datetime]) -> ReviewsRead:
    """Read the reviews of all that is to be merged, in order.

    Raises:
        NotFound: one of them is no longer there.
    """
    return ReviewsRead(tuple(read_review(desk, key, clock) for key in keys))
