"""Which entry of a file is which of those it had before: so that records keep their files through edits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from store.folders.entry import Entry
from store.sources import Known

_ALIKE = 60  # percent; an edit of an entry that nothing names keeps more than half of its text
_COMPARED = 60  # entries left over; beyond, a changed one counts as gone and new

Pair = tuple[Entry, Known | None]


def match(
    entries: Sequence[Entry], known: Sequence[Known], likeness: Callable[[Entry, Known], float]
) -> tuple[list[Pair], list[Known]]:
    """Pair entries with what they were: by bytes, by part, and where nothing names them by likeness.

    Args:
        likeness: of an entry to what became of a known one, in percent.

    Returns:
        each entry with its source, None for a new one; and the sources that no entry is.
    """
    left = {row.pk: row for row in known}
    found: dict[int, Known] = {}
    # Bytes before parts: of two equal headings, the one that is left is the one whose text is left.
    _pair(
        entries,
        left,
        found,
        lambda one: (one.hash, one.part),
        lambda row: (row.file_hash, row.part),
    )
    _pair(entries, left, found, lambda one: one.hash, lambda row: row.file_hash)
    _pair(entries, left, found, lambda one: one.part, lambda row: row.part)
    for at, entry in enumerate(entries):
        if at not in found and entry.part.startswith("~") and 0 < len(left) <= _COMPARED:
            likenesses = {pk: likeness(entry, row) for pk, row in left.items()}
            best = max(likenesses, key=likenesses.__getitem__)
            if likenesses[best] >= _ALIKE:
                found[at] = left.pop(best)
    return [(entry, found.get(at)) for at, entry in enumerate(entries)], list(left.values())


def _pair(
    entries: Sequence[Entry],
    left: dict[int, Known],
    found: dict[int, Known],
    of_entry: Callable[[Entry], Hashable],
    of_row: Callable[[Known], Hashable],
) -> None:
    waiting: dict[Hashable, list[int]] = {}
    for row in reversed(left.values()):
        waiting.setdefault(of_row(row), []).append(row.pk)
    for at, entry in enumerate(entries):
        if at not in found and (rows := waiting.get(of_entry(entry))):
            found[at] = left.pop(rows.pop())
