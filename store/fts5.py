"""The full-text index on SQLite: its query language, and its upkeep.

`search_index` is an FTS5 table whose content is `search_text`; triggers keep it in step (see the migration
that makes it). Source of the commands: https://sqlite.org/fts5.html.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from sqlalchemy import ColumnElement, Connection, Select, bindparam, select
from sqlalchemy import column as _column
from sqlalchemy import table as _table
from sqlalchemy import text as sql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import func, literal_column

from store.segment import Phrase, Term

TITLE_WEIGHT = 4.0  # a word of a title or name counts as much as four of a body
BODY_WEIGHT = 1.0
_INDEX = _table("search_index", _column("rowid"))


def all_of(terms: Iterable[Term]) -> str:
    """Return the FTS5 expression that every term occurs."""
    return " AND ".join(map(_term, terms))


def any_of(terms: Iterable[Term]) -> str:
    """Return the FTS5 expression that at least one term occurs."""
    return " OR ".join(map(_term, terms))


def matching(expression: str) -> Select[int]:
    """Return the select of the keys of all entries that match."""
    return select(_INDEX.c.rowid.label("pk")).where(_match(expression))


def ranking(expression: str) -> Select[int, float]:
    """Return the select of key and score (bm25, more is better) of all entries that match."""
    # `ORDER BY bm25(…)` written out is faster than the hidden `rank` column, by up to twice.
    score = -func.bm25(literal_column("search_index"), TITLE_WEIGHT, BODY_WEIGHT)
    return select(_INDEX.c.rowid.label("pk"), score.label("score")).where(_match(expression))


def newest(term: Term, limit: int, *, titles_only: bool = False) -> Select[int]:
    """Return the select of the keys of the newest entries that have a term, newest first."""
    expression = f"{{title}} : {_term(term)}" if titles_only else _term(term)
    return matching(expression).order_by(_INDEX.c.rowid.desc()).limit(limit)


def optimize(conn: Connection) -> None:
    """Merge the whole index into one segment: the only way that deleted words leave it for good.

    Costs as much as writing the index anew. FTS5's own ``secure-delete`` would be cheaper, but needs
    SQLite 3.42 and makes the index unreadable for older ones.
    """
    conn.execute(sql("INSERT INTO search_index(search_index) VALUES ('optimize')"))


def rebuild(conn: Connection) -> None:
    """Write the index anew from `search_text`."""
    conn.execute(sql("INSERT INTO search_index(search_index) VALUES ('rebuild')"))


def is_sound(conn: Connection) -> bool:
    """Tell whether the index is whole and says what `search_text` says; reads all of both."""
    # Only rank = 1 compares an external-content index with its content.
    check = "INSERT INTO search_index(search_index, rank) VALUES ('integrity-check', 1)"
    try:
        conn.execute(sql(check))
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
            return False
        raise
    return True


def _match(expression: str) -> ColumnElement[bool]:
    index: ColumnElement[str] = literal_column("search_index")
    return index.op("MATCH", is_comparison=True)(bindparam("fts", expression, unique=True))


def _term(term: Term) -> str:
    phrases = [_phrase(phrase) for phrase in term.phrases]
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"


def _phrase(phrase: Phrase) -> str:
    # Words of a shadow hold no quotes, so nothing needs escaping.
    return f'"{" ".join(phrase.words)}"{" *" if phrase.open else ""}'
