"""Giving a record another type or scope: deleting it and recording it again under its id, as one step.

Over the wire that takes two calls, and what was between them would be lost with the second. Here the id, the
names, the links, the text and the provenance stay, and so does what an import knows of it.
"""

from __future__ import annotations

from sqlalchemy import Connection

from store import checks, entries, journal
from store.entries import Entry
from store.errors import Conflict, InvalidArgument
from store.journal import Moment
from store.near import keep_keys
from store.records import Decision, MemoryScope, MemoryType, Record
from store.rows import to_record
from store.writes import check_seen, what


def reclassify(
    conn: Connection,
    id: str,
    seen: str,
    type: MemoryType | None,
    scope: MemoryScope | None,
    project_root: str,
    moment: Moment,
) -> Record:
    """Give what waits under an id, else its canonical record, another type or scope; None leaves it.

    Args:
        seen: the revision that the operator looked at.
        project_root: binds project scope where the record does not say its project.

    Raises:
        NotFound: no such id. Conflict: it has changed since, or it is canonical and a revision waits.
        InvalidArgument: it has no session or project to be bound to.
    """
    canonical, pending = entries.find_both(conn, id)
    if canonical is not None and pending is not None:
        raise Conflict(f"a revision of {id!r} waits; nothing was changed", hint="Decide it first.")
    entry = pending if pending is not None else canonical
    assert entry is not None  # noqa: S101 - find_both
    check_seen(entry, seen)
    placed = {
        "type": checks.memory_type(type or entry.type).value,
        "scope": checks.memory_scope(scope or entry.scope).value,
    }
    if placed == {"type": entry.type, "scope": entry.scope}:
        return to_record(entry)
    placed |= _bound(entry, MemoryScope(placed["scope"]), project_root)
    values = entries.text_values(
        {**entry._mapping, **placed}, entry.title, entry.summary, entry.content
    )
    updated = max(moment.now, entry.created_at)
    entries.set_columns(conn, entry, **placed, **values, updated_at=updated)
    keep_keys(conn, entry.pk, entry.title)
    journal.append(conn, Decision.UPDATE, id, moment, entry.content_hash, what(entry))
    return to_record(entries.reread(conn, entry.pk))


def _bound(entry: Entry, scope: MemoryScope, project_root: str) -> dict[str, str]:
    """Return the columns that bind an entry to its session or project."""
    if scope is MemoryScope.SESSION:
        session = entry.session_id or entry.source_session_id
        if not session:
            raise InvalidArgument(
                f"{entry.id!r} is of no session that is known", hint="Record it with a session."
            )
        return {"session_id": session}
    if scope is MemoryScope.PROJECT and not entry.project_root:
        if not project_root:
            raise InvalidArgument(f"{entry.id!r} is of no project that is known")
        return {"project_root": project_root}
    return {}
