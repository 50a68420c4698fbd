"""Counts of what waits for a decision, and of what was decided: each from an index or a bounded part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from typing import Any

from sqlalchemy import Connection, bindparam, case, func, select

from store.clock import from_micros
from store.queue import AGES, Decided, Queue
from store.records import Decision, MemoryType, RecordStatus
from store.tables import journal, record

LINES = 20_000
"""Lines of the journal, the latest, from which acceptance is told."""

_IDS = 500  # asked for at once
_WAITS = record.c.status == RecordStatus.PENDING.value
_TYPES = select(record.c.type, func.count()).where(_WAITS).group_by(record.c.type)
_SOURCES = select(record.c.recorded_by, func.count()).where(_WAITS).group_by(record.c.recorded_by)
_OLDEST = (
    select(record.c.id, record.c.created_at).where(_WAITS).order_by(record.c.created_at).limit(1)
)
_COLUMNS = (journal.c.seq, journal.c.decision, journal.c.id, journal.c.by, journal.c.detail)
_LATEST = select(*_COLUMNS).order_by(journal.c.seq.desc()).limit(LINES)
_BEFORE = (
    select(*_COLUMNS)
    .where(journal.c.id.in_(bindparam("ids", expanding=True)), journal.c.seq < bindparam("first"))
    .order_by(journal.c.seq)
)
_WRITES = frozenset({Decision.RECORD.value, Decision.UPDATE.value})
_WAITING = frozenset({"draft", "revision"})  # what a write may be of, and wait


def queue(conn: Connection, now: int) -> Queue:
    """Return the state of the queue.

    Args:
        now: what ages are measured to, in microseconds.
    """
    oldest = conn.execute(_OLDEST).first()
    types = {MemoryType(type): count for type, count in conn.execute(_TYPES)}
    return Queue(
        sum(types.values()),
        _ages(conn, now),
        types,
        dict(conn.execute(_SOURCES).all()),
        (oldest.id, from_micros(oldest.created_at)) if oldest else None,
        decided(conn),
    )


def _ages(conn: Connection, now: int) -> tuple[int, ...]:
    edges = [now - int(age.total_seconds() * 1_000_000) for age in AGES]
    older = (func.sum(case((record.c.created_at <= edge, 1), else_=0)) for edge in edges)
    total, *at_least = conn.execute(select(func.count(), *older).where(_WAITS)).one()
    steps = [total, *(count or 0 for count in at_least), 0]
    return tuple(first - second for first, second in pairwise(steps))


def decided(conn: Connection) -> dict[str, Decided]:
    """Return what became of drafts, by who wrote them, as far as the latest lines of the journal tell."""
    lines: Sequence[Sequence[Any]] = conn.execute(_LATEST).all()[::-1]
    tally = _Tally()
    if len(lines) == LINES:
        missing = dict.fromkeys(line[2] for line in lines)
        for line in _written_before(conn, missing, lines[0][0]):
            tally.follow(line)
        tally.counts.clear()
    for line in lines:
        tally.follow(line)
    return {
        source: Decided(max(approved, 0), rejected)  # taken back, and approved before those lines
        for source, (approved, rejected) in tally.counts.items()
        if approved > 0 or rejected
    }


def _written_before(conn: Connection, ids: Iterable[str], first: int) -> Iterable[Sequence[Any]]:
    """Yield the lines about some ids before a line, each id's in order."""
    rest = iter(ids)
    while chunk := list(islice(rest, _IDS)):
        yield from conn.execute(_BEFORE, {"ids": chunk, "first": first})


class _Tally:
    """Follows the journal: who wrote what waits, and what became of it.

    Whoever wrote first since the last decision about an id is the source; an operator's edit of the draft
    does not make it the operator's.
    """

    def __init__(self) -> None:
        self.counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        self._waiting: dict[str, str] = {}
        self._approved: dict[str, str] = {}

    def follow(self, line: Sequence[Any]) -> None:
        """Take one more line: seq, decision, id, by and detail."""
        _, decision, id, by, detail = line
        if decision in _WRITES:
            if detail in _WAITING:
                self._waiting.setdefault(id, by)
        elif decision == Decision.APPROVE:
            if (source := self._waiting.pop(id, None)) is not None:
                self._approved[id] = source
                self.counts[source][0] += 1
        elif decision == Decision.REJECT:
            if (source := self._waiting.pop(id, None)) is not None:
                self.counts[source][1] += 1
        elif decision == Decision.UNAPPROVE:
            if (source := self._approved.pop(id, None)) is not None:
                self._waiting[id] = source
                self.counts[source][0] -= 1
        elif decision == Decision.WITHDRAW:
            self._waiting.pop(id, None)
