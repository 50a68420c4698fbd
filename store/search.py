"""Text search: keeps the index in step with the records, and asks it.

The index covers the shadow text of `store.segment`: every door that searches segments the query in
the same way, so that all of them give the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Connection, true

from store.records import Hit, RecordFilter


def index_record(
    conn: Connection, pk: int, title: str, summary: str, names: Iterable[str], content: str
) -> None:
    """Make an entry findable, or findable by its new text, within the caller's transaction.

    Args:
        names: what else the record answers to (id, aliases); weighs as much as the title.
    """


def drop_record(conn: Connection, pk: int) -> None:
    """Make an entry unfindable within the caller's transaction; call before its row is deleted."""


def purge_index(conn: Connection) -> None:
    """Rewrite the index without what deleted entries left behind in it."""


def text_condition(text: str) -> ColumnElement[bool]:
    """Return the condition on ``record`` that every word of a literal query occurs; true for none."""
    return true()


def search(
    conn: Connection, text: str, query: RecordFilter = RecordFilter(), limit: int = 20
) -> tuple[Hit, ...]:
    """Return the best matches first: entries with all words, or with any if none has all.

    A blank text gives the newest entries, as an unfiltered list does. Never raises for a text.
    """
    return ()
