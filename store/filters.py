"""A record filter as a condition on `record`: the same for listing, counting and searching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Dialect,
    and_,
    bindparam,
    text,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite

from store import fts5, tables, tsvector
from store.index import ANYTHING, Within
from store.records import RecordFilter
from store.segment import terms

# As a `Reader` takes it: with a question mark for each value.
_PLAIN: Mapping[str, Dialect] = {
    "sqlite": sqlite.dialect(),
    "postgresql": postgresql.dialect(paramstyle="qmark"),  # type: ignore[no-untyped-call]
}


def condition(dialect: str, query: RecordFilter) -> ColumnElement[bool]:
    """Return what an entry must be to pass; true for the empty filter.

    Args:
        dialect: name of the engine, `sqlite` or `postgresql`.
    """
    record = tables.record.c
    wanted: list[ColumnElement[bool]] = []
    if query.types:
        wanted.append(record.type.in_([str(type) for type in query.types]))
    if query.scopes:
        wanted.append(record.scope.in_([str(scope) for scope in query.scopes]))
    if query.status is not None:
        wanted.append(record.status == str(query.status))
    if query.text:
        wanted.append(text_condition(dialect, query.text))
    return and_(true(), *wanted)


def text_condition(dialect: str, query: str) -> ColumnElement[bool]:
    """Return the condition that every word of a literal query occurs; true where it has none."""
    asked = terms(query)
    if not asked:
        return true()
    if dialect == "sqlite":
        sql, values = fts5.matching(asked)
    else:
        sql, values = tsvector.matching(asked)
        sql = f"SELECT pk FROM search_index WHERE {sql}"  # noqa: S608
    first, *rest = sql.split("?")
    marked = first + "".join(f":word{at}{part}" for at, part in enumerate(rest))
    words: list[BindParameter[Any]] = [
        bindparam(f"word{at}", value, unique=True) for at, value in enumerate(values)
    ]
    return text(f"record.pk IN ({marked})").bindparams(*words)  # type: ignore[return-value]


def within_of(conn: Connection, query: RecordFilter) -> Within:
    """Return a filter as plain SQL for a connection's engine."""
    if query == RecordFilter():
        return ANYTHING
    name = conn.dialect.name
    compiled = condition(name, query).compile(
        dialect=_PLAIN[name], compile_kwargs={"render_postcompile": True}
    )
    names = compiled.positiontup or ()
    return Within(str(compiled), tuple(compiled.params[name] for name in names))
