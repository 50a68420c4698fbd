"""What a file should hold: its record's text in the file as it is, as it was last read, or written afresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
        row = home.row
        format = FORMATS.get(row.format, self.format) if row else self.format
        step = self._look(home.path, (record.id,), format)
        if step.action is Action.FAIL:
            return step
        if row is not None and step.was is not None:
            return self._changed_file(conn, format, record, row, step, step.was)
        if row is not None and not self.revive:
            return replace(step, action=Action.WAIT, why=_GONE)
        fresh = self._fresh(record, row or home.origin, format)
        if step.was is not None and step.was != fresh:
            return replace(step, action=Action.CONFLICT, why=_UNREAD)
        return compare(step, fresh)

    def _look(self, path: str, ids: tuple[str, ...], format: Format) -> Step:
        """Return a step with what is there, one that fails where it cannot be read."""
        try:
            return Step(Action.KEEP, path, ids, format.name, was=self.place.read(path))
        except CannotRead as problem:
            return Step(Action.FAIL, path, ids, format.name, str(problem))

    def _changed_file(
        self,
        conn: Connection,
        format: Format,
        record: Record,
        row: Row[Any],
        step: Step,
        was: bytes,
    ) -> Step:
        as_given, as_read = is_as_given(record, row), file_hash(was) == row.file_hash
        if as_given and as_read:
            return compare(step, was, row.file_hash)
        data = _updated(format, was, step.path, {"": item_of(record)})
        if data == was:
            return compare(step, was, row.file_hash)
        if data is None or not as_read:
            if as_given:
                return replace(step, action=Action.WAIT, why=_CHANGED)
            return replace(step, action=Action.CONFLICT, why=_UNFIT if data is None else _BOTH)
        if _waits(conn, record.id, row):
            return replace(step, action=Action.WAIT, why=_WAITS)
        return compare(step, data)

    def _fresh(self, record: Record, origin: Row[Any] | None, format: Format) -> bytes:
        data = rebuild.whole_file(record, origin) if origin is not None else None
        if data is not None:
            return data
        create = format.create_file or FORMATS["vault"].create_file
        assert create is not None  # noqa: S101 - the vault format has it
        return create(item_of(record))

    def list_step(self, conn: Connection, path: str, members: Sequence[Member]) -> Step:
        """Return the step for a file of several records."""
        rows = [home.row for _, home in members if home.row is not None]
        format = FORMATS.get(rows[0].format, self.format) if rows else self.format
        step = self._look(path, tuple(record.id for record, _ in members), format)
        if step.action is Action.FAIL:
            return step
        if rows and step.was is not None:
            return self._changed_list(conn, format, members, step, step.was)
        fresh = self._fresh_list(conn, format, path, members)
        if step.was is None and (fresh is None or (rows and not self.revive)):
            return replace(step, action=Action.WAIT, why=_GONE)
        if fresh is None or (step.was is not None and step.was != fresh.data):
            return replace(step, action=Action.CONFLICT, why=_UNREAD)
        return compare(replace(step, ids=fresh.ids, parts=fresh.parts), fresh.data or b"")

    def _changed_list(
        self, conn: Connection, format: Format, members: Sequence[Member], step: Step, was: bytes
    ) -> Step:
        there = {entry.part: entry for entry in _entries(format, was, step.path)}
        known = _layout_hash(conn, members)
        changes: dict[str, Item] = {}
        waiting = ""
        for record, home in members:
            if home.row is None or is_as_given(record, home.row):
                continue
            entry = there.get(home.row.part)
            if entry is not None and _says(entry, record):
                continue
            if entry is None or entry.hash != home.row.file_hash:
                return replace(step, action=Action.CONFLICT, why=f"{record.id}: {_BOTH}")
            if _waits(conn, record.id, home.row):
                waiting = f"{record.id}: {_WAITS}"
            else:
                changes[home.row.part] = item_of(record)
        if file_hash(was) != known:
            # What else changed in it would count as read once this is written.
            return replace(step, action=Action.WAIT, why=_CHANGED)
        data = _updated(format, was, step.path, changes) if changes else was
        fresh = [record for record, home in members if home.row is None]
        if data is None or (fresh and format.append is None):
            return replace(step, action=Action.CONFLICT, why=_UNFIT)
        if fresh and format.append is not None:
            data = format.append(data, [item_of(record) for record in fresh])
        if data == was and waiting:
            return replace(step, action=Action.WAIT, why=waiting)
        owner = {home.row.part: record.id for record, home in members if home.row is not None}
        ids = (*(owner.get(part, "") for part in there), *(record.id for record in fresh))
        return compare(replace(step, ids=ids, parts=tuple(there)), data, known)

    def _fresh_list(
        self, conn: Connection, format: Format, path: str, members: Sequence[Member]
    ) -> Step | None:
        """Return a file's bytes and whose its entries are.

        It is the file it was where one file gave these records and nothing else; otherwise it is written
        afresh, or None where only an agent's own file in place is written in the format.
        """
        origins = {
            (row.root, row.path): row for _, home in members if (row := home.row or home.origin)
        }
        if len(origins) == 1:
            ((root, origin_path),) = origins
            kept = {row.part for row in sources.of_file(conn, root, origin_path) if not row.gone}
            owned = {row.part for _, home in members if (row := home.row or home.origin)}
            base = rebuild.list_file(conn, root, origin_path)
            if base is not None and kept - {LAYOUT} <= owned:
                return self._rebuilt(format, path, base, members)
        if format.create_list is None:
            return None
        items = [item_of(record) for record, _ in members]
        ids = tuple(item.id for item in items)
        return Step(Action.WRITE, path, ids, format.name, data=format.create_list(items))

    def _rebuilt(self, format: Format, path: str, base: bytes, members: Sequence[Member]) -> Step:
        there = tuple(entry.part for entry in _entries(format, base, path))
        owner = {
            row.part: record.id for record, home in members if (row := home.row or home.origin)
        }
        changes = {
            row.part: item_of(record)
            for record, home in members
            if (row := home.row or home.origin) and not is_as_given(record, row)
        }
        data = format.update(base, path, changes) if changes else base
        fresh = [record for record, home in members if not (home.row or home.origin)]
        if fresh and format.append is not None:
            data = format.append(data, [item_of(record) for record in fresh])
        ids = (*(owner.get(part, "") for part in there), *(record.id for record in fresh))
        return Step(Action.WRITE, path, ids, format.name, data=data, parts=there)


def _layout_hash(conn: Connection, members: Sequence[Member]) -> str:
    """Return the hash of a file of several as it was last read."""
    row = next(home.row for _, home in members if home.row is not None)
    rows = sources.of_file(conn, row.root, row.path)
    return next((str(each.given) for each in rows if each.part == LAYOUT), "")


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
