"""What is wrong with the links between memories, and in which file and line, as far as files are known."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from sqlalchemy import Connection, select

from store import sources
from store.folders import index, walk
from store.folders.importer import ImportOptions, import_folder
from store.folders.ledger import KnownFile, Ledger
from store.folders.locating import Locator
from store.folders.place import Place
from store.folders.walk import CannotRead
from store.local import LocalDesk, open_desk
from store.records import LinkClass, LinkEntry, RecordStatus
from store.tables import link, record

_PAGE = 500
_NAMES = {
    LinkClass.BROKEN: "its target is gone",
    LinkClass.AMBIGUOUS: "several records answer",
    LinkClass.WANTED: "nothing has this name yet",
}
_ORPHANS = (
    select(record.c.id, record.c.title)
    .where(
        record.c.status == RecordStatus.CANONICAL.value,
        record.c.pk.not_in(select(link.c.source_pk)),
        record.c.id.not_in(select(link.c.target_id).where(link.c.target_id.is_not(None))),
    )
    .order_by(record.c.id)
)


class Kind(StrEnum):
    """What can be wrong, the worst first."""

    BROKEN = "broken"
    MISSING = "missing"  # an index entry without a file
    AMBIGUOUS = "ambiguous"
    UNINDEXED = "unindexed"
    WANTED = "wanted"
    ORPHAN = "orphan"


FAULTS = frozenset({Kind.BROKEN, Kind.MISSING})  # the others may well be meant


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Args:
        kind: what.
        message: the same in words.
        id: the record that it is in, empty for an index.
        target: the name or file that is meant.
        path: the file, absolute; empty where there is none, or it was edited since.
        line: in the file, else in the record's text; from 1, 0 for the whole.
        text: the line.
        candidates: ids that an ambiguous name may mean.
    """

    kind: Kind
    message: str
    id: str = ""
    target: str = ""
    path: str = ""
    line: int = 0
    text: str = ""
    candidates: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Where to look: ``file:line``, or ``id:line`` where no file is known."""
        place = self.path or self.id
        return f"{place}:{self.line}" if self.line else place


def examine(desk: LocalDesk) -> Iterator[Finding]:
    """Yield all that is wrong in a store and in the indexes of the folders it was imported from."""
    for link_class in (LinkClass.BROKEN, LinkClass.AMBIGUOUS, LinkClass.WANTED):
        yield from _links(desk, link_class)
    with desk.database.reading() as conn:
        for ledger in _ledgers(conn):
            yield from _indexes(ledger)
        for id, title in conn.execute(_ORPHANS):
            yield Finding(Kind.ORPHAN, "no link leads here or away", id, title)


def examine_folder(folder: Path, format: str = "") -> tuple[Finding, ...]:
    """Return what is wrong in a folder by itself, as if it were all there is; the store is not touched.

    Args:
        format: read every file as this one; decided file by file when empty.

    Without a history, a link that leads nowhere is wanted and not broken.

    Raises:
        MemoryError: as `import_folder`.
    """
    taken = ImportOptions(status=RecordStatus.CANONICAL, format=format)
    with tempfile.TemporaryDirectory(prefix="memory-inbox-") as scratch:
        desk = open_desk(str(Path(scratch) / "check.db"))
        desk.content_limit = walk.MAX_BYTES  # links are checked, whatever a store would take
        try:
            import_folder(desk, folder, taken)
            return tuple(examine(desk))
        finally:
            desk.close()


def _links(desk: LocalDesk, link_class: LinkClass) -> Iterator[Finding]:
    after = ""
    while page := desk.links((link_class,), _PAGE, after):
        with desk.database.reading() as conn:
            locator = Locator(conn)
            findings = [_finding(locator, entry) for entry in page]
        yield from findings
        after = page[-1].source_id


def _finding(locator: Locator, entry: LinkEntry) -> Finding:
    place = locator.place(entry.source_id, entry.source_status, entry.line)
    return Finding(
        Kind(entry.link_class.value),
        _NAMES[entry.link_class],
        entry.source_id,
        entry.target,
        place.path,
        place.line,
        entry.line_text,
        entry.candidates,
    )


def _ledgers(conn: Connection) -> Iterator[Ledger]:
    """Yield what is known of each folder that still is there, the outermost of those in one another."""
    seen: list[str] = []
    for root in sorted(sources.roots(conn), key=len):
        if Path(root).is_dir() and not any(root.startswith(f"{outer}/") for outer in seen):
            seen.append(root)
            yield Ledger.read(conn, root)


def _indexes(ledger: Ledger) -> Iterator[Finding]:
    """Yield what is wrong with each MEMORY.md beside known Claude memories."""
    place = Place(Path(ledger.root))
    by_index: dict[str, list[KnownFile]] = defaultdict(list)
    for known in ledger.files.values():
        if known.format == "claude" and not known.gone:
            below = known.where[len(ledger.root) + 1 :]
            folder = index.home_of(place.root, below)
            if folder is not None:
                by_index[folder].append(known)
    for folder, files in sorted(by_index.items()):
        try:
            data = place.read(f"{folder}{index.NAME}")
        except CannotRead:
            continue
        if data is not None:
            yield from _index(place, folder, data, files)


def _index(place: Place, folder: str, data: bytes, files: list[KnownFile]) -> Iterator[Finding]:
    path = str(place.root / folder / index.NAME)
    named = set()
    for bullet in index.listed(index.text_of(data)):
        named.add(bullet.path)
        problem = _problem(place, folder, bullet.path)
        if problem:
            yield Finding(Kind.MISSING, problem, "", bullet.path, path, bullet.line, bullet.title)
    start = len(str(place.root)) + 1 + len(folder)
    for known in files:
        if known.where[start:] not in named and Path(known.where).is_file():
            why = f"not in {index.NAME}"
            id = known.rows[0].live_id
            yield Finding(Kind.UNINDEXED, why, id, known.where[start:], known.where, 1)


def _problem(place: Place, folder: str, path: str) -> str:
    if path.startswith("/") or ".." in PurePosixPath(path).parts:
        return "leads out of the folder"
    real = place.root / folder / walk.unstorable(path)
    return "" if real.is_file() and not real.is_symlink() else "no such file"
