"""A store on a PostgreSQL server: connections, transactions, and which failures pass.

Transactions are begun by plain statements, as on SQLite, with the driver left in its autocommit mode:

* A reader's is repeatable read and may only read: it sees one moment of the store.
* A writer's locks the one row of `alembic_version` before it reads anything. So there is one writer at a
  time, in all programs on all machines together, and what it reads is the latest: the slug that it finds
  free stays free, and its journal line follows the last one. Read committed is enough then, and needed: a
  repeatable read would show the moment before it got the lock.

An engine that settles conflicts by failing one side (SQLSTATE 40001, as distributed ones do) fails a
transaction whole; `Database.retried` runs it again.

Source of the codes: https://www.postgresql.org/docs/15/errcodes-appendix.html.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.engine import Connection
from sqlalchemy.exc import ArgumentError

from store.errors import InvalidArgument, MemoryError
from store.location import Location

READ = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
LOCK = "SELECT version_num FROM alembic_version FOR UPDATE"
# What is told to those that listen, by a statement of its own after a commit: an engine without
# notifications would fail the whole transaction.
CHANNEL = "memory_inbox"
NOTIFY = f"NOTIFY {CHANNEL}"
UNSUPPORTED = "0A"
# Transactions that left nothing: a serialization failure, a deadlock.
COLLIDED = ("40001", "40P01")
# A server that is gone, starts, ends or is a standby now; no connections left; a cancelled statement.
UNREACHABLE = ("08", "57P", "53", "57014", "25006", "58")
LOCKED = "55P03"

# Whoever set these in the URL is obeyed. A machine that vanished is noticed after some 20 seconds.
_DEFAULTS: dict[str, Any] = {
    "application_name": "memory-inbox",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "client_encoding": "UTF8",
}


def write(patience_ms: int) -> str:
    """Return how a writer begins, which waits so long for the lock; then `LOCK` is to be run."""
    return (
        "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE;"
        f" SET LOCAL lock_timeout = {max(1, patience_ms)}"
    )


def make_server_engine(location: Location, begin_option: str) -> Engine:
    """Return an engine over a server's database.

    Args:
        begin_option: the execution option that says how a transaction begins.

    Raises:
        MemoryError: the driver is not installed. InvalidArgument: the URL cannot be read.
    """
    try:
        url = make_url(location.url)
        options = {name: value for name, value in _DEFAULTS.items() if name not in url.query}
        engine = create_engine(
            url,
            connect_args={**options, "autocommit": True},
            max_overflow=-1,
            pool_pre_ping=True,
        )
    except ModuleNotFoundError as error:
        raise MemoryError(
            f"a store on a server needs the Python package {error.name}",
            hint="Install it with: pip install 'memory-inbox[postgresql]'",
        ) from error
    except ImportError as error:  # the driver is there, without the library that it is built on
        raise MemoryError(
            "a store on a server needs a PostgreSQL client library, and none can be loaded",
            hint="Install it with: pip install 'memory-inbox[postgresql]'",
        ) from error
    except (ArgumentError, ValueError) as error:
        raise InvalidArgument(f"the store's URL cannot be read ({location.display})") from error

    @event.listens_for(engine, "begin")
    def begin(conn: Connection) -> None:
        statement = conn.get_execution_options().get(begin_option, "BEGIN")
        conn.connection.cursor().execute(statement)

    return engine


def code_of(error: BaseException | None) -> str:
    """Return the code (SQLSTATE) of what the driver raised; empty where the server did not get to say one."""
    return getattr(error, "sqlstate", None) or ""


def is_unreachable(error: BaseException | None) -> bool:
    """Tell whether an error says that the server, or this connection to it, cannot be used now."""
    code = code_of(error)
    # By the names that PEP 249 gives them, so that the driver need not be there to be asked.
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return code.startswith(UNREACHABLE) or (
        not code and not kinds.isdisjoint(("OperationalError", "InterfaceError"))
    )
