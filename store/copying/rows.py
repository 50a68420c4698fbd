"""Rows on their way from one store to another: in ranges of their keys, compared and hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    and_,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    true,
    tuple_,
)

from store.search import drop_record
from store.tables import record

STEP = 500


@dataclass(frozen=True, slots=True)
class Range:
    """All rows of a table whose keys are after one and up to another.

    Args:
        after: None from the first one on.
        upto: None to the last one; then there are no rows, for these are beyond all.
    """

    after: tuple[Any, ...] | None
    upto: tuple[Any, ...] | None
    rows: Sequence[Row[Any]]

    def condition(self, table: Table) -> ColumnElement[bool]:
        """Return which rows of a table are meant."""
        keys = tuple_(*table.primary_key)
        after = true() if self.after is None else keys > _literals(self.after)
        upto = true() if self.upto is None else keys <= _literals(self.upto)
        return and_(after, upto)


class Digest:
    """The number of rows, and a SHA-256 over them in their order."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def add(self, row: Row[Any]) -> None:
        """Take one row in: its values as compact JSON, bytes in hex, a line each."""
        line = json.dumps(list(row), ensure_ascii=True, separators=(",", ":"), default=bytes.hex)
        self._hash.update(line.encode())
        self._hash.update(b"\n")
        self.rows += 1

    def hex(self) -> str:
        """Return the hash so far."""
        return self._hash.hexdigest()


def ranges(conn: Connection, table: Table) -> Iterator[Range]:
    """Yield the rows of a table in the order of their keys, and at last what lies beyond them."""
    after: tuple[Any, ...] | None = None
    keys = [column.name for column in table.primary_key]
    while found := conn.execute(_page(table, after)).all():
        upto = tuple(found[-1]._mapping[key] for key in keys)
        yield Range(after, upto, found)
        after = upto
    yield Range(after, None, ())


def walk(conn: Connection, table: Table, limit: int | None = None) -> Iterator[Row[Any]]:
    """Yield the rows of a table in the order of their keys, at most ``limit``."""
    left = limit
    for batch in ranges(conn, table):
        some = batch.rows if left is None else batch.rows[:left]
        yield from some
        if left is not None:
            left -= len(some)
            if not left:
                return


def count(conn: Connection, table: Table) -> int:
    """Return how many rows a table has."""
    return int(conn.execute(select(func.count()).select_from(table)).scalar_one())


def drop_unless_equal(conn: Connection, table: Table, batch: Range) -> None:
    """Delete what a table has in a range, unless it is the same."""
    there = _there(conn, table, batch)
    if there and list(map(tuple, there)) != list(map(tuple, batch.rows)):
        if table is record:
            for row in there:  # not every engine's index follows by itself
                drop_record(conn, row.pk)
        conn.execute(delete(table).where(batch.condition(table)))


def fill(conn: Connection, table: Table, batch: Range) -> None:
    """Insert the rows of a range that are not there yet."""
    keys = [column.name for column in table.primary_key]
    there = {tuple(row._mapping[key] for key in keys) for row in _there(conn, table, batch)}
    missing = [
        dict(row._mapping)
        for row in batch.rows
        if tuple(row._mapping[key] for key in keys) not in there
    ]
    if missing:
        conn.execute(insert(table), missing)


def copy_next_key(given: Connection, conn: Connection, table: Table) -> None:
    """Have the target give no key that the source has given, not even of rows that are gone."""
    column = table.autoincrement_column
    if column is None or column.foreign_keys:
        return
    last = max(_last_key(given, table, column.name), _last_key(conn, table, column.name))
    if not last:
        return
    if conn.dialect.name == "sqlite":
        if _counted(conn, table):
            values = {"name": table.name, "last": last}
            conn.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
            conn.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), values)
    else:
        conn.execute(select(func.setval(_sequence(table, column.name), last)))


def _last_key(conn: Connection, table: Table, column: str) -> int:
    """Return the highest key that a table has given or has."""
    highest = conn.execute(select(func.max(table.c[column]))).scalar() or 0
    given = None
    if conn.dialect.name != "sqlite":
        name = conn.execute(select(_sequence(table, column))).scalar_one()
        given = conn.exec_driver_sql(f"SELECT last_value FROM {name} WHERE is_called").scalar()  # noqa: S608
    elif _counted(conn, table):
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        given = conn.execute(query, {"name": table.name}).scalar()
    return max(int(highest), int(given or 0))


def _counted(conn: Connection, table: Table) -> bool:
    """Tell whether SQLite remembers the highest key of a table, rows that are gone included."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _sequence(table: Table, column: str) -> Any:
    return func.pg_get_serial_sequence(table.name, column)


def _there(conn: Connection, table: Table, batch: Range) -> Sequence[Row[Any]]:
    query = select(table).where(batch.condition(table)).order_by(*table.primary_key)
    return conn.execute(query).all()


def _page(table: Table, after: tuple[Any, ...] | None) -> Any:
    query = select(table).order_by(*table.primary_key).limit(STEP)
    if after is None:
        return query
    return query.where(tuple_(*table.primary_key) > _literals(after))


def _literals(values: tuple[Any, ...]) -> Any:
    return tuple_(*(literal(value) for value in values))
