"""Changing what a record is, and deleting it: each with what takes it back.

Plain functions over a desk.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from store.errors import Conflict, NotFound
from store.provider import Desk
from store.records import MemoryScope, MemoryType, Origin, Record, RecordStatus


@dataclass(frozen=True, slots=True)
class Reversal:
    """What takes a change back.

    Args:
        id: of the record that was changed.
        run: takes it back, given a desk and who asks for it, and says in a sentence what was done.
    """

    id: str
    run: Callable[[Desk, str], str]


def reclassify(
    desk: Desk, record: Record, kind: tuple[MemoryType, MemoryScope], project: str, by: str
) -> tuple[Record, Reversal]:
    """Give a record another type or scope.

    Args:
        record: as it was seen.
        project: binds project scope where the record does not say its project.

    Raises:
        Conflict: it has changed since, or a revision of it waits.
    """
    after = desk.reclassify(
        record.id, record.revision, type=kind[0], scope=kind[1], project_root=project, by=by
    )

    def back(desk: Desk, by: str) -> str:
        was = desk.reclassify(
            after.id,
            after.revision,
            type=record.type,
            scope=record.scope,
            project_root=record.project_root,
            by=by,
        )
        return f"{was.id} is {was.type}, {was.scope} scope again."

    return after, Reversal(record.id, back)


def delete(desk: Desk, record: Record, by: str) -> tuple[int, Reversal]:
    """Move a canonical record to the trash; a revision of it that waits would be lost, so it must not wait.

    Returns:
        How many links to it are broken then, and what brings it back.

    Raises:
        Conflict: it has changed since it was seen, or a revision of it waits.
    """
    seen = desk.review(record.id, RecordStatus.CANONICAL)
    if seen.record.revision != record.revision:
        raise Conflict(f"{record.id} has changed since you looked; nothing was deleted")
    with suppress(NotFound):
        waiting = desk.review(record.id, RecordStatus.PENDING).record
        raise Conflict(f"a revision of {waiting.id} waits", hint="Decide it first.")
    desk.delete_record(record.id, Origin(recorded_by=by))

    def back(desk: Desk, by: str) -> str:
        return f"{desk.restore(record.id, by).id} is back."

    return len(seen.backlinks), Reversal(record.id, back)


def take_back(desk: Desk, reversal: Reversal, by: str) -> str:
    """Take a change back; returns what was done, in a sentence."""
    return reversal.run(desk, by)
