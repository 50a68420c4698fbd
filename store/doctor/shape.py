"""Whether a database has every table, column, index and trigger that the code relies on.

The revision that a store says it has is only a word: a development version may have stamped it early, and
other programs may drop what they like.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, Index, Table, inspect

from store import tables
from store.doctor.finding import Finding, Level, listed

_INDEX = "search_index"
_TRIGGERS = ("search_text_added", "search_text_changed", "search_text_dropped")


def examine(conn: Connection) -> Iterator[Finding]:
    """Compare the database with the models: what is more there does no harm, what is missing does."""
    lacking = list(_lacking(conn))
    if lacking:
        yield Finding(
            "schema",
            Level.ERROR,
            f"the store says that it is up to date, but lacks {listed(lacking)}",
            "Restore a copy made before, or export what can be read and import that into a new store.",
        )
        return
    slow = [str(index.name) for index in _missing_indexes(conn)]
    if slow:
        yield Finding(
            "schema",
            Level.WARNING,
            f"the store is slow without {len(slow)} of its indexes: {listed(slow)}",
            "memory-inbox doctor --mend",
            mendable=True,
        )


def put_right(conn: Connection) -> bool:
    """Make missing indexes anew; False, and nothing done, where tables or columns are missing."""
    if next(_lacking(conn), None) is not None:
        return False
    for index in list(_missing_indexes(conn)):
        index.create(conn)
    return True


def _lacking(conn: Connection) -> Iterator[str]:
    """Yield the tables, columns and triggers that are missing."""
    found = inspect(conn)
    there = set(found.get_table_names())
    for table in _expected(conn):
        if table.name not in there:
            yield f"the table {table.name}"
            continue
        columns = {column["name"] for column in found.get_columns(table.name)}
        wanted = (column.name for column in table.columns)
        yield from (f"the column {table.name}.{name}" for name in wanted if name not in columns)

    if conn.dialect.name == "sqlite":
        kept = "SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger')"
        names = set(conn.exec_driver_sql(kept).scalars())
        yield from (f"the search's {name}" for name in (_INDEX, *_TRIGGERS) if name not in names)


def _expected(conn: Connection) -> list[Table]:
    own = [] if conn.dialect.name == "sqlite" else tables.server_metadata.sorted_tables
    return [*tables.metadata.sorted_tables, *own]


def _missing_indexes(conn: Connection) -> Iterator[Index]:
    found = inspect(conn)
    for table in _expected(conn):
        there = {index["name"] for index in found.get_indexes(table.name)}
        yield from (index for index in sorted(table.indexes, key=str) if index.name not in there)
