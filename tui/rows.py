"""What a list keeps of a record: a line's worth, without the text, so that long lists stay small."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from store.records import MemoryScope, MemoryType, Record, RecordStatus


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list.

    Args:
        revision: the record's revision when the list was read.
        flagged: whether the text holds something to be warned of; None while nobody has looked.
        gone: why the record is no longer there ("withdrawn"), empty while it is. Its line stays, so that
            nothing moves under the cursor, until the list is read again.
    """

    id: str
    title: str
    type: MemoryType
    scope: MemoryScope
    status: RecordStatus
    created_at: datetime
    revision: str
    is_revision: bool
    flagged: bool | None
    gone: str = ""

    @property
    def key(self) -> tuple[str, RecordStatus]:
        """What tells rows apart: a canonical record and its pending revision share their id."""
        return (self.id, self.status)


def key_of(record: Record) -> tuple[str, RecordStatus]:
    """Return what tells a record's row apart."""
    return (record.id, record.status)


def row_of(record: Record, *, flagged: bool | None = False) -> Row:
    """Return the line that stands for a record in a list."""
    return Row(
        record.id,
        record.title,
        record.type,
        record.scope,
        record.status,
        record.created_at,
        record.revision,
        record.is_revision,
        flagged,
    )


def short_age(age: timedelta) -> str:
    """Return an age in at most four cells: ``now``, ``5m``, ``2h``, ``9d``, ``3w``, ``11mo``, ``2y``."""
    minutes, days = int(age.total_seconds()) // 60, age.days
    if minutes < 1:
        return "now"
    if minutes < 60:
        return f"{minutes}m"
    if days < 1:
        return f"{minutes // 60}h"
    if days < 14:
        return f"{days}d"
    if days < 30:
        return f"{days // 7}w"
    return f"{days // 30}mo" if days < 365 else f"{days // 365}y"
