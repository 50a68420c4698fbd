"""Keep what was written to a folder as if it had been imported from there, so that importing adds nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import Connection

from store import sources
from store.folders.entry import file_hash
from store.folders.fitting import fit, source_facts
from store.folders.formats import FORMATS
from store.folders.ledger import Ledger
from store.folders.skeleton import cut
from store.folders.steps import Step
from store.sources import LAYOUT, Known


def remember(
    conn: Connection, ledger: Ledger, step: Step, gone: Sequence[Known] | None = None
) -> None:
    """Note what a step left in the folder.

    Args:
        step: done; ``ids`` are the records of the file's entries, in order.
        gone: the sources of a file that was removed.
    """
    if gone is not None:
        for known in gone:
            sources.change(conn, known.pk, gone=True)
        return
    assert step.data is not None  # noqa: S101 - only written files are remembered
    root, path = ledger.identity(step.path)
    rows = sources.of_file(conn, root, path)
    entries = [fit(entry, path) for entry in FORMATS[step.format].read(step.data, path).entries]
    pks = {row.record_id: row.pk for row in rows if row.part != LAYOUT}
    parts = {row.pk: row.part for row in rows}
    pairs = [(entry, id) for entry, id in zip(entries, step.ids, strict=False) if id]
    for entry, id in pairs:
        if id in pks and parts[pks[id]] != entry.part:
            sources.change(conn, pks[id], part=f"?{pks[id]}")  # out of the way of the others
    for entry, id in pairs:
        values = {
            **source_facts(entry, step.format, time.time()),
            **{"record_id": id, "root": root, "path": path, "part": entry.part, "gone": False},
        }
        if id in pks:
            sources.change(conn, pks[id], **values)
        else:
            sources.add(conn, [values])
    if len(entries) == 1 and not entries[0].part:
        return
    layout = next((row.pk for row in rows if row.part == LAYOUT), None)
    kept = {"file_hash": file_hash(step.data), "raw": cut(step.data, entries), "gone": False}
    if layout is not None:
        sources.change(conn, layout, **kept)
    else:
        place = {"root": root, "path": path, "part": LAYOUT, "format": step.format}
        sources.add(conn, [{"record_id": "", **place, **kept}])
