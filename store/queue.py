"""The state of the queue of drafts, as readers get it: how much waits, since when, from whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from store.records import MemoryType, Record

AGES = (timedelta(hours=1), timedelta(days=1), timedelta(days=7), timedelta(days=30))
"""Where one age of drafts ends and the next begins; the last one has no end."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of the drafts of one source; an approval that was taken back is none."""

    approved: int = 0
    rejected: int = 0

    @property
    def acceptance(self) -> float | None:
        """The share of approvals, in [0, 1]; None while nothing was decided."""
        total = self.approved + self.rejected
        return self.approved / total if total else None


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits, counted.

    Args:
        waiting: how many drafts.
        ages: how many of each age of `AGES`, the youngest first: one more than `AGES` has.
        types: how many of each type; a type without drafts is left out.
        sources: how many of each writer (``recorded_by``).
        oldest: id and time of the draft that waits longest.
        decided: the latest decisions by source; empty where the provider keeps no journal.
    """

    waiting: int = 0
    ages: tuple[int, ...] = (0,) * (len(AGES) + 1)
    types: Mapping[MemoryType, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    oldest: tuple[str, datetime] | None = None
    decided: Mapping[str, Decided] = field(default_factory=dict)


def queue_of(records: Iterable[Record], now: datetime) -> Queue:
    """Count the drafts among some records, where a provider has no counts of its own."""
    drafts = [record for record in records if record.pending]
    ages = Counter(age_of(now - draft.created_at) for draft in drafts)
    oldest = min(drafts, key=lambda draft: draft.created_at, default=None)
    return Queue(
        len(drafts),
        tuple(ages[place] for place in range(len(AGES) + 1)),
        Counter(draft.type for draft in drafts),
        Counter(draft.provenance.recorded_by for draft in drafts),
        (oldest.id, oldest.created_at) if oldest else None,
    )


def age_of(age: timedelta) -> int:
    """Return the place in `Queue.ages` of a draft's age."""
    return sum(age >= edge for edge in AGES)
