"""Keep what was written to a folder as if it had been imported from there, so that importing adds nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import Connection

from store import sources
from store.folders.entry import Entry
from store.folders.fitting import fit, layout_facts, source_facts
from store.folders.formats import FORMATS
from store.folders.ledger import Ledger
from store.folders.steps import Step
from store.sources import LAYOUT, Known


def remember(
    conn: Connection, ledger: Ledger, step: Step, gone: Sequence[Known] | None = None
) -> None:
    """Note what a step left in the folder.

    Args:
        step: done.
        gone: the sources of a file that was removed.
    """
    if gone is not None:
        for known in gone:
            sources.change(conn, known.pk, gone=True)
        return
    assert step.data is not None  # noqa: S101 - only written files are remembered
    root, path = ledger.identity(step.path)
    place = {"root": root, "path": path}
    rows = sources.of_file(conn, root, path)
    reading = FORMATS[step.format].read(step.data, path)
    entries = [fit(entry, path) for entry in reading.entries]
    pairs = _owners(step, entries)
    own = {row.record_id: row for row in rows if row.part != LAYOUT}
    taken = {row.part: row for row in rows}
    for entry, id in pairs:
        if id in own and own[id].part != entry.part:
            sources.change(conn, own[id].pk, part=f"?{own[id].pk}")  # out of the way of the others
    for entry, id in pairs:
        facts = source_facts(entry, step.format, time.time())
        values = {**facts, **place, "record_id": id, "part": entry.part, "gone": False}
        # A part that belonged to a rejected record may be another's now.
        row = own.get(id) or taken.get(entry.part)
        if row is not None:
            sources.change(conn, row.pk, **values)
        else:
            sources.add(conn, [values])
    if len(entries) == 1 and not entries[0].part:
        return
    layout = taken.get(LAYOUT)
    kept = layout_facts(step.data, reading, entries)
    if layout is not None:
        sources.change(conn, layout.pk, **kept)
    else:
        new = {"record_id": "", "part": LAYOUT, "format": step.format}
        sources.add(conn, [{**new, **place, **kept}])


def _owners(step: Step, entries: Sequence[Entry]) -> list[tuple[Entry, str]]:
    """Pair the entries of a written file with their records.

    An edit may change what an entry is called, and a new one need not come last: what kept its part is
    what it was, and the rest is in order.
    """
    before = dict(zip(step.parts, step.ids, strict=False))
    now = {entry.part for entry in entries}
    left = [id for part, id in before.items() if part not in now]
    left += step.ids[len(step.parts) :]
    pairs = []
    for entry in entries:
        id = before[entry.part] if entry.part in before else left.pop(0) if left else ""
        if id:
            pairs.append((entry, id))
    return pairs
