"""A record filter as a condition on `record`: the same for listing, counting and searching."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, and_, bindparam, column, text, true

from store import fts5, tables
from store.fts5 import ANYTHING, Within
from store.records import RecordFilter
from store.segment import terms


def condition(query: RecordFilter) -> ColumnElement[bool]:
    """Return what an entry must be to pass; true for the empty filter."""
    record = tables.record.c
    wanted: list[ColumnElement[bool]] = []
    if query.types:
        wanted.append(record.type.in_([str(type) for type in query.types]))
    if query.scopes:
        wanted.append(record.scope.in_([str(scope) for scope in query.scopes]))
    if query.status is not None:
        wanted.append(record.status == str(query.status))
    if query.text:
        wanted.append(text_condition(query.text))
    return and_(true(), *wanted)


def text_condition(query: str) -> ColumnElement[bool]:
    """Return the condition that every word of a literal query occurs; true where it has none."""
    asked = terms(query)
    if not asked:
        return true()
    matching = text(fts5.MATCHING).bindparams(bindparam("fts", fts5.all_of(asked), unique=True))
    return tables.record.c.pk.in_(matching.columns(column("pk")))


def within_of(conn: Connection, query: RecordFilter) -> Within:
    """Return a filter as plain SQL for a connection's engine."""
    if query == RecordFilter():
        return ANYTHING
    compiled = condition(query).compile(
        dialect=conn.dialect, compile_kwargs={"render_postcompile": True}
    )
    names = compiled.positiontup or ()
    return Within(str(compiled), tuple(compiled.params[name] for name in names))
