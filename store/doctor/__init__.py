"""Whether a store is sound, and putting right what follows from its records.

`examine` changes nothing. `mend` writes anew what can be derived from the records (names, links, words to
search, near-match keys, indexes), makes missing indexes and closes the files to others; what only a backup
can bring back it leaves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from sqlalchemy import Connection

from store import journal, location, schema, search
from store.doctor import place, remains, shape
from store.doctor.derived import DERIVED
from store.doctor.finding import Finding as Finding
from store.doctor.finding import Level as Level
from store.engine import Database
from store.errors import MemoryError
from store.location import Location

Check = Callable[[Connection], Iterator[Finding]]


def examine(where: Location, on_check: Callable[[str], None] = lambda _: None) -> list[Finding]:
    """Return what is not as it should be; of a sound store, nothing.

    Args:
        where: the store, which nobody needs to have open, nor be able to open.
        on_check: told the name of each check before it runs; some take minutes at a million records.

    Raises:
        NotFound: there is no store there.
    """
    found: list[Finding] = []
    if where.path is not None:
        location.require(where.path)
        on_check("permissions")
        found += place.permissions(where.path)
        on_check("backups")
        found += place.backups(where.path)
    with closing(Database(where, read_only=True)) as database:
        on_check("schema")
        try:
            schema.prepare(database)
        except MemoryError as error:
            return [*found, _failure("schema", error)]
        found += _run(database, "schema", shape.examine)
        if any(finding.check == "schema" and finding.level is Level.ERROR for finding in found):
            return found
        for name, check in _checks(where):
            on_check(name)
            found += _run(database, name, check)
    on_check("index")
    found += _index(where)
    return found


def follow_journal(where: Location) -> journal.Chain:
    """Check the decision journal alone; a second is enough for some 200,000 lines.

    Raises:
        NotFound: there is no store there.
        MemoryError: it cannot be read.
    """
    if where.path is not None:
        location.require(where.path)
    with closing(Database(where, read_only=True)) as database:
        schema.prepare(database)
        with database.reading() as conn:
            return journal.follow(conn)


def mend(where: Location, on_check: Callable[[str], None] = lambda _: None) -> list[Finding]:
    """Put right what can be, all of it or nothing, and return what is left to find.

    Args:
        where, on_check: as for `examine`.

    Raises:
        MemoryError: the store cannot be opened for writing.
    """
    if where.path is not None:
        location.require(where.path)
        place.protect(where.path)
    with closing(Database(where)) as database:
        schema.prepare(database)
        with database.writing() as conn:
            if not shape.put_right(conn):
                return examine(where, on_check)
            if where.path is not None:
                place.rebuild_indexes(conn)
            # Twice, for writing search words takes the old ones out of an index that must be whole.
            _rebuild_unless_sound(conn)
            for derived in DERIVED:
                derived.put_right(conn)
            _rebuild_unless_sound(conn)
    return examine(where, on_check)


def _checks(where: Location) -> Iterator[tuple[str, Check]]:
    """Yield the checks of what is in the database, by name."""
    path = where.path
    if path is not None:
        yield "file", place.file
        yield "copies", lambda conn: remains.examine(conn, path)
    yield "journal", _journal
    for derived in DERIVED:
        yield derived.check, derived.examine


def _run(database: Database, name: str, check: Check) -> list[Finding]:
    try:
        with database.reading() as conn:
            return list(check(conn))
    except MemoryError as error:
        return [_failure(name, error)]


def _failure(name: str, error: MemoryError) -> Finding:
    # Elsewhere damage is answered by sending people here.
    how = place.RESTORE if "doctor" in error.hint else error.hint
    return Finding(name, Level.ERROR, str(error), how)


def _journal(conn: Connection) -> Iterator[Finding]:
    chain = journal.follow(conn)
    if chain.broken is not None:
        yield Finding(
            "journal",
            Level.ERROR,
            f"the decision journal was tampered with or damaged at line {chain.broken}: {chain.why}",
            "Compare it with a backup's.",
        )


def _index(where: Location) -> list[Finding]:
    """Compare the full-text index with the words it covers.

    SQLite takes that for a write, though nothing is written, so it has its own connection.
    """
    try:
        with closing(Database(where)) as database, database.writing() as conn:
            if search.index_is_sound(conn):
                return []
    except MemoryError as error:
        return [Finding("index", Level.NOTE, f"the index could not be compared: {error}")]
    what = "the full-text index says something else than the records"
    return [Finding("index", Level.ERROR, what, "memory-inbox doctor --mend", mendable=True)]


def _rebuild_unless_sound(conn: Connection) -> None:
    if not search.index_is_sound(conn):
        search.rebuild_index(conn)
