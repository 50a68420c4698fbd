"""A store copied to another place, on the same engine or another: exactly, resumably, checked at the end.

Every table that does not follow from the others is copied row by row, keys included, so that revisions, times
and the journal's chain are what they were; search words, near-match keys and the index are built anew. A
batch is a transaction. A copy that broke off is gone on with: what is there already is compared, and
written again only where it differs.

The journal goes first: it tells a copy from a store of its own. A target is written to when its journal
begins as the source's does, and is refused otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from sqlalchemy import Connection, Table, func, select

from store import tables
from store.copying import derived, rows
from store.engine import Database
from store.errors import Conflict, InvalidArgument, MemoryError
from store.host import open_database
from store.location import Location, require

OnProgress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

# Records before what belongs to them; the journal before all.
COPIED: tuple[Table, ...] = (
    tables.journal,
    tables.record,
    tables.name,
    tables.link,
    tables.version,
    tables.retired,
    tables.trash,
    tables.source,
    tables.flush,
    tables.served,
    tables.token_count,
    tables.claim,
)


@dataclass(frozen=True, slots=True)
class Copied:
    """One table that is the same in both stores.

    Args:
        rows: how many there are.
        digest: SHA-256 over all of them in the order of their keys, in hex.
    """

    table: str
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that was made and checked.

    Args:
        resumed: it went on with one that had broken off.
        behind: lines that the source's journal has got meanwhile; copying again brings them over.
    """

    tables: tuple[Copied, ...]
    resumed: bool
    behind: int


def copy_store(source: Location, target: Location, progress: OnProgress = lambda *_: None) -> Copy:
    """Copy a store; the source is only read, as it was at one moment.

    Raises:
        InvalidArgument: both are the same place.
        Conflict: the target holds another store, or was written to since it was a copy; it was left as it is.
        NotFound: there is no source. SourceUnavailable: one of them is away; go on by copying again.
        MemoryError: in the end both were not the same.
    """
    if source.url == target.url or _same_file(source, target):
        raise InvalidArgument("a store cannot be copied to where it is")
    if source.path is not None:
        require(source.path)
    with (
        closing(open_database(source, read_only=True)) as old,
        closing(open_database(target, read_only=False)) as new,
        old.reading() as given,
    ):
        resumed = _check_target(given, new, target.display)
        for table in COPIED:
            _copy_table(given, new, table, resumed, progress)
        derived.build(new, progress)
        done = tuple(_verify(given, new, table, progress) for table in COPIED)
        behind = _written_since(old, given)
    return Copy(done, resumed, behind)


def _same_file(source: Location, target: Location) -> bool:
    one, other = source.path, target.path
    return one is not None and other is not None and other.exists() and one.samefile(other)


def _check_target(given: Connection, new: Database, display: str) -> bool:
    """Tell whether the target is a copy that broke off; refuse a store of its own."""
    with new.reading() as there:
        if not any(there.execute(select(table).limit(1)).first() for table in COPIED):
            return False
        kept, compared = rows.Digest(), rows.Digest()
        for row in rows.walk(there, tables.journal):
            kept.add(row)
        for row in rows.walk(given, tables.journal, limit=kept.rows):
            compared.add(row)
        if kept.rows and kept.hex() == compared.hex():
            return True
    raise Conflict(
        f"the store at {display} has records of its own; nothing was copied",
        hint="Copy to an empty place. A copy can only be gone on with until it is written to.",
    )


def _copy_table(
    given: Connection, new: Database, table: Table, resumed: bool, progress: OnProgress
) -> None:
    total = rows.count(given, table)
    if resumed and table is not tables.journal:  # a journal that differs is refused, never mended
        # All that differs goes before anything comes: a row may have got another key meanwhile.
        for batch in rows.ranges(given, table):
            with new.writing() as conn:
                rows.drop_unless_equal(conn, table, batch)
    done = 0
    progress(table.name, 0, total)
    for batch in rows.ranges(given, table):
        if batch.rows:
            with new.writing() as conn:
                rows.fill(conn, table, batch)
            done += len(batch.rows)
            progress(table.name, done, total)
    with new.writing() as conn:
        rows.copy_next_key(given, conn, table)


def _verify(given: Connection, new: Database, table: Table, progress: OnProgress) -> Copied:
    total = rows.count(given, table)
    progress(f"checking {table.name}", 0, total)
    with new.reading() as there:
        wanted, found = rows.Digest(), rows.Digest()
        for row in rows.walk(given, table):
            wanted.add(row)
        for row in rows.walk(there, table):
            found.add(row)
    progress(f"checking {table.name}", total, total)
    if (wanted.rows, wanted.hex()) != (found.rows, found.hex()):
        raise MemoryError(
            f"the copy is not the same: {table.name} has {found.rows:,} rows with hash {found.hex()[:12]},"
            f" the source {wanted.rows:,} with {wanted.hex()[:12]}",
            hint="Was the copy written to meanwhile? Copy again.",
        )
    return Copied(table.name, found.rows, found.hex())


def _written_since(old: Database, given: Connection) -> int:
    """Return how many lines the source's journal has got since the moment that was copied."""
    last = select(func.coalesce(func.max(tables.journal.c.seq), 0))
    copied = given.execute(last).scalar_one()
    with closing(Database(old.location, read_only=True)) as again, again.reading() as now:
        return int(now.execute(last).scalar_one() - copied)
