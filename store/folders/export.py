"""Export canonical records to a folder, in the form that an agent reads by itself.

A file is only written over what was last read of it. One that nobody edited here keeps its bytes; an edit
changes the edited lines. Exporting remembers what it wrote, so that importing the folder adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from store.errors import InvalidArgument
from store.folders import index, walk
from store.folders.entry import file_hash
from store.folders.formats import Format, named
from store.folders.homes import Home, Homes
from store.folders.ledger import KnownFile, Ledger
from store.folders.place import Place
from store.folders.remember import remember
from store.folders.steps import Action, ExportReport, Step, apply, compare
from store.folders.walk import CannotRead
from store.folders.writing import Writer
from store.local import LocalDesk
from store.records import Record, RecordStatus

EXPORTS = {"claude": "claude", "vault": "vault", "jsonl": "mcp", "json": "mem0"}
_LISTS = {"mcp": "memory.jsonl", "mem0": "memories.json"}
_PAGE = 200


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export.

    Args:
        wanted: which canonical records, besides those that are in the folder already.
        dry_run: change nothing, only report.
        sync: leave alone what was deleted from the folder, remove the unchanged files of records that
            were deleted here, and list only new files in MEMORY.md.
    """

    wanted: Callable[[Record], bool] = lambda record: True
    dry_run: bool = False
    sync: bool = False


def export_folder(
    desk: LocalDesk, folder: Path, format: str, options: ExportOptions = ExportOptions()
) -> ExportReport:
    """Export canonical records to a folder, but for those that are an agent's own.

    Args:
        format: one of `EXPORTS`.

    Raises:
        InvalidArgument: there is no such format, or the folder is a file.
        SourceUnavailable: the store cannot be reached.
    """
    if format not in EXPORTS:
        raise InvalidArgument(
            f"there is no export format {format!r}", hint=f"Formats: {', '.join(EXPORTS)}."
        )
    return write_folder(desk, folder, named(EXPORTS[format]), options)


def write_folder(
    desk: LocalDesk, folder: Path, format: Format, options: ExportOptions
) -> ExportReport:
    """Bring a folder's files in step with their records; see `export_folder`."""
    root = folder.expanduser().resolve()
    if root.exists() and not root.is_dir():
        raise InvalidArgument(f"{root} is a file; give a folder")
    return _Export(desk, Place(root), format, options).go()


