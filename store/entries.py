"""One entry of the store and all that goes with it: names, links and index are kept in step here.

An *entry* is a row of `record`: a canonical record, a new draft, or the pending revision of a canonical
record. Every function works within the caller's write transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, bindparam, delete, select, update

from store import search
from store.errors import NotFound
from store.links import restate, write_links
from store.names import add_names, names_of, retire
from store.records import RecordStatus, content_hash, revision_of
from store.tables import record
from store.tokens import fallback_tokens

Entry: TypeAlias = Row[Any]

_GET = select(record).where(record.c.id == bindparam("id"), record.c.status == bindparam("status"))
_BY_PK = select(record).where(record.c.pk == bindparam("pk"))
_SET = update(record).where(record.c.pk == bindparam("at_pk"))
_DROP = delete(record).where(record.c.pk == bindparam("at_pk"))


def find(conn: Connection, id: str, status: RecordStatus) -> Entry | None:
    """Return the entry of an id and status, None when there is none."""
    return conn.execute(_GET, {"id": id, "status": status.value}).first()


def find_both(conn: Connection, id: str) -> tuple[Entry | None, Entry | None]:
    """Return the canonical and the pending entry of an id; NotFound when there is neither."""
    canonical = find(conn, id, RecordStatus.CANONICAL)
    pending = find(conn, id, RecordStatus.PENDING)
    if canonical is None and pending is None:
        raise NotFound.record(id)
    return canonical, pending


def is_revision(entry: Entry) -> bool:
    """Tell whether an entry is the pending revision of a canonical record."""
    return entry.base_revision is not None


def text_values(
    entry: Mapping[str, Any], title: str, summary: str, content: str, base: str = ""
) -> dict[str, Any]:
    """Return the columns that follow from an entry's text.

    Args:
        entry: its ``id``, ``type`` and ``scope``.
        base: the revision of the canonical record under a pending revision, else empty.
    """
    return {
        "title": title,
        "summary": summary,
        "content": content,
        "tokens": fallback_tokens(content),
        "content_hash": content_hash(content),
        "revision": revision_of(
            entry["id"], entry["type"], entry["scope"], title, summary, content, base
        ),
    }


def insert(
    conn: Connection, values: Mapping[str, Any], aliases: Iterable[str] | None = ()
) -> Entry:
    """Write a new entry and return it.

    Args:
        values: all columns but the key and the links.
        aliases: further names; None for a pending revision, which has no names of its own.
    """
    result = conn.execute(record.insert(), {"links": "[]", **values})
    key = result.inserted_primary_key
    assert key is not None  # noqa: S101 - a single insert has one
    pk: int = key[0]
    folded: set[str] = set()
    if aliases is not None:
        folded = add_names(conn, pk, [values["title"], *aliases], id=values["id"])
    write_links(conn, pk, values["content"], fresh=True)
    restate(conn, folded)
    names = [values["id"], *(aliases or ())]
    search.index_record(conn, pk, values["title"], values["summary"], names, values["content"])
    return reread(conn, pk)


def set_text(
    conn: Connection,
    entry: Entry,
    *,
    title: str,
    content: str,
    summary: str,
    now: int,
    base: str = "",
) -> Entry:
    """Give an entry another text and return it; names are the caller's.

    Args:
        now: becomes ``updated_at``.
        base: as in `text_values`.
    """
    values = text_values(entry._mapping, title, summary, content, base)
    conn.execute(_SET.values(**values, updated_at=now), {"at_pk": entry.pk})
    write_links(conn, entry.pk, content)
    reindex(conn, reread(conn, entry.pk))
    return reread(conn, entry.pk)


def set_columns(conn: Connection, entry: Entry, **values: Any) -> None:
    """Set columns that nothing else follows from."""
    conn.execute(_SET.values(**values), {"at_pk": entry.pk})


def reindex(conn: Connection, entry: Entry) -> None:
    """Make an entry findable by its present title, names and text."""
    names = names_of(conn, entry.pk) or (entry.id,)
    search.index_record(conn, entry.pk, entry.title, entry.summary, names, entry.content)


def remove(conn: Connection, entry: Entry, now: int) -> None:
    """Remove an entry for good; links to it dangle from now on."""
    search.drop_record(conn, entry.pk)
    names = names_of(conn, entry.pk)
    conn.execute(_DROP, {"at_pk": entry.pk})
    restate(conn, retire(conn, entry.id, names, now))


def reread(conn: Connection, pk: int) -> Entry:
    """Return an entry as it is now."""
    return conn.execute(_BY_PK, {"pk": pk}).one()
