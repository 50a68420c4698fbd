"""What a newcomer is offered: whether there is anything yet, and which folders could be imported.

Plain functions: they run in jobs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from store.provider import Desk
from store.records import Counts

if TYPE_CHECKING:
    from store.folders.report import Report


@dataclass
class StoreFoundEmpty(Message):
    """Nothing is in the store, not even in the trash."""


@dataclass
class StoreCounted(Message):
    """Everything in the store was counted."""

    counts: Counts


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or file that could be imported, and whose it is."""

    path: Path
    whose: str


@dataclass
class PlacesFound(Message):
    """The usual places were looked through."""

    places: tuple[Place, ...]


@dataclass
class ImportTried(Message):
    """It is known what an import would do."""

    path: Path
    report: Report


@dataclass
class ImportMoved(Message):
    """An import has taken so many files of so many."""

    path: Path
    done: int
    total: int


@dataclass
class ImportDone(Message):
    """A folder was imported."""

    path: Path
    report: Report


def is_empty(desk: Desk) -> StoreFoundEmpty | None:
    """Tell whether a store has nothing in it yet."""
    counts = desk.count()
    return None if counts.total or counts.trashed else StoreFoundEmpty()


def find_places(home: Path, project: Path) -> PlacesFound:
    """Look for memories in the usual places; what cannot be read is not there."""
    from store.folders.discover import discover

    return PlacesFound(tuple(Place(found.path, found.agent) for found in discover(home, project)))


def try_import(desk: Desk, path: Path) -> ImportTried:
    """Find out what importing a folder would do, without doing it.

    Raises:
        MemoryError: the folder cannot be read, or the store is another provider's.
    """
    from store.folders.importer import ImportOptions, import_folder
    from store.local import own

    return ImportTried(path, import_folder(own(desk), path, ImportOptions(dry_run=True)))


def run_import(desk: Desk, path: Path, tell: Callable[[Message], object]) -> ImportDone:
    """Import a folder as drafts.

    Args:
        tell: is called with `ImportMoved` as it goes on.

    Raises:
        MemoryError: as `try_import`; what was taken before stays.
    """
    from store.folders.importer import ImportOptions, import_folder
    from store.local import own

    def progress(done: int, total: int) -> None:
        tell(ImportMoved(path, done, total))

    return ImportDone(path, import_folder(own(desk), path, ImportOptions(), progress=progress))
