"""What follows from the records, built where they were copied to: words to search, keys of near-matches."""

from __future__ import annotations

from collections.abc import Callable

from store import tables
from store.copying import rows
from store.doctor.derived import DERIVED, batch_after
from store.engine import Database

_BUILT = [each for each in DERIVED if each.check in {"search", "near"}]


def build(database: Database, progress: Callable[[str, int, int], None]) -> None:
    """Build what is not there or differs, in one transaction a batch.

    Args:
        progress: see `store.copying.OnProgress`.
    """
    with database.reading() as conn:
        total = rows.count(conn, tables.record)
    progress("search", 0, total)
    done = after = 0
    while True:
        with database.writing() as conn:
            batch = batch_after(conn, after)
            for each in _BUILT if batch else ():
                assert each.mend is not None  # noqa: S101 - what follows from a text can be derived
                for entry in list(each.differing(conn, batch)):
                    each.mend(conn, entry)
        if not batch:
            return
        done, after = done + len(batch), batch[-1].pk
        progress("search", done, total)
