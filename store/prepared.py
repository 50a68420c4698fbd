"""Statements that a write runs many times: compiled once, run on the driver's own cursor.

SQLAlchemy's cached execution costs ten times what SQLite takes for a small statement (30 against 3 µs),
and recording one memory runs a dozen. What is written here is still Core, and compiled by the dialect of
whichever engine it meets. Only for use within `Database.writing`, whose transaction the cursor shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.elements import ClauseElement

Values: TypeAlias = Mapping[str, Any]


class Prepared:
    """A statement whose result needs no conversion: whole numbers and text.

    Args:
        statement: a Core statement; what changes from run to run is a named `bindparam`.
        columns: the columns that an INSERT or UPDATE sets, where the statement does not say.
    """

    def __init__(self, statement: Executable, columns: Sequence[str] | None = None) -> None:
        self._statement = statement
        self._columns = columns
        self._forms: dict[str, _Form] = {}

    def run(self, conn: Connection, values: Values) -> None:
        """Run a statement without a result."""
        self._execute(conn, values)

    def run_each(self, conn: Connection, rows: Iterable[Values]) -> None:
        """Run a statement for several sets of values."""
        form = self._form(conn)
        filled: list[Any] = [form.fill(values) for values in rows]
        conn.connection.cursor().executemany(form.text, filled)

    def first(self, conn: Connection, values: Values) -> tuple[Any, ...] | None:
        """Return the first row, None when there is none."""
        row: tuple[Any, ...] | None = self._execute(conn, values).fetchone()
        return row

    def all(self, conn: Connection, values: Values) -> list[tuple[Any, ...]]:
        """Return all rows."""
        rows: list[tuple[Any, ...]] = self._execute(conn, values).fetchall()
        return rows

    def _execute(self, conn: Connection, values: Values) -> Any:
        form = self._form(conn)
        cursor = conn.connection.cursor()
        cursor.execute(form.text, form.fill(values))
        return cursor

    def _form(self, conn: Connection) -> _Form:
        form = self._forms.get(conn.dialect.name)
        if form is None:
            form = _Form(self._statement, self._columns, conn)
            self._forms[conn.dialect.name] = form
        return form


class _Form:
    """A statement as one engine's driver takes it."""

    def __init__(
        self, statement: Executable, columns: Sequence[str] | None, conn: Connection
    ) -> None:
        assert isinstance(statement, ClauseElement)  # noqa: S101 - every Core statement is one
        compiled = statement.compile(dialect=conn.dialect, column_keys=columns)
        self.text = str(compiled)
        self._order: Sequence[str] | None = getattr(compiled, "positiontup", None)
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}

    def fill(self, values: Values) -> Sequence[Any] | Values:
        merged = {**self._fixed, **values} if self._fixed else values
        if self._order is None:
            return merged
        return [merged[name] for name in self._order]
