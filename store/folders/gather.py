"""Read a folder's files one by one, as far as it goes without the store: bytes, format, entries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from store.folders import walk
from store.folders.belongs import Belongs, project_of
from store.folders.detect import Surroundings, Verdict, detect
from store.folders.entry import Reading, file_hash, unreadable
from store.folders.fitting import Target
from store.folders.formats import Format
from store.folders.ledger import KnownFile, Ledger
from store.folders.report import Line, Outcome
from store.folders.taking import File
from store.folders.text import is_binary
from store.folders.walk import CannotRead, Found
from store.records import MemoryScope


@dataclass(frozen=True, slots=True)
class Settled:
    """A file that gives nothing to take: skipped, refused, or the same as last time.

    Args:
        line: what to say of it; None where nothing needs to be said.
        unchanged: how many entries are as they were.
        emptied: what it gave before, when it gives nothing now.
    """

    line: Line | None = None
    unchanged: int = 0
    emptied: KnownFile | None = None


@dataclass(slots=True)
class Gatherer:
    """Reads the files below a folder.

    Args:
        base: the folder, resolved.
        ledger: what is known of its files.
        around: what lies beside each.
        format: read every file as this one; decided file by file when None.
        project: the project they all belong to; found folder by folder when None.
        scope: of all records; by file and folder when None.
        explain: give the reason for each file's format.
    """

    base: Path
    ledger: Ledger
    around: Surroundings
    format: Format | None = None
    project: Path | None = None
    scope: MemoryScope | None = None
    explain: bool = False
    renamed: set[str] = field(
        default_factory=set
    )  # absolute paths of files found under another name
    notices: dict[str, None] = field(default_factory=dict)
    _belongs: dict[str, Belongs] = field(default_factory=dict)

    def gather(self, found: Iterable[Found]) -> Iterator[File | Settled]:
        """Yield one answer for each file, in order."""
        for each in found:
            try:
                data, facts = walk.read(self.base, each.real)
            except CannotRead as problem:
                yield Settled(self._line(each.path, str(problem), proper=False))
                continue
            hash = file_hash(data)
            root, path = self.ledger.identity(each.path)
            known = self.ledger.files.get(f"{root}/{path}")
            if known and not known.gone and known.hash == hash and self._as_before(known):
                yield self._unchanged(known, data, each.path)
                continue
            verdict = self._choose(data, each.path)
            if verdict.format is None:
                proper = not is_binary(data)
                yield Settled(self._line(each.path, verdict.why, proper=proper), emptied=known)
                continue
            reading = _safely(verdict.format, data, each.path)
            if not reading.entries and not reading.refused:
                line = self._line(each.path, reading.why, reading.proper, verdict)
                yield Settled(line, emptied=known)
                continue
            lost = self.ledger.renamed(hash) if known is None else None
            if lost:
                self.renamed.add(lost.where)
            yield File(
                root=root,
                path=path,
                data=data,
                hash=hash,
                mtime=facts.st_mtime,
                format=verdict.format,
                target=self._target(each.real),
                because=verdict.why if self.explain else "",
                reading=reading,
                known=known or lost,
                renamed_from=lost.path if lost else "",
            )

    def _as_before(self, known: KnownFile) -> bool:
        return self.format is None or self.format.name == known.format

    def _unchanged(self, known: KnownFile, data: bytes, path: str) -> Settled:
        line = None
        if self.explain:
            because = self._choose(data, path).why
            line = Line(
                self.ledger.root, path, Outcome.UNCHANGED, format=known.format, because=because
            )
        return Settled(line, unchanged=len(known.entries))

    def _choose(self, data: bytes, path: str) -> Verdict:
        if is_binary(data):
            return Verdict(None, "not text")
        if self.format:
            return Verdict(self.format, "it was asked for")
        return detect(data, path, self.around)

    def _line(self, path: str, why: str, proper: bool, verdict: Verdict | None = None) -> Line:
        outcome = Outcome.SKIPPED if proper else Outcome.REFUSED
        format = verdict.format.name if verdict and verdict.format else ""
        because = verdict.why if verdict and self.explain else ""
        return Line(self.ledger.root, path, outcome, format=format, why=why, because=because)

    def _target(self, real: str) -> Target:
        folder = os.path.dirname(real)
        if folder not in self._belongs:
            self._belongs[folder] = self._owner(folder)
        belongs = self._belongs[folder]
        if belongs.unknown and self.scope in (None, MemoryScope.PROJECT):
            self.notices[f"{folder or self.base.name}: {belongs.why}"] = None
        return Target(belongs, self.scope)

    def _owner(self, folder: str) -> Belongs:
        if self.project:
            return Belongs(str(self.project), "it was given")
        found = project_of(self.base / folder)
        if self.scope is MemoryScope.PROJECT and not found.root:
            return Belongs(
                "", f"{found.why.partition(':')[0]}: give it with --project", unknown=True
            )
        return found


def _safely(format: Format, data: bytes, path: str) -> Reading:
    try:
        return format.read(data, path)
    except Exception as problem:  # whatever one file holds, the others are still taken
        return unreadable(f"it could not be read as {format.name}: {type(problem).__name__}")
