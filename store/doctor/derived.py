"""Checks of what follows from the records: hashes, names, links, search text and near-match keys.

Each check walks the entries in batches and says what is out of step; `mend` writes it anew from the
texts, which nothing here ever changes.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, bindparam, delete, select

from render.wikilink import fold_name
from store import entries, near, search, tables
from store.clock import from_micros
from store.doctor.finding import Finding, Level, listed
from store.links import Names, calls_in, write_links
from store.names import add_names, names_of
from store.records import MemoryScope, MemoryType, RecordStatus, content_hash

Entry: TypeAlias = Row[Any]
Batch: TypeAlias = Sequence[Entry]

_BATCH = 500
_TYPES, _SCOPES, _STATUSES = set(MemoryType), set(MemoryScope), set(RecordStatus)
_record = tables.record.c
_WALK = (
    select(tables.record).where(_record.pk > bindparam("after")).order_by(_record.pk).limit(_BATCH)
)


@dataclass(frozen=True, slots=True)
class Derived:
    """Something that follows from the entries.

    Args:
        check: its name, one word.
        what: what is wrong, of the entries of which it does not.
        differing: returns those entries of a batch.
        mend: writes it anew for one entry; None where only a person can tell what is right.
    """

    check: str
    what: str
    differing: Callable[[Connection, Batch], Iterable[Entry]]
    mend: Callable[[Connection, Entry], None] | None

    def examine(self, conn: Connection) -> Iterator[Finding]:
        """Yield a finding if any entry is out of step."""
        ids = [entry.id for batch in walk(conn) for entry in self.differing(conn, batch)]
        if ids:
            what = f"{self.what} of {len(ids):,} entries: {listed(ids)}"
            how = "memory-inbox doctor --mend" if self.mend else "Compare them with a backup."
            yield Finding(self.check, Level.ERROR, what, how, mendable=self.mend is not None)

    def put_right(self, conn: Connection) -> None:
        """Write anew what is out of step."""
        if self.mend is None:
            return
        for batch in walk(conn):
            for entry in self.differing(conn, batch):
                self.mend(conn, entry)


def walk(conn: Connection) -> Iterator[Batch]:
    """Yield all entries in batches, by key."""
    after = 0
    while batch := batch_after(conn, after):
        yield batch
        after = batch[-1].pk


def batch_after(conn: Connection, after: int) -> Batch:
    """Return the entries that come after a key, some of them; none at the end."""
    return conn.execute(_WALK, {"after": after}).all()


def _rows_of(conn: Connection, table: Any, key: Any, batch: Batch) -> dict[int, list[Row[Any]]]:
    """Return the rows of a table that belong to the entries of a batch, by entry."""
    found: dict[int, list[Row[Any]]] = defaultdict(list)
    query = select(table).where(key.between(batch[0].pk, batch[-1].pk))
    for row in conn.execute(query):
        found[row._mapping[key.name]].append(row)
    return found


def _texts(_: Connection, batch: Batch) -> Iterator[Entry]:
    """Yield entries whose text is not what its hash says, or of a kind or time that there is not."""
    for entry in batch:
        known = entry.type in _TYPES and entry.scope in _SCOPES and entry.status in _STATUSES
        timed = _is_time(entry.created_at) and _is_time(entry.updated_at)
        if not (known and timed) or entry.content_hash != content_hash(entry.content):
            yield entry


def _is_time(micros: Any) -> bool:
    try:
        from_micros(micros)
    except (TypeError, OverflowError):
        return False
    return True


def _names(conn: Connection, batch: Batch) -> Iterator[Entry]:
    """Yield entries that do not answer to their id, or to a name under its folded form."""
    names = _rows_of(conn, tables.name, tables.name.c.record_pk, batch)
    for entry in batch:
        own = names[entry.pk]
        if entries.is_revision(entry):
            wrong = bool(own)
        else:
            ids = [row.name for row in own if row.is_id]
            wrong = ids != [entry.id] or any(row.folded != fold_name(row.name) for row in own)
        if wrong:
            yield entry


def _mend_names(conn: Connection, entry: Entry) -> None:
    kept = [] if entries.is_revision(entry) else names_of(conn, entry.pk)
    conn.execute(delete(tables.name).where(tables.name.c.record_pk == entry.pk))
    if not entries.is_revision(entry):
        add_names(conn, entry.pk, [entry.title, *kept], id=entry.id)


def _links(conn: Connection, batch: Batch) -> Iterator[Entry]:
    """Yield entries whose links are not those of their text, or not resolved as the names stand now."""
    rows = _rows_of(conn, tables.link, tables.link.c.source_pk, batch)
    found = {entry.pk: calls_in(entry.content) for entry in batch if "[[" in entry.content}
    names = Names.read(conn, [call for calls in found.values() for call, _, _ in calls])
    for entry in batch:
        meant = [(*call, line, names.resolve(call)) for call, _, line in found.get(entry.pk, ())]
        expected = [(*rest, answer.state, answer.id) for *rest, answer in meant]
        kept = [
            (
                row.target,
                row.folded,
                row.whole,
                row.whole_folded,
                row.line,
                row.state,
                row.target_id,
            )
            for row in sorted(rows[entry.pk], key=lambda row: row.seq)
        ]
        ids = list(dict.fromkeys(answer.id or target for target, *_, answer in meant))
        if kept != expected or entry.links != json.dumps(ids, ensure_ascii=False):
            yield entry


def _words(conn: Connection, batch: Batch) -> Iterator[Entry]:
    """Yield entries that search would find by other words than theirs."""
    rows = _rows_of(conn, tables.search_text, tables.search_text.c.pk, batch)
    for entry in batch:
        kept = [{"title": row.title, "body": row.body} for row in rows[entry.pk]]
        names = entries.searched_names(conn, entry.pk, entry.id, entry.title)
        if kept != [search.words_of(entry.title, entry.summary, names, entry.content)]:
            yield entry


def _mend_words(conn: Connection, entry: Entry) -> None:
    names = entries.searched_names(conn, entry.pk, entry.id, entry.title)
    search.index_record(conn, entry.pk, entry.title, entry.summary, names, entry.content)


def _keys(conn: Connection, batch: Batch) -> Iterator[Entry]:
    """Yield entries that a near-match check would compare by something else than id and title."""
    rows = _rows_of(conn, tables.near_key, tables.near_key.c.pk, batch)
    for entry in batch:
        kept = sorted((tuple(row) for row in rows[entry.pk]), key=str)
        expected = near.keys_of(entry.pk, entry.type, entry.scope, entry.title, entry.id)
        if kept != sorted((tuple(key.values()) for key in expected), key=str):
            yield entry


# In the order of mending: links are resolved by names.
DERIVED = (
    Derived("texts", "text, kind or time is not what was written", _texts, None),
    Derived("names", "the names that links use are out of step", _names, _mend_names),
    Derived(
        "links",
        "the links are out of step",
        _links,
        lambda conn, entry: write_links(conn, entry.pk, entry.id, entry.content),
    ),
    Derived("search", "the words to search are out of step", _words, _mend_words),
    Derived(
        "near",
        "the keys of near-matches are out of step",
        _keys,
        lambda conn, entry: near.keep_keys(conn, entry.pk, entry.title),
    ),
)
