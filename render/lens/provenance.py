"""Rule ``provenance``: facts about where a record comes from that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import regex

from render.lens.finding import Finding, Severity

CONTRADICTION = "provenance"

_ULID = regex.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", regex.I)
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_APART = timedelta(days=1)  # between a turn and what was recorded in it: clocks differ, days do not


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record says that it comes from; empty strings for what is unknown.

    Args:
        rewritten_by: who gave it its present text, where that is another than who recorded it.
    """

    scope: str
    session: str = ""
    turn: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    rewritten_by: str = ""


def contradictions(source: Source, now: datetime | None = None) -> Iterator[Finding]:
    """Yield what cannot all be true of a record's source.

    Args:
        source: of the record; its times aware.
        now: the reader's time, to tell records from the future; None leaves that out.
    """
    if source.rewritten_by:
        yield _finding(Severity.WARNING, f"was given its text by another: {source.rewritten_by}")
    if source.turn and not source.session:
        yield _finding(Severity.NOTE, "names a turn and no session")
    if source.turn and (at := _time_of(source.turn)) is None:
        yield _finding(Severity.NOTE, "names a turn that is no turn's id")
    elif source.turn and source.created_at and at and abs(at - source.created_at) > _APART:
        yield _finding(Severity.WARNING, "was recorded on another day than the turn it names")
    if source.scope == "session" and not source.session:
        yield _finding(Severity.NOTE, "belongs to a session and names none")
    if now and source.created_at and source.created_at - now > _APART:
        yield _finding(Severity.WARNING, "was recorded in the future")
    if source.created_at and source.updated_at and source.updated_at < source.created_at:
        yield _finding(Severity.NOTE, "was updated before it was recorded")


def _finding(severity: Severity, reason: str) -> Finding:
    return Finding(CONTRADICTION, severity, reason, field="source")


def _time_of(ulid: str) -> datetime | None:
    """Return the time in a ULID, of its first ten characters; None for what is no ULID."""
    if not _ULID.fullmatch(ulid):
        return None
    milliseconds = 0
    for character in ulid[:10].upper():
        milliseconds = milliseconds * 32 + _CROCKFORD.index(character)
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