class _Export:
    """One run: records page by page, then the files of several, then removals and the index."""

    def __init__(
        self, desk: LocalDesk, place: Place, format: Format, options: ExportOptions
    ) -> None:
        self.desk = desk
        self.place = place
        self.options = options
        self.report = ExportReport()
        root = walk.storable(str(place.root))
        with desk.database.reading() as conn:
            self.ledger = Ledger.read(conn, root)
        self.homes = Homes(root, self.ledger, format, self._list_name(format))
        self.writer = Writer(place, format, revive=not options.sync)
        self.lists: dict[str, list[tuple[Record, Home]]] = {}
        self.memories: list[tuple[float, index.Memory, bool]] = []

    def go(self) -> ExportReport:
        """Do all of it and return the report."""
        for page in self._pages():
            self._do(list(self._file_steps(page)))
        for path, members in sorted(self.lists.items()):
            with self.desk.database.reading() as conn:
                step = self.writer.list_step(conn, path, members)
            self._do([step])
        removed = list(self._removals()) if self.options.sync else []
        self._do(removed)
        self._do(
            list(self._indexes({step.path for step in removed if step.action is Action.REMOVE}))
        )
        return self.report

    def _list_name(self, format: Format) -> str:
        """Return the file that takes new records of a list format: the one there is, else its usual name."""
        there = [file for file in self.ledger.files.values() if file.format == format.name]
        if len(there) == 1:
            return there[0].where[len(self.ledger.root) + 1 :]
        return _LISTS.get(format.name, "")

    def _pages(self) -> Iterator[tuple[Record, ...]]:
        token = ""
        while True:
            page = self.desk.list_records(
                status=RecordStatus.CANONICAL, page_size=_PAGE, page_token=token
            )
            # What is an agent's own stays with it: a folder is for whoever reads it.
            yield tuple(record for record in page.records if record.audience is None)
            token = page.next_page_token
            if not token:
                return

    def _file_steps(self, page: tuple[Record, ...]) -> Iterator[Step]:
        with self.desk.database.reading() as conn:
            for record in page:
                if not self.options.wanted(record) and not self.homes.is_home(conn, record):
                    continue
                home = self.homes.of(conn, record)
                if home.is_list:
                    self.lists.setdefault(home.path, []).append((record, home))
                    continue
                step = self.writer.file_step(conn, record, home)
                self._note_memory(step, record)
                yield step

    def _do(self, steps: list[Step]) -> None:
        if self.options.dry_run:
            self.report.add(steps)
            return
        done = [apply(self.place, step) for step in steps]
        self.report.add(done)
        written = [
            step for step in done if step.ids and step.data is not None and not step.remembered
        ]
        gone = [step for step in done if step.action is Action.REMOVE]
        if written or gone:
            with self.desk.database.writing() as conn:
                for step in written:
                    remember(conn, self.ledger, step)
                for step in gone:
                    known = self._known(step.path)
                    remember(conn, self.ledger, step, gone=known.rows if known else [])

    def _known(self, path: str) -> KnownFile | None:
        return self.ledger.files.get(f"{self.ledger.root}/{path}")

    def _removals(self) -> Iterator[Step]:
        """Yield what becomes of the files whose record was deleted here."""
        for known in list(self.ledger.files.values()):
            row = known.rows[0]
            if not row.deleted or row.part or row.gone:
                continue
            path = known.where[len(self.ledger.root) + 1 :]
            try:
                was = self.place.read(path)
            except CannotRead as problem:
                yield Step(Action.FAIL, path, format=row.format, why=str(problem))
                continue
            if was is not None and file_hash(was) == row.file_hash:
                why = "its record was deleted here"
                yield Step(Action.REMOVE, path, format=row.format, why=why, was=was)
            elif was is not None:
                why = "it changed after its record was deleted: import it, or remove it yourself"
                yield Step(Action.WAIT, path, format=row.format, why=why)

    def _note_memory(self, step: Step, record: Record) -> None:
        if step.format == "claude" and step.action in (Action.WRITE, Action.CHANGE, Action.KEEP):
            memory = index.Memory(step.path, record.title, record.summary)
            new = step.action is Action.WRITE
            self.memories.append((-record.updated_at.timestamp(), memory, new))

    def _indexes(self, removed: set[str]) -> Iterator[Step]:
        """Yield the changes to each MEMORY.md: newest memories first, as far as the agent loads it."""
        root = self.place.root
        listed: dict[str, list[index.Memory]] = {}
        new = {memory.path for _, memory, is_new in self.memories if is_new}
        for _, memory in sorted(((when, memory) for when, memory, _ in self.memories), key=_when):
            listed.setdefault(index.home_of(root, memory.path) or "", []).append(memory)
        for path in removed:
            listed.setdefault(index.home_of(root, path) or "", [])
        for folder, memories in sorted(listed.items()):
            step = self._index(folder, memories, new, removed)
            if step is not None:
                yield step

    def _index(
        self, folder: str, memories: list[index.Memory], new: set[str], removed: set[str]
    ) -> Step | None:
        path = f"{folder}{index.NAME}"
        try:
            was = self.place.read(path)
        except CannotRead as problem:
            return Step(Action.FAIL, path, why=str(problem))
        below = [replace(each, path=each.path.removeprefix(folder)) for each in memories]
        wanted = [
            memory
            for memory, full in zip(below, memories, strict=True)
            if not self.options.sync or full.path in new
        ]
        gone = [each.removeprefix(folder) for each in removed if each.startswith(folder)]
        if self.options.sync and not wanted and not gone:
            return None
        made = index.update(was, wanted, gone)
        missed = index.unloaded(made, (memory.path for memory in below))
        self.report.unloaded += [folder + each for each in missed]
        return compare(Step(Action.KEEP, path, format="claude", was=was), made)


def _when(each: tuple[float, index.Memory]) -> float:
    return each[0]
