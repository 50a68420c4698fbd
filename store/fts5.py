"""The full-text index on SQLite: its query language, and its upkeep.

`search_index` is an FTS5 table whose content is `search_text`; triggers keep it in step (see the migration
that makes it). Source of the commands: https://sqlite.org/fts5.html.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import BindParameter, ColumnElement, Connection, Select, bindparam, select
from sqlalchemy import column as _column
from sqlalchemy import table as _table
from sqlalchemy import text as sql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import func, literal_column

from store.segment import Phrase, Term

TITLE_WEIGHT = 4.0  # a word of a title or name counts as much as four of a body
BODY_WEIGHT = 1.0
_INDEX = _table("search_index", _column("rowid"))
KEY = _INDEX.c.rowid.label("pk")
_AVERAGES = sql("SELECT block FROM search_index_data WHERE id = 1")


def all_of(terms: Iterable[Term]) -> str:
    """Return the FTS5 expression that every term occurs."""
    return " AND ".join(map(_term, terms))


def any_of(phrases: Iterable[Phrase]) -> str:
    """Return the FTS5 expression that at least one phrase occurs."""
    return " OR ".join(map(_phrase, phrases))


def matching(expression: str) -> Select[int]:
    """Return the select of the keys of all entries that match, as ``pk``."""
    return select(KEY).where(_match(expression))


def ranking(*wanted: ColumnElement[bool]) -> Select[int, float]:
    """Return the select of key and score (bm25, more is better) of entries that match, best first.

    Its parameters are ``fts``, an expression, ``since``, the least key, and ``many``, how many at most.

    Args:
        wanted: what else must hold.
    """
    # `ORDER BY bm25(…)` written out is faster than the hidden `rank` column, by up to twice.
    score = -func.bm25(literal_column("search_index"), TITLE_WEIGHT, BODY_WEIGHT)
    matching = select(KEY, score.label("score")).where(_match(bindparam("fts")), *wanted)
    ranked = matching.where(_INDEX.c.rowid >= bindparam("since"))
    return ranked.order_by(score.desc(), KEY.desc()).limit(bindparam("many"))


@dataclass(frozen=True, slots=True)
class Totals:
    """How much is indexed: entries, and words of all columns together."""

    entries: int
    words: int


def totals(conn: Connection) -> Totals:
    """Return how much is indexed, without counting.

    FTS5 keeps it as the record with the id 1 of its data table: variable-length integers, the number
    of rows first, then the words of each column (fts5_index.c, "averages record").
    """
    block = conn.execute(_AVERAGES).scalar()
    entries, *words = _varints(block or b"") or [0]
    return Totals(entries, sum(words))


def newest(phrases: Iterable[Phrase], limit: int, *, titles_only: bool = False) -> Select[int]:
    """Return the select of the keys of the newest entries that have any of some phrases, newest first."""
    expression = any_of(phrases)
    wanted = f"{{title}} : ({expression})" if titles_only else expression
    return matching(wanted).order_by(_INDEX.c.rowid.desc()).limit(limit)


def spread(*wanted: ColumnElement[bool]) -> Select[int, int, int]:
    """Return the select of how many of the newest entries match, and the oldest and newest of their keys.

    Its parameters are ``fts``, an expression, and ``many``, how many entries at most.

    Args:
        wanted: what else must hold.
    """
    matching = select(KEY).where(_match(bindparam("fts")), *wanted)
    newest = matching.order_by(_INDEX.c.rowid.desc()).limit(bindparam("many")).subquery()
    return select(func.count(), func.min(newest.c.pk), func.max(newest.c.pk))


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


def _match(expression: str | BindParameter[str]) -> ColumnElement[bool]:
    index: ColumnElement[str] = literal_column("search_index")
    if isinstance(expression, str):
        expression = bindparam("fts", expression, unique=True)
    return index.op("MATCH", is_comparison=True)(expression)


def _term(term: Term) -> str:
    phrases = [_phrase(phrase) for phrase in term.phrases]
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"


def _phrase(phrase: Phrase) -> str:
    # Words of a shadow hold no quotes, so nothing needs escaping.
    return f'"{" ".join(phrase.words)}"{" *" if phrase.open else ""}'


def _varints(block: bytes) -> list[int]:
    """Read SQLite's variable-length integers (of at most eight bytes): seven bits each, highest first."""
    numbers, number = [], 0
    for byte in block:
        number = number << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(number)
            number = 0
    return numbers
