"""The full-text index on SQLite: its query language, and its upkeep.

`search_index` is an FTS5 table whose content is `search_text`; triggers keep it in step (see the migration
that makes it). Source of the commands: https://sqlite.org/fts5.html.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from store.index import ANYTHING, BODY_WEIGHT, TITLE_WEIGHT, Totals, Weighed, Within
from store.segment import Phrase, Term

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from store.reader import Reader

MATCHING = "SELECT rowid FROM search_index WHERE search_index MATCH ?"  # all keys
_MERGED = 16  # pages
_FIRST = -(2**63)  # no key is less


class Spread(NamedTuple):
    """How many of the newest entries match, and the oldest and newest of their keys; None without any."""

    found: int
    oldest: int | None
    newest: int | None


def all_of(terms: Iterable[Term]) -> str:
    """Return the expression that every term occurs."""
    return " AND ".join(map(_term, terms))


def any_of(weighed: Iterable[Weighed]) -> str:
    """Return the expression that at least one phrase occurs."""
    return any_phrase(each.phrase for each in weighed)


def any_phrase(phrases: Iterable[Phrase]) -> str:
    """Return the expression that at least one of some phrases occurs."""
    return " OR ".join(map(_phrase, phrases))


def matching(terms: Iterable[Term]) -> tuple[str, list[Any]]:
    """Return the query for the keys of all entries in which every term occurs, and its values."""
    return MATCHING, [all_of(terms)]


def best(
    read: Reader, expression: str, within: Within, limit: int, most: int | None
) -> dict[int, float]:
    """See `Index.best`."""
    since = None
    if most is not None:
        newest = spread(read, expression, most, within)
        since = newest.oldest if newest.found == most else None
    return ranked(read, expression, limit, since, within)


def frequencies(
    read: Reader, phrases: Sequence[Phrase], totals: Totals, sample: int
) -> list[float]:
    """See `Index.frequencies`: estimated from how densely the newest that have a phrase lie."""
    return [_frequency(read, phrase, totals, sample) for phrase in phrases]


def _frequency(read: Reader, phrase: Phrase, totals: Totals, sample: int) -> float:
    count, oldest, newest = spread(read, any_phrase([phrase]), sample)
    if count < sample or oldest is None or newest is None:
        return float(count)
    estimate = count * totals.entries / (newest - oldest + 1)
    return float(min(totals.entries, max(count, estimate)))


def spread(read: Reader, expression: str, many: int, within: Within = ANYTHING) -> Spread:
    """Look at the newest entries that match, ``many`` at most."""
    source, wanted = _narrowed(within)
    query = (
        f"SELECT count(*), min(pk), max(pk) FROM (SELECT search_index.rowid AS pk FROM {source}"  # noqa: S608
        f" WHERE search_index MATCH ? {wanted} ORDER BY search_index.rowid DESC LIMIT ?)"
    )
    (row,) = read.all(query, expression, *within.values, many)
    return Spread(*row)


def ranked(
    read: Reader, expression: str, many: int, since: int | None, within: Within = ANYTHING
) -> dict[int, float]:
    """Return key and score (bm25, more is better) of the best that match, best first.

    Args:
        since: the least key that counts, None for all.
    """
    source, wanted = _narrowed(within)
    # `ORDER BY bm25(…)` written out is faster than the hidden `rank` column, by up to twice.
    score = f"bm25(search_index, {TITLE_WEIGHT}, {BODY_WEIGHT})"
    query = (
        f"SELECT search_index.rowid, -{score} FROM {source}"  # noqa: S608
        f" WHERE search_index MATCH ? AND search_index.rowid >= ? {wanted}"
        f" ORDER BY {score}, search_index.rowid DESC LIMIT ?"
    )
    least = _FIRST if since is None else since
    return dict(read.all(query, expression, least, *within.values, many))


def totals(read: Reader) -> Totals:
    """Return how much is indexed, without counting.

    FTS5 keeps it as the record with the id 1 of its data table: variable-length integers, the number
    of rows first, then the words of each column (fts5_index.c, "averages record").
    """
    rows = read.all("SELECT block FROM search_index_data WHERE id = 1")
    entries, *words = _varints(rows[0][0] if rows else b"") or [0]
    return Totals(entries, sum(words))


def merge_a_little(conn: Connection) -> None:
    """Merge a few pages of the index, in the caller's transaction.

    Every write adds a small segment; left alone, FTS5 merges eight at once, and the writer it falls on waits
    for 15 ms. A little after every few writes keeps the slowest of a hundred under half of that.
    """
    conn.exec_driver_sql(
        "INSERT INTO search_index(search_index, rank) VALUES ('merge', ?)", (_MERGED,)
    )


def optimize(conn: Connection) -> None:
    """Merge the whole index into one segment: the only way that deleted words leave it for good.

    Costs as much as writing the index anew. FTS5's own ``secure-delete`` would be cheaper, but needs
    SQLite 3.42 and makes the index unreadable for older ones.
    """
    conn.exec_driver_sql("INSERT INTO search_index(search_index) VALUES ('optimize')")
    _set_words_left(conn, 0)


def note_words_left(conn: Connection) -> None:
    """Note in the caller's transaction that words of deleted entries may be left in the index.

    The note is the database's ``user_version``: it holds when the process that made it is killed.
    """
    _set_words_left(conn, 1)


def words_left(conn: Connection) -> bool:
    """Tell whether words of deleted entries may be left in the index."""
    if conn.dialect.name != "sqlite":
        return False
    return bool(conn.exec_driver_sql("PRAGMA user_version").scalar())


def _set_words_left(conn: Connection, number: int) -> None:
    if conn.dialect.name == "sqlite":
        conn.exec_driver_sql(f"PRAGMA user_version = {number}")


def rebuild(conn: Connection) -> None:
    """Write the index anew from `search_text`."""
    conn.exec_driver_sql("INSERT INTO search_index(search_index) VALUES ('rebuild')")


def is_sound(conn: Connection) -> bool:
    """Tell whether the index is whole and says what `search_text` says; reads all of both."""
    from sqlalchemy.exc import DBAPIError

    # Only rank = 1 compares an external-content index with its content.
    check = "INSERT INTO search_index(search_index, rank) VALUES ('integrity-check', 1)"
    try:
        conn.exec_driver_sql(check)
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
            return False
        raise
    return True


def _narrowed(within: Within) -> tuple[str, str]:
    """Return what to select from, and what to add to the condition."""
    if not within.condition:
        return "search_index", ""
    joined = "search_index JOIN record ON record.pk = search_index.rowid"
    return joined, f"AND ({within.condition})"


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
