"""Text search: keeps the index in step with the entries, and asks it.

`search_text` holds the shadow (store/segment.py) of every entry: drafts, revisions and canonical records
alike, for filters decide what is shown. The full-text index covers that table and follows it by triggers,
so it can neither miss a row nor keep a ghost, whatever else happens in the transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert

from store import fts5, tables
from store.filters import condition
from store.filters import text_condition as text_condition
from store.near import drop_keys, keep_keys
from store.prepared import Prepared
from store.records import Hit, RecordFilter
from store.rows import RECORD_COLUMNS, to_record
from store.segment import Term, pieces, shadow, terms
from store.snippet import snippet

_ROW = insert(tables.search_text)
_UPSERT = Prepared(
    _ROW.on_conflict_do_update(
        index_elements=["pk"], set_={"title": _ROW.excluded.title, "body": _ROW.excluded.body}
    ),
    tables.search_text.c.keys(),
)
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
    keep_keys(conn, pk, title)


def words_of(title: str, summary: str, names: Iterable[str], content: str) -> dict[str, str]:
    """Return the row of `search_text` for an entry, but for its key."""
    return {"title": shadow(title, *names), "body": shadow(summary, content)}


def drop_record(conn: Connection, pk: int) -> None:
    """Make an entry unfindable within the caller's transaction; so does deleting its row."""
    _DROP.run(conn, {"of": pk})
    drop_keys(conn, pk)


def purge_index(conn: Connection) -> None:
    """Rewrite the index without the words that deleted entries left behind in it.

    Until then nothing finds them, but they can be read in the file. Costs seconds at 100,000 entries.
    """
    fts5.optimize(conn)


def search(
    conn: Connection, text: str, query: RecordFilter = RecordFilter(), limit: int = 20
) -> tuple[Hit, ...]:
    """Return the best matches first: entries with all words, or with any if none has all.

    A blank text gives the newest entries, as an unfiltered list does. No text makes this raise.

    Args:
        query: which entries to look among; its ``text`` must occur as well.
        limit: of hits.
    """
    asked = terms(text)
    if not asked:
        return _newest(conn, query, limit)
    for expression in _attempts(asked):
        scores = _best(conn, expression, query, limit)
        if scores:
            return _hits(conn, scores, asked)
    return ()


def _attempts(asked: tuple[Term, ...]) -> Iterator[str]:
    """Yield what to look for: first all words, then any."""
    yield fts5.all_of(asked)
    yield fts5.any_of(dict.fromkeys(piece for term in asked for piece in pieces(term)))


def _best(conn: Connection, expression: str, query: RecordFilter, limit: int) -> dict[int, float]:
    """Return key and score of the best matches, best first, newer first where alike."""
    match = fts5.ranking(expression).subquery()
    best = (
        select(match.c.pk, match.c.score)
        .join(tables.record, tables.record.c.pk == match.c.pk)
        .where(condition(query))
        .order_by(match.c.score.desc(), match.c.pk.desc())
        .limit(limit)
    )
    return {row.pk: row.score for row in conn.execute(best)}


def _newest(conn: Connection, query: RecordFilter, limit: int) -> tuple[Hit, ...]:
    record = tables.record.c
    newest = (
        select(*RECORD_COLUMNS)
        .where(condition(query))
        .order_by(record.created_at.desc(), record.pk.desc())
        .limit(limit)
    )
    records = map(to_record, conn.execute(newest))
    return tuple(Hit(record, 0.0, snippet(record.content, ())) for record in records)


def _hits(conn: Connection, scores: dict[int, float], asked: tuple[Term, ...]) -> tuple[Hit, ...]:
    pk = tables.record.c.pk
    rows = {
        row.pk: to_record(row)
        for row in conn.execute(select(*RECORD_COLUMNS).where(pk.in_(scores)))
    }
    return tuple(
        Hit(rows[key], score, snippet(rows[key].content, asked)) for key, score in scores.items()
    )
