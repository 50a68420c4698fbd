"""The decision journal: append-only lines, each hashed over the one before it, never a record's text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select

from store.clock import from_micros
from store.prepared import Prepared
from store.records import Decision, JournalEntry
from store.tables import journal

_FIELDS = ("seq", "at", "decision", "id", "by", "content_hash", "detail")
_INSERT = Prepared(insert(journal), [*_FIELDS, "hash"])
_LAST = Prepared(select(journal.c.seq, journal.c.hash).order_by(journal.c.seq.desc()).limit(1))
_LINES = select(journal).order_by(journal.c.seq.desc()).limit(bindparam("limit"))
_WALK = (
    select(*(journal.c[field] for field in _FIELDS), journal.c.hash)
    .where(journal.c.seq >= bindparam("first"))
    .order_by(journal.c.seq)
    .limit(bindparam("limit"))
)
_STEP = 1000
_LOWEST = -(2**63)


@dataclass(frozen=True, slots=True)
class Chain:
    """What following the hashes shows.

    Args:
        lines: how many lines follow from those before, from the first on.
        head: the hash of the last of them, empty without any: kept elsewhere, it tells one written anew.
        broken: the first line that does not follow, None when all do.
        why: what is wrong with that line, for people.
    """

    lines: int
    head: str
    broken: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """Who does something to the store, and when.

    Args:
        now: microseconds.
        by: the reviewer of a decision, or what a write is recorded by.
    """

    now: int
    by: str


def append(
    conn: Connection,
    decision: Decision,
    id: str,
    moment: Moment,
    content_hash: str = "",
    detail: str = "",
) -> None:
    """Write a line, within the caller's write transaction.

    Args:
        content_hash: SHA-256 of the text decided on, in hex.
        detail: what was decided on (``draft``, ``revision``, ``canonical``), never a word of the text.
    """
    last = _LAST.first(conn, {})
    seq, before = (last[0] + 1, last[1]) if last else (1, "")
    line = [seq, moment.now, decision.value, id, moment.by, content_hash, detail]
    values = dict(zip(_FIELDS, line, strict=True))
    _INSERT.run(conn, {**values, "hash": chain(before, line)})


def chain(before: str, line: Sequence[Any]) -> str:
    """Return the hash of a line: SHA-256 over the previous line's hash and the line as compact JSON."""
    # A value of no kind that is written, as a forger may leave, gets a hash as well: another one.
    text = json.dumps(line, ensure_ascii=True, separators=(",", ":"), default=repr)
    return hashlib.sha256(f"{before}{text}".encode()).hexdigest()


def history(
    conn: Connection, id: str | None, limit: int, before: int | None
) -> tuple[JournalEntry, ...]:
    """Return lines, newest first; of one id unless None, older than a ``seq`` unless None."""
    query = _LINES
    if id is not None:
        query = query.where(journal.c.id == id)
    if before is not None:
        query = query.where(journal.c.seq < before)
    return tuple(_entry(row) for row in conn.execute(query, {"limit": max(limit, 0)}))


def _entry(row: Row[Any]) -> JournalEntry:
    return JournalEntry(
        seq=row.seq,
        at=from_micros(row.at),
        decision=Decision(row.decision),
        id=row.id,
        by=row.by,
        content_hash=row.content_hash,
        detail=row.detail,
    )


def follow(conn: Connection) -> Chain:
    """Follow the hashes from the first line to the last, or to the first that is wrong; reads every line."""
    # From the lowest number that there can be: a line put before the first is listed as well.
    first, lines, before = _LOWEST, 0, ""
    while rows := conn.execute(_WALK, {"first": first, "limit": _STEP}).all():
        for *line, hash in rows:
            if line[0] != lines + 1:
                why = f"line {lines + 1} should be there"
                return Chain(lines, before, line[0], why)
            if hash != chain(before, line):
                return Chain(
                    lines, before, line[0], "it is not what was hashed when it was written"
                )
            lines, before = lines + 1, hash
        first = lines + 1
    return Chain(lines, before)
