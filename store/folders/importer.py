"""Import a folder of memories: read leniently, take in batches, say what became of every file.

Importing again adds nothing, changes no id and undoes no decision. A run that is interrupted has taken
whole batches; the next one goes on where it ended.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from store import sources
from store.errors import NotFound
from store.folders import walk
from store.folders.detect import Surroundings
from store.folders.formats import named
from store.folders.gather import Gatherer, Settled
from store.folders.ledger import KnownFile, Ledger
from store.folders.report import Line, Outcome, Report
from store.folders.taking import File, Taker
from store.folders.walk import CannotRead, Found
from store.local import LocalDesk
from store.records import MemoryScope, RecordStatus

_BATCH_FILES = 100  # taken in one transaction: other writers wait for well under a second
_BATCH_BYTES = 1024 * 1024

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to import.

    Args:
        status: of new records: pending waits for a decision, canonical is one.
        scope: of all records, whatever files and folder say.
        project: the project they belong to, whatever the folder says.
        format: read every file as this one; decided file by file when empty.
        dry_run: change nothing, only report.
        explain: give the reason for each file's format.
    """

    status: RecordStatus = RecordStatus.PENDING
    scope: MemoryScope | None = None
    project: Path | None = None
    format: str = ""
    dry_run: bool = False
    explain: bool = False


AS_FOUND = ImportOptions()


def import_folder(
    desk: LocalDesk,
    path: Path,
    options: ImportOptions = AS_FOUND,
    report: Report | None = None,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Import one folder or file into a store.

    Args:
        report: is added to as the run goes on, so that an interrupted one is known; a new one when None.
        progress: is called with the files done and the files there are.

    Raises:
        NotFound, InvalidArgument: there is no such folder, project or format.
        SourceUnavailable: the store cannot be written.
    """
    report = report or Report()
    report.finished = False
    _Run(desk, path, options, report).go(progress)
    report.finished = True
    return report


class _Run:
    """The import of one folder or file."""

    def __init__(self, desk: LocalDesk, path: Path, options: ImportOptions, report: Report) -> None:
        self.desk = desk
        self.options = options
        self.report = report
        self.place = path.expanduser().resolve()
        self.whole = self.place.is_dir()
        self.base = self.place if self.whole else self.place.parent
        self.format = named(options.format) if options.format else None
        self.project = _folder(options.project) if options.project else None

    def go(self, progress: Progress) -> None:
        """Take all files, then note which are gone."""
        found = self._listed()
        with self.desk.database.reading() as conn:
            ledger = Ledger.read(conn, walk.storable(str(self.base)))
        missing = ledger.missing([file.path for file in found]) if self.whole else []
        gatherer = Gatherer(
            base=self.base,
            ledger=ledger,
            around=self._around(found),
            format=self.format,
            project=self.project,
            scope=self.options.scope,
            explain=self.options.explain,
        )
        done = 0
        for batch in _batches(gatherer.gather(found)):
            self._take(batch)
            done += len(batch)
            self.report.files += len(batch)
            progress(done, len(found))
        self._miss([file for file in missing if file.where not in gatherer.renamed])
        self.report.notices += [
            notice for notice in gatherer.notices if notice not in self.report.notices
        ]

    def _listed(self) -> list[Found]:
        found: list[Found] = []
        passed: list[Line] = []
        try:
            for each in walk.walk(self.place):
                if isinstance(each, Found):
                    found.append(each)
                else:
                    outcome = Outcome.SKIPPED if each.proper else Outcome.REFUSED
                    passed.append(Line(str(self.base), each.path, outcome, why=each.why))
        except CannotRead as problem:
            raise NotFound(f"{self.place} cannot be imported: {problem}") from None
        self.report.add(passed)
        return found

    def _around(self, found: list[Found]) -> Surroundings:
        """Return what lies beside each file; a file given alone still has its neighbours' names."""
        paths = [file.path for file in found]
        if not self.whole:
            paths += [walk.storable(name) for name in os.listdir(self.base)]
        return Surroundings.of(self.base, paths)

    def _take(self, batch: list[File | Settled]) -> None:
        files = [each for each in batch if isinstance(each, File)]
        settled = [each for each in batch if isinstance(each, Settled)]
        self.report.add(each.line for each in settled if each.line)
        self.report.counts[Outcome.UNCHANGED] += sum(
            each.unchanged - bool(each.line) for each in settled if each.unchanged
        )
        if files:
            self.report.add(self.desk.database.retried(lambda: self._taken(files)))
        self._miss([each.emptied for each in settled if each.emptied])

    def _taken(self, files: list[File]) -> list[Line]:
        with self._transaction(scrub=any(file.known for file in files)) as conn:
            taker = self._taker(conn)
            # What another run took since this one began is done with.
            mine = [
                file
                for file in files
                if file.known or not sources.of_file(conn, file.root, file.path)
            ]
            return [line for file in mine for line in taker.take(file)]

    def _miss(self, files: list[KnownFile]) -> None:
        if any(not file.gone for file in files):
            with self._transaction() as conn:
                taker = self._taker(conn)
                lines = [line for file in files for line in taker.miss(file)]
            self.report.add(lines)

    def _transaction(self, scrub: bool = False) -> AbstractContextManager[Connection]:
        database = self.desk.database
        return database.reading() if self.options.dry_run else database.writing(scrub=scrub)

    def _taker(self, conn: Connection) -> Taker:
        options, desk = self.options, self.desk
        return Taker(conn, options.status, desk.moment(""), desk.content_limit, options.dry_run)


def _folder(path: Path) -> Path:
    place = path.expanduser().resolve()
    if not place.is_dir():
        raise NotFound(f"there is no project folder {place}")
    return place


def _batches(gathered: Iterable[File | Settled]) -> Iterator[list[File | Settled]]:
    """Group files so that a batch is taken in a moment, however large each of them is."""
    batch: list[File | Settled] = []
    size = 0
    for each in gathered:
        batch.append(each)
        size += len(each.data) if isinstance(each, File) else 0
        if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
