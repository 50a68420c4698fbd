"""What a file should hold: its record's text in the file as it is, as it was last read, or written afresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from store import entries, sources
from store.folders import rebuild
from store.folders.entry import Entry, Item, file_hash
from store.folders.fitting import fit
from store.folders.formats import FORMATS, Format
from store.folders.homes import Home
from store.folders.place import Place
from store.folders.rebuild import is_as_given, item_of
from store.folders.steps import Action, Step, compare
from store.folders.walk import CannotRead
from store.records import Record
from store.sources import LAYOUT, given_hash

_UNREAD = "a file is there that was never read: import it first, or export elsewhere"
_CHANGED = "the file changed since it was last read: import it"
_BOTH = "changed in the folder and here: import it, decide, then export again"
_WAITS = "what the file says waits for a decision"
_GONE = "it is gone from the folder: delete its record, or bring it back with an export"
_UNFIT = "the file cannot be read as what it was any more: import it first"

Member = tuple[Record, Home]


@dataclass(frozen=True, slots=True)
class Writer:
    """Decides what is to be written.

    Args:
        place: the folder.
        format: of files that are written new.
        revive: write files again that were deleted from the folder.
    """

    place: Place
    format: Format
    revive: bool = True

    def file_step(self, conn: Connection, record: Record, home: Home) -> Step:
        """Return the step for a record that has a file of its own."""
        path, row = home.path, home.row
        format = FORMATS.get(row.format, self.format) if row else self.format
        ids = (record.id,)
        try:
            was = self.place.read(path)
        except CannotRead as problem:
            return Step(Action.FAIL, path, ids, format.name, str(problem))
        if row is None or was is None:
            if row is not None and not self.revive:
                return Step(Action.WAIT, path, ids, format.name, _GONE)
            fresh = self._fresh(record, row or home.origin, format)
            if was is not None and was != fresh:
                return Step(Action.CONFLICT, path, ids, format.name, _UNREAD)
            return compare(path, was, fresh, ids, format.name)
        return self._changed_file(conn, format, record, home, was)

    def _changed_file(
        self, conn: Connection, format: Format, record: Record, home: Home, was: bytes
    ) -> Step:
        path, row, ids = home.path, home.row, (record.id,)
        assert row is not None  # noqa: S101 - it was read before
        as_given, as_read = is_as_given(record, row), file_hash(was) == row.file_hash
        if as_given and as_read:
            return compare(path, was, was, ids, format.name, row.file_hash)
        data = _updated(format, was, path, {"": item_of(record)})
        if data == was:
            return compare(path, was, was, ids, format.name, row.file_hash)
        if data is None or not as_read:
            if as_given:
                return Step(Action.WAIT, path, ids, format.name, _CHANGED)
            why = _UNFIT if data is None else _BOTH
            return Step(Action.CONFLICT, path, ids, format.name, why)
        if _waits(conn, record.id, row):
            return Step(Action.WAIT, path, ids, format.name, _WAITS)
        return compare(path, was, data, ids, format.name)

    def _fresh(self, record: Record, origin: Row[Any] | None, format: Format) -> bytes:
        data = rebuild.whole_file(record, origin) if origin is not None else None
        if data is not None:
            return data
        create = format.create_file or FORMATS["vault"].create_file
        assert create is not None  # noqa: S101 - the vault format has it
        return create(item_of(record))

    def list_step(self, conn: Connection, path: str, members: Sequence[Member]) -> Step:
        """Return the step for a file of several records."""
        home_rows = [home.row for _, home in members if home.row is not None]
        format = FORMATS.get(home_rows[0].format, self.format) if home_rows else self.format
        ids = tuple(record.id for record, _ in members)
        try:
            was = self.place.read(path)
        except CannotRead as problem:
            return Step(Action.FAIL, path, ids, format.name, str(problem))
        if was is None:
            fresh = self._fresh_list(conn, format, path, members)
            if fresh is None or (home_rows and not self.revive):
                return Step(Action.WAIT, path, ids, format.name, _GONE)
            return compare(path, None, fresh[0], fresh[1], format.name)
        if not home_rows:
            fresh = self._fresh_list(conn, format, path, members)
            if fresh is None or fresh[0] != was:
                return Step(Action.CONFLICT, path, ids, format.name, _UNREAD)
            return compare(path, was, was, fresh[1], format.name)
        return self._changed_list(conn, format, path, was, members)

    def _changed_list(
        self, conn: Connection, format: Format, path: str, was: bytes, members: Sequence[Member]
    ) -> Step:
        ids = tuple(record.id for record, _ in members)
        there = {entry.part: entry for entry in _entries(format, was, path)}
        changes: dict[str, Item] = {}
        waiting = ""
        for record, home in members:
            if home.row is None or is_as_given(record, home.row):
                continue
            entry = there.get(home.row.part)
            if entry is not None and _says(entry, record):
                continue
            if entry is None or entry.hash != home.row.file_hash:
                return Step(Action.CONFLICT, path, ids, format.name, f"{record.id}: {_BOTH}")
            if _waits(conn, record.id, home.row):
                waiting = f"{record.id}: {_WAITS}"
            else:
                changes[home.row.part] = item_of(record)
        data = _updated(format, was, path, changes) if changes else was
        fresh = [record for record, home in members if home.row is None]
        if data is None or (fresh and format.append is None):
            return Step(Action.CONFLICT, path, ids, format.name, _UNFIT)
        if fresh and format.append is not None:
            data = format.append(data, [item_of(record) for record in fresh])
        if data == was and waiting:
            return Step(Action.WAIT, path, ids, format.name, waiting)
        owner = {home.row.part: record.id for record, home in members if home.row is not None}
        order = tuple(owner.get(part, "") for part in there)
        order = (*order, *(record.id for record in fresh))
        return compare(path, was, data, order, format.name, self._known_hash(conn, members))

    def _known_hash(self, conn: Connection, members: Sequence[Member]) -> str:
        row = next(home.row for _, home in members if home.row is not None)
        rows = sources.of_file(conn, row.root, row.path)
        return next((each.file_hash for each in rows if each.part == LAYOUT), "")

    def _fresh_list(
        self, conn: Connection, format: Format, path: str, members: Sequence[Member]
    ) -> tuple[bytes, tuple[str, ...]] | None:
        """Return a file's bytes and whose its entries are, in order.

        It is the file it was where one file gave these records and nothing else; otherwise it is written
        afresh, or None where only an agent's own file in place is written in the format.
        """
        origins = {
            (row.root, row.path): row for _, home in members if (row := home.row or home.origin)
        }
        if len(origins) == 1:
            ((root, origin_path),) = origins
            kept = {row.part for row in sources.of_file(conn, root, origin_path) if not row.gone}
            owner = {
                row.part: record for record, home in members if (row := home.row or home.origin)
            }
            base = rebuild.list_file(conn, root, origin_path)
            if base is not None and kept - {LAYOUT} <= set(owner):
                return self._rebuilt(format, path, base, members, owner)
        if format.create_list is None:
            return None
        items = [item_of(record) for record, _ in members]
        return format.create_list(items), tuple(item.id for item in items)

    def _rebuilt(
        self,
        format: Format,
        path: str,
        base: bytes,
        members: Sequence[Member],
        owner: dict[str, Record],
    ) -> tuple[bytes, tuple[str, ...]]:
        there = [entry.part for entry in _entries(format, base, path)]
        changes = {
            row.part: item_of(record)
            for record, home in members
            if (row := home.row or home.origin) and not is_as_given(record, row)
        }
        data = format.update(base, path, changes) if changes else base
        fresh = [record for record, home in members if not (home.row or home.origin)]
        if fresh and format.append is not None:
            data = format.append(data, [item_of(record) for record in fresh])
        order = [owner[part].id if part in owner else "" for part in there]
        return data, (*order, *(record.id for record in fresh))


def _entries(format: Format, data: bytes, path: str) -> list[Entry]:
    return [fit(entry, path) for entry in format.read(data, path).entries]


def _updated(format: Format, data: bytes, path: str, changes: dict[str, Item]) -> bytes | None:
    """Return a changed file; None where what is there has no such entries any more."""
    try:
        return format.update(data, path, changes)
    except (ValueError, KeyError):
        return None


def _says(entry: Entry, record: Record) -> bool:
    return (entry.title, entry.content) == (record.title, record.content)


def _waits(conn: Connection, id: str, row: Row[Any]) -> bool:
    """Say whether the text that a file gave last is still a revision to be decided."""
    _, pending = entries.find_both(conn, id)
    if pending is None:
        return False
    return bool(given_hash(pending.title, pending.summary, pending.content) == row.given)
