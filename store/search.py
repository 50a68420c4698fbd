"""Text search: keeps the index in step with the entries, and asks it.

`search_text` holds the shadow (store/segment.py) of every entry: drafts, revisions and canonical records
alike, for filters decide what is shown. SQLite's full-text index covers that table and follows it by
triggers, so it can neither miss a row nor keep a ghost, whatever else happens in the transaction; on
PostgreSQL a second table is written along (`store.tsvector`).
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, delete, select, text

from store import fts5, tables, tsvector
from store.filters import condition, within_of
from store.filters import text_condition as text_condition
from store.near import drop_keys, keep_keys
from store.prepared import Prepared
from store.ranking import best_matching, best_of
from store.reader import reader_of
from store.records import Hit, RecordFilter
from store.rows import RECORD_COLUMNS, to_record
from store.segment import Term, pieces, shadow, terms
from store.snippet import Snippets

SENTENCE = 5  # words that make a query a sentence, in which no single word is meant

# Spelled out, for Core's own form of it is another on each engine.
_UPSERT = Prepared(
    text(
        "INSERT INTO search_text (pk, title, body) VALUES (:pk, :title, :body)"
        " ON CONFLICT (pk) DO UPDATE SET title = excluded.title, body = excluded.body"
    )
)
_RECORDS = select(*RECORD_COLUMNS).where(tables.record.c.pk.in_(bindparam("pks", expanding=True)))
_DROP = Prepared(delete(tables.search_text).where(tables.search_text.c.pk == bindparam("of")))


def index_record(
    conn: Connection, pk: int, title: str, summary: str, names: Iterable[str], content: str
) -> None:
    """Make an entry findable by its present text, its near-match keys included, in the caller's transaction.

    Args:
        names: what else the record answers to (id, aliases); weighs as much as the title.
    """
    words = words_of(title, summary, names, content)
    # Not OR REPLACE: that deletes without firing the trigger that takes the old words out of the index.
    _UPSERT.run(conn, {"pk": pk, **words})
    if conn.dialect.name != "sqlite":
        tsvector.keep(conn, pk, words["title"], words["body"])
    keep_keys(conn, pk, title)


def words_of(title: str, summary: str, names: Iterable[str], content: str) -> dict[str, str]:
    """Return the row of `search_text` for an entry, but for its key."""
    return {"title": shadow(title, *names), "body": shadow(summary, content)}


def drop_record(conn: Connection, pk: int) -> None:
    """Make an entry unfindable within the caller's transaction; so does deleting its row."""
    _DROP.run(conn, {"of": pk})
    if conn.dialect.name != "sqlite":
        tsvector.drop(conn, pk)
    drop_keys(conn, pk)


def keep_merged(conn: Connection) -> None:
    """Do a little of the index's upkeep, for a writer of single entries; in bulk it would cost too much."""
    if conn.dialect.name == "sqlite":
        fts5.merge_a_little(conn)


def purge_index(conn: Connection) -> None:
    """Rewrite the index without the words that deleted entries left behind in it.

    Until then nothing finds them, but they can be read in the file. Costs seconds at 100,000 entries. On a
    server nothing is to be done here: its vacuum clears what was deleted, everywhere.
    """
    if conn.dialect.name == "sqlite":
        fts5.optimize(conn)


def index_is_sound(conn: Connection) -> bool:
    """Tell whether the index is whole and says what `search_text` says; reads all of both."""
    return fts5.is_sound(conn) if conn.dialect.name == "sqlite" else tsvector.is_sound(conn)


def rebuild_index(conn: Connection) -> None:
    """Write the index anew from `search_text`."""
    if conn.dialect.name == "sqlite":
        fts5.rebuild(conn)
    else:
        tsvector.rebuild(conn)


def search(
    conn: Connection, text: str, query: RecordFilter = RecordFilter(), limit: int = 20
) -> tuple[Hit, ...]:
    """Return the best matches first: entries with all words, or with any if none has all.

    A sentence, of `SENTENCE` words or more, needs none in particular: what says most of it comes
    first. A blank text gives the newest entries, as an unfiltered list does. No text makes this raise.

    Args:
        query: which entries to look among; its ``text`` must occur as well.
        limit: of hits.
    """
    asked = terms(text)
    if not asked:
        return _newest(conn, query, limit)
    read, within = reader_of(conn), within_of(conn, query)
    scores: dict[int, float] = {}
    if len(asked) < SENTENCE:
        scores = best_matching(read, read.index.all_of(asked), within, limit=limit)
    if not scores:
        words = (phrase for term in asked for piece in pieces(term) for phrase in piece.phrases)
        scores = best_of(read, words, within, limit=limit)
    return _hits(conn, scores, asked)


def _newest(conn: Connection, query: RecordFilter, limit: int) -> tuple[Hit, ...]:
    record = tables.record.c
    newest = (
        select(*RECORD_COLUMNS)
        .where(condition(conn.dialect.name, query))
        .order_by(record.created_at.desc(), record.pk.desc())
        .limit(limit)
    )
    records = map(to_record, conn.execute(newest))
    return tuple(Hit(record, 0.0, Snippets(()).of(record.content)) for record in records)


def _hits(conn: Connection, scores: dict[int, float], asked: tuple[Term, ...]) -> tuple[Hit, ...]:
    rows = conn.execute(_RECORDS, {"pks": list(scores)})
    records = {row.pk: to_record(row) for row in rows}
    snippets = Snippets(asked)
    return tuple(
        Hit(records[pk], score, snippets.of(records[pk].content)) for pk, score in scores.items()
    )
