"""Reading by plain SQL: what search and recall run on, whether or not the database library is loaded.

Importing that library takes longer than a recall, and the first recall of a process is waited for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from store.index import Index


class Listed(tuple[int | str, ...]):
    """Several values that are one parameter: what ``IN ??`` in a query looks among."""

    __slots__ = ()


class Reader:
    """Runs queries in whatever transaction its connection is in.

    A query is plain SQL in which ``?`` stands for a value, and ``IN ??`` for being one of several (`listed`).

    Args:
        cursor: returns a new cursor (PEP 249) of a connection to SQLite.
        index: the full-text index of the engine.
    """

    def __init__(self, cursor: Callable[[], Any], index: Index) -> None:
        self._cursor = cursor
        self.index = index

    def all(self, query: str, *values: Any) -> list[Any]:
        """Return all rows, as tuples."""
        cursor = self._cursor()
        cursor.execute(self._query(query), [self._value(value) for value in values])
        rows: list[Any] = cursor.fetchall()
        return rows

    @staticmethod
    @lru_cache(maxsize=256)
    def _query(query: str) -> str:
        return query.replace("IN ??", "IN (SELECT value FROM json_each(?))")

    @staticmethod
    def _value(value: Any) -> Any:
        return json.dumps(value) if isinstance(value, Listed) else value


class ServerReader(Reader):
    """Reads from PostgreSQL, whose driver has other marks for values and takes lists as they are."""

    @staticmethod
    @lru_cache(maxsize=256)
    def _query(query: str) -> str:
        return query.replace("%", "%%").replace("IN ??", "= ANY(%s)").replace("?", "%s")

    @staticmethod
    def _value(value: Any) -> Any:
        return list(value) if isinstance(value, Listed) else value


def reader_of(conn: Connection) -> Reader:
    """Return the reader of one of the database library's connections, in a transaction."""
    if not conn.in_transaction():
        conn.begin()
    if conn.dialect.name == "sqlite":
        from store import fts5

        return Reader(conn.connection.cursor, fts5)
    from store import tsvector

    return ServerReader(conn.connection.cursor, tsvector)


def listed(values: Iterable[int | str]) -> Listed:
    """Return values as one parameter, for ``IN ??``."""
    return Listed(values)
