"""Reading by plain SQL: what search and recall run on, whether or not the database library is loaded.

Importing that library takes longer than a recall, and the first recall of a process is waited for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Reader:
    """Runs queries in whatever transaction its connection is in.

    Args:
        cursor: returns a new cursor (PEP 249) of the connection, whose parameters are question marks.
    """

    def __init__(self, cursor: Callable[[], Any]) -> None:
        self._cursor = cursor

    def all(self, query: str, *values: Any) -> list[Any]:
        """Return all rows, as tuples."""
        cursor = self._cursor()
        cursor.execute(query, values)
        rows: list[Any] = cursor.fetchall()
        return rows


def reader_of(conn: Connection) -> Reader:
    """Return the reader of one of the database library's connections, in a transaction."""
    if not conn.in_transaction():
        conn.begin()
    return Reader(conn.connection.cursor)


def listed(values: Iterable[int | str]) -> str:
    """Return values as one parameter, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(values))
