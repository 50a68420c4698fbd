"""All that a decision needs, and the links between entries, read for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, or_, select

from render.wikilink import fold_name
from store import entries
from store.entries import Entry, is_revision
from store.errors import NotFound
from store.links import Called, Names, call_of
from store.names import Name, names_of, normal
from store.near import find_near
from store.records import (
    Impact,
    LinkClass,
    LinkEntry,
    MemoryScope,
    MemoryType,
    Record,
    RecordStatus,
    Review,
)
from store.rows import to_record
from store.tables import link, record, version

_LINKS = (
    select(link, record.c.status)
    .join(record, record.c.pk == link.c.source_pk)
    .order_by(record.c.id, record.c.status, link.c.seq)
)
_OF = _LINKS.where(link.c.source_pk == bindparam("of"))
_TO = _LINKS.where(link.c.target_id == bindparam("of"))
_TEXTS = select(record.c.pk, record.c.content).where(
    record.c.pk.in_(bindparam("pks", expanding=True))
)
_BASE_WAS = (
    select(version)
    .where(version.c.record_pk == bindparam("of"), version.c.revision == bindparam("revision"))
    .order_by(version.c.pk.desc())
    .limit(1)
)
_PAGE = (
    select(link, record.c.status)
    .join(record, record.c.pk == link.c.source_pk)
    .where(link.c.state == bindparam("state"), link.c.source_id > bindparam("after"))
    .order_by(link.c.source_id, link.c.source_pk, link.c.seq)
    .limit(bindparam("limit"))
)
_OF_SOURCE = (
    select(link, record.c.status)
    .join(record, record.c.pk == link.c.source_pk)
    .where(record.c.id == bindparam("id"), link.c.state.in_(bindparam("states", expanding=True)))
    .order_by(record.c.status, link.c.seq)
)


def review(conn: Connection, id: str, status: RecordStatus | None) -> Review:
    """Return what a decision needs; NotFound when there is no such entry."""
    canonical, pending = entries.find_both(conn, id)
    wanted = status or (RecordStatus.CANONICAL if pending is None else RecordStatus.PENDING)
    entry = pending if wanted is RecordStatus.PENDING else canonical
    if entry is None:
        raise NotFound(f"there is no {wanted} entry with the id {id!r}")
    base = canonical if entry is pending and canonical is not None else None
    approve, reject = _impacts(conn, entry, base)
    return Review(
        record=to_record(entry),
        base=None if base is None else to_record(base),
        base_was=_base_was(conn, entry, base),
        links=_entries(conn, conn.execute(_OF, {"of": entry.pk}).all()),
        backlinks=backlinks(conn, id),
        near=find_near(
            conn,
            entry.title,
            MemoryType(entry.type),
            MemoryScope(entry.scope),
            id=id,
            except_id=id,
        ),
        on_approve=approve,
        on_reject=reject,
        names=names_of(conn, (base or entry).pk),
    )


def _base_was(conn: Connection, entry: Entry, base: Entry | None) -> Record | None:
    """Return the text that a revision was written against, where the record has moved on since."""
    if base is None or not is_revision(entry) or entry.base_revision == base.revision:
        return None
    old = conn.execute(_BASE_WAS, {"of": base.pk, "revision": entry.base_revision}).first()
    if old is None:
        return None
    before = {"title": old.title, "summary": old.summary, "content": old.content}
    now = to_record(base)
    return Record(
        **{name: getattr(now, name) for name in Record.__slots__}
        | before
        | {"revision": old.revision}
    )


def _impacts(conn: Connection, entry: Entry, base: Entry | None) -> tuple[Impact, Impact]:
    """Return what approving and rejecting an entry does to the links of others."""
    if entry.status != RecordStatus.PENDING:
        return Impact(), Impact()
    if base is not None and not entry.removes:
        added = [normal(entry.title)]
    else:
        added = list(names_of(conn, (base or entry).pk))
    folded = {fold_name(name) for name in added}
    rows = [row for row in _calling(conn, folded) if row.source_id != entry.id]
    calls = [call_of(row) for row in rows]
    names = Names.read(conn, calls)
    if entry.removes:
        gone = _with(names, entry.id, [], canonical=False)
        return _difference(rows, calls, names, gone), Impact()
    ratified = _with(names, entry.id, added, canonical=True)
    dropped = names if base is not None else _with(names, entry.id, [], canonical=False)
    # A draft's links are only worth what they are once it is ratified: compare with its absence.
    before = dropped
    approve = _difference(rows, calls, before, ratified)
    reject = Impact() if base is not None else _difference(rows, calls, names, dropped)
    return approve, reject


def _with(names: Names, id: str, added: Sequence[str], *, canonical: bool) -> Names:
    """Return the names as they would be if a draft had these names and no other."""
    known: dict[str, list[Name]] = {}
    for folded, each in names.known.items():
        kept = [name for name in each if name.id != id or (canonical and name.canonical)]
        known[folded] = kept
    for text in added:
        name = Name(text, text == id, id, canonical)
        known.setdefault(fold_name(text), []).append(name)
    return Names(known, names.retired)


def _difference(
    rows: Sequence[Row[Any]], calls: Sequence[Called], before: Names, after: Names
) -> Impact:
    found: dict[LinkClass, set[str]] = {state: set() for state in LinkClass}
    for row, call in zip(rows, calls, strict=True):
        was, will = before.resolve(call), after.resolve(call)
        if was.state is not will.state:
            found[will.state].add(row.source_id)
    return Impact(
        resolves=tuple(sorted(found[LinkClass.RESOLVED])),
        breaks=tuple(sorted(found[LinkClass.BROKEN] | found[LinkClass.WANTED])),
        makes_ambiguous=tuple(sorted(found[LinkClass.AMBIGUOUS])),
    )


def _calling(conn: Connection, folded: Iterable[str]) -> Sequence[Row[Any]]:
    forms = sorted(folded)
    return conn.execute(
        _LINKS.where(or_(link.c.folded.in_(forms), link.c.whole_folded.in_(forms)))
    ).all()


def backlinks(conn: Connection, id: str) -> tuple[LinkEntry, ...]:
    """Return the links that resolve to a record."""
    return _entries(conn, conn.execute(_TO, {"of": id}).all())


def links(
    conn: Connection, classes: Iterable[LinkClass], limit: int, after: str
) -> tuple[LinkEntry, ...]:
    """Return links of some classes, all when none is named, ordered by source id and line.

    Args:
        limit: of links; the last record's are completed, so that the next page starts at a record.
        after: the source id to go on from, empty for the start.
    """
    # Class by class: of each, the index gives a page in this order without sorting what is behind it.
    chosen = [state.value for state in tuple(classes) or LinkClass]
    values = {"after": after, "limit": max(limit, 0)}
    found = [row for state in chosen for row in conn.execute(_PAGE, {"state": state, **values})]
    found.sort(key=lambda row: (row.source_id, row.status, row.seq))
    if found and len(found) >= limit:
        last = found[limit - 1].source_id
        rest = conn.execute(_OF_SOURCE, {"id": last, "states": chosen}).all()
        found = [row for row in found[:limit] if row.source_id != last] + list(rest)
    return _entries(conn, found)


def _entries(conn: Connection, rows: Sequence[Row[Any]]) -> tuple[LinkEntry, ...]:
    texts = _texts(conn, {row.source_pk for row in rows})
    # What is stored says all but which of several names answered, and who else would have.
    calls = {_place(row): call_of(row) for row in rows if row.whole or _unclear(row)}
    names = Names.read(conn, calls.values())
    found = []
    for row in rows:
        call = calls.get(_place(row))
        meant = names.resolve(call) if call else None
        lines = texts.get(row.source_pk, [])
        found.append(
            LinkEntry(
                source_id=row.source_id,
                source_status=RecordStatus(row.status),
                target=meant.called if meant else row.target,
                link_class=LinkClass(row.state),
                line=row.line,
                line_text=lines[row.line - 1] if row.line <= len(lines) else "",
                resolved_id=row.target_id,
                candidates=meant.candidates if meant else (),
                alias="" if meant and meant.called == row.whole else row.alias,
            )
        )
    return tuple(found)


def _place(row: Row[Any]) -> tuple[int, int]:
    return row.source_pk, row.seq


def _unclear(row: Row[Any]) -> bool:
    return bool(row.state == LinkClass.AMBIGUOUS)


def _texts(conn: Connection, pks: set[int]) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = {}
    rest = sorted(pks)
    for start in range(0, len(rest), 500):
        for pk, content in conn.execute(_TEXTS, {"pks": rest[start : start + 500]}):
            texts[pk] = [line.rstrip("\r") for line in content.split("\n")]
    return texts
