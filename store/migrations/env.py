"""How alembic runs the steps: on the connection, and in the transaction, that `store.schema` hands over."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from alembic import context
from sqlalchemy import Column, Connection, String, event


@contextmanager
def compared_by_code_point(connection: Connection) -> Iterator[None]:
    """Give every column of text that the steps make on a server the order that SQLite has.

    Without it, that is the database's: another one on every server, and not the one that the code sorts by.
    """

    def set_collation(column: Column[Any], _: object) -> None:
        if isinstance(column.type, String) and column.type.collation is None:
            column.type = type(column.type)(column.type.length, collation="C")

    if connection.dialect.name == "sqlite":
        yield
        return
    event.listen(Column, "before_parent_attach", set_collation)
    try:
        yield
    finally:
        event.remove(Column, "before_parent_attach", set_collation)


connection = context.config.attributes["connection"]
context.configure(connection=connection, transactional_ddl=True, render_as_batch=True)
with context.begin_transaction(), compared_by_code_point(connection):
    context.run_migrations()
