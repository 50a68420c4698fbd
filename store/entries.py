"""One entry of the store and all that goes with it: names, links and index are kept in step here.

An *entry* is a row of `record`: a canonical record, a new draft, or the pending revision of a canonical
record. Every function works within the caller's write transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, bindparam, delete, select, update
from sqlalchemy import insert as insert_into

from render.wikilink import fold_name
from store import search
from store.errors import NotFound
from store.links import restate, write_links
from store.names import add_names, names_of, normal, retire
from store.prepared import Prepared
from store.records import Audience, Provenance, RecordStatus, content_hash
from store.revisions import bound_by, revision_of
from store.tables import record
from store.tokens import fallback_tokens

Entry: TypeAlias = Row[Any]

_GET = select(record).where(record.c.id == bindparam("of"))
_BY_PK = select(record).where(record.c.pk == bindparam("of"))
_COLUMNS = [column.name for column in record.c if column.name != "pk"]
_INSERT = Prepared(insert_into(record).returning(record.c.pk), _COLUMNS)
_SET = update(record).where(record.c.pk == bindparam("of"))
_SET_STATUS = Prepared(
    update(record).where(record.c.pk == bindparam("of")).values(status=bindparam("new"))
)
_DROP = Prepared(delete(record).where(record.c.pk == bindparam("of")))


AUDIENCE = ("agent_id", "conversation_key", "conversation_id")
_DEFAULTS = {
    "links": "[]",
    "base_revision": None,
    "removes": False,
    "echo": "",
    "rewritten_by": "",
    **dict.fromkeys(AUDIENCE, ""),
}


def find_both(conn: Connection, id: str) -> tuple[Entry | None, Entry | None]:
    """Return the canonical and the pending entry of an id; NotFound when there is neither."""
    found = {row.status: row for row in conn.execute(_GET, {"of": id})}
    if not found:
        raise NotFound.record(id)
    return found.get(RecordStatus.CANONICAL), found.get(RecordStatus.PENDING)


def is_revision(entry: Entry) -> bool:
    """Tell whether an entry is the pending revision of a canonical record."""
    return entry.base_revision is not None


def text_values(
    entry: Mapping[Any, Any], title: str, summary: str, content: str, base: str = ""
) -> dict[str, Any]:
    """Return the columns that follow from an entry's text.

    Args:
        entry: its ``id``, ``type`` and ``scope``, its binding, its provenance, and what its text repeats.
        base: the revision of the canonical record under a pending revision, else empty.
    """
    return {
        "title": title,
        "summary": summary,
        "content": content,
        "tokens": fallback_tokens(content),
        "content_hash": content_hash(content),
        "revision": revision_of(
            entry["id"],
            entry["type"],
            entry["scope"],
            title,
            summary,
            content,
            base,
            bound_by(
                entry["session_id"],
                entry["project_root"],
                _provenance(entry),
                audience_of(entry),
                bool(entry.get("removes")),
                entry.get("echo") or "",
                entry.get("rewritten_by") or "",
            ),
        ),
    }


def _provenance(entry: Mapping[Any, Any]) -> Provenance:
    return Provenance(entry["source_session_id"], entry["source_turn_id"], entry["recorded_by"])


def audience_columns(audience: Audience | None) -> dict[str, str]:
    """Return the columns that say whose an entry is."""
    values = ("", "", "") if audience is None else astuple(audience)
    return dict(zip(AUDIENCE, values, strict=True))


def audience_of(entry: Mapping[Any, Any]) -> Audience | None:
    """Return whose an entry is; what was deleted before there were audiences is nobody's."""
    agent, key, session = (entry.get(column, "") for column in AUDIENCE)
    return Audience(agent, key, session) if agent else None


def insert(conn: Connection, values: Mapping[str, Any], aliases: Iterable[str] | None = ()) -> int:
    """Write a new entry and return its key.

    Args:
        values: all columns but the key and the links; without a base, it is no revision, and without
            an audience nobody's.
        aliases: further names; None for a pending revision, which has no names of its own.
    """
    key = _INSERT.first(conn, {**_DEFAULTS, **values})
    assert key is not None  # noqa: S101 - an insert has one
    pk: int = key[0]
    folded: set[str] = set()
    if aliases is not None:
        folded = add_names(conn, pk, [values["title"], *aliases], id=values["id"])
    write_links(conn, pk, values["id"], values["content"], fresh=True)
    restate(conn, folded)
    names = searched_names(conn, pk, values["id"], values["title"])
    search.index_record(conn, pk, values["title"], values["summary"], names, values["content"])
    return pk


def set_text(
    conn: Connection,
    entry: Entry,
    *,
    title: str,
    content: str,
    summary: str,
    now: int,
    base: str = "",
    echo: str = "",
) -> Entry:
    """Give an entry another text and return it; its names are the caller's to change, before.

    Args:
        now: becomes ``updated_at``, unless the clock was put back to before the entry was made.
        base: as in `text_values`.
        echo: what the text repeats, as it is kept; empty for nothing.
    """
    values = text_values({**entry._mapping, "echo": echo}, title, summary, content, base)
    set_columns(conn, entry, **values, echo=echo, updated_at=max(now, entry.created_at))
    write_links(conn, entry.pk, entry.id, content)
    names = searched_names(conn, entry.pk, entry.id, title)
    search.index_record(conn, entry.pk, title, summary, names, content)
    return reread(conn, entry.pk)


def learn_names(conn: Connection, entry: Entry, names: Iterable[str]) -> None:
    """Let an entry also answer to these names; it keeps those it has."""
    folded = add_names(conn, entry.pk, names)
    if folded:
        restate(conn, folded)
        known = searched_names(conn, entry.pk, entry.id, entry.title)
        search.index_record(conn, entry.pk, entry.title, entry.summary, known, entry.content)


def searched_names(conn: Connection, pk: int, id: str, title: str) -> tuple[str, ...]:
    """Return what an entry is found by besides its title: its id, former titles and aliases."""
    names = names_of(conn, pk) or (id,)
    return tuple(name for name in names if name != normal(title))


def set_status(conn: Connection, entry: Entry, status: RecordStatus) -> None:
    """Make an entry canonical or a draft, and its names what they are then.

    What a canonical record answers to comes before any draft's, so links to its names may mean
    something else.
    """
    _SET_STATUS.run(conn, {"of": entry.pk, "new": status.value})
    restate(conn, {fold_name(name) for name in names_of(conn, entry.pk)})


def set_columns(conn: Connection, entry: Entry, **values: Any) -> None:
    """Set columns that nothing else follows from."""
    conn.execute(_SET, {"of": entry.pk, **values})


def remove(conn: Connection, entry: Entry, now: int) -> None:
    """Remove an entry for good; links to it dangle from now on."""
    search.drop_record(conn, entry.pk)
    names = names_of(conn, entry.pk)
    _DROP.run(conn, {"of": entry.pk})
    restate(conn, retire(conn, entry.id, names, now))


def reread(conn: Connection, pk: int) -> Entry:
    """Return an entry as it is now."""
    return conn.execute(_BY_PK, {"of": pk}).one()
