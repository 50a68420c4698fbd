"""Bring a folder and the store in step: take in what changed there, write out what was decided here.

What comes in waits for a decision like every import. What goes out are the canonical records that came
from the folder, and new ones of the project that it belongs to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from store.folders import walk
from store.folders.belongs import project_of
from store.folders.export import ExportOptions, write_folder
from store.folders.formats import FORMATS, Format, named
from store.folders.importer import AS_FOUND, ImportOptions, Progress, import_folder
from store.folders.ledger import Ledger
from store.folders.report import Outcome, Report
from store.folders.steps import ExportReport
from store.folders.walk import CannotRead, Found
from store.local import LocalDesk
from store.records import MemoryScope, Record


@dataclass(frozen=True, slots=True)
class Synced:
    """Both halves of a sync, planned or done, and the format of files that are written new."""

    incoming: Report
    outgoing: ExportReport
    format: str

    @property
    def changes(self) -> bool:
        """Whether anything is, or would be, different afterwards on either side."""
        same = (Outcome.UNCHANGED, Outcome.SKIPPED, Outcome.REFUSED, Outcome.CONFLICT)
        taken = any(count for outcome, count in self.incoming.counts.items() if outcome not in same)
        return taken or self.outgoing.changes

    @property
    def complete(self) -> bool:
        """Whether nothing was left undone on either side."""
        return self.incoming.complete and self.outgoing.complete


def sync_folder(
    desk: LocalDesk,
    folder: Path,
    options: ImportOptions = AS_FOUND,
    progress: Progress = lambda done, total: None,
) -> Synced:
    """Import a folder, then export to it; with ``dry_run``, the plan of both.

    The plan does not foresee what the import itself changes: a file that is new to the store shows as
    incoming only.

    Args:
        options: of the import; its format is also that of files that are written new.

    Raises:
        MemoryError: as `import_folder` and `export_folder`.
    """
    incoming = import_folder(desk, folder, options, progress=progress)
    root = folder.expanduser().resolve()
    format = named(options.format) if options.format else _usual_format(desk, root)
    project = str(options.project.resolve()) if options.project else project_of(root).root
    creates = format.create_file or format.create_list

    def wanted(record: Record) -> bool:
        ours = record.scope is MemoryScope.PROJECT and record.project_root == project
        return bool(project and creates and ours)

    outgoing = write_folder(
        desk, root, format, ExportOptions(wanted, dry_run=options.dry_run, sync=True)
    )
    return Synced(incoming, outgoing, format.name)


def _usual_format(desk: LocalDesk, root: Path) -> Format:
    """Return the format that most files of a folder have; plain notes where none is known."""
    with desk.database.reading() as conn:
        ledger = Ledger.read(conn, walk.storable(str(root)))
    counted = Counter(file.format for file in ledger.files.values() if not file.gone)
    return FORMATS[counted.most_common(1)[0][0]] if counted else FORMATS["vault"]


def watch_folder(
    desk: LocalDesk,
    folder: Path,
    wait: Callable[[], bool],
    options: ImportOptions = AS_FOUND,
) -> Iterator[Report]:
    """Import a folder now and each time it has changed and come to rest; yield the reports.

    Args:
        wait: waits until it is time to look again; False ends the watch.

    Raises:
        MemoryError: as `import_folder`.
    """
    taken: dict[str, tuple[int, int]] | None = None
    before = _look(folder)
    while True:
        # A file that still changes between two looks is being written: not yet.
        now = _look(folder)
        if now == before and now != taken and now is not None:
            yield import_folder(desk, folder, replace(options, dry_run=False))
            taken = now
        before = now
        if not wait():
            return


def _look(folder: Path) -> dict[str, tuple[int, int]] | None:
    """Return the size and time of change of each file of a folder; None while it cannot be looked at."""
    seen: dict[str, tuple[int, int]] = {}
    root = folder.expanduser().resolve()
    base = root if root.is_dir() else root.parent
    try:
        for each in walk.walk(root):
            if isinstance(each, Found):
                try:
                    facts = (base / each.real).lstat()
                except OSError:
                    continue  # gone since it was listed: the next look tells
                seen[each.path] = (facts.st_size, facts.st_mtime_ns)
    except CannotRead:
        return None
    return seen
