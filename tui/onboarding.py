"""What a newcomer is offered: whether there is anything yet, and which folders could be imported.

Plain functions: they run in jobs.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from store.provider import Desk


@dataclass
class StoreFoundEmpty(Message):
    """Nothing is in the store, not even in the trash."""


def is_empty(desk: Desk) -> StoreFoundEmpty | None:
    """Tell whether a store has nothing in it yet."""
    counts = desk.count()
    return None if counts.total or counts.trashed else StoreFoundEmpty()
