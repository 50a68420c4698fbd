"""What an import did, file by file: nothing that was bent, passed over or refused goes unsaid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from store.folders.entry import Note


class Outcome(StrEnum):
    """What became of an entry or file."""

    NEW = "new"
    UNCHANGED = "unchanged"
    REVISION = "revision"  # the file changed: a pending revision of the canonical record
    UPDATED = "updated"  # the file changed: its draft was brought up to date
    AGAIN = "again"  # the file changed after its record was rejected or deleted: a new draft
    RENAMED = "renamed"
    GONE = "gone"  # no longer in the folder; the record stays
    CONFLICT = "conflict"  # changed in the file and here; neither side was touched
    SKIPPED = "skipped"  # rightly: an index, an empty file, another kind of file
    REFUSED = "refused"  # should have been taken and could not be


NOT_TAKEN = frozenset({Outcome.CONFLICT, Outcome.REFUSED})


@dataclass(frozen=True, slots=True)
class Line:
    """One file or entry of a report.

    ``path`` is relative to ``root``; ``why`` is the reason of a skip, refusal or conflict, or what else is to
    be said; ``because`` is the reason for the format; ``verbatim`` is refused text from line ``line`` on.
    """

    root: str
    path: str
    outcome: Outcome
    part: str = ""
    id: str = ""
    format: str = ""
    why: str = ""
    because: str = ""
    notes: tuple[Note, ...] = ()
    verbatim: str = ""
    line: int = 0


@dataclass(slots=True)
class Report:
    """All lines of a run, and how many entries had each outcome.

    ``notices`` are said once for a whole folder. Unchanged entries are counted and have no line.
    """

    lines: list[Line] = field(default_factory=list)
    counts: Counter[Outcome] = field(default_factory=Counter)
    notices: list[str] = field(default_factory=list)
    files: int = 0
    finished: bool = False

    @property
    def complete(self) -> bool:
        """Whether all that holds a memory was taken."""
        return self.finished and not any(self.counts[outcome] for outcome in NOT_TAKEN)

    @property
    def bent(self) -> list[Line]:
        """The lines with something to say about how an entry was read."""
        return [line for line in self.lines if line.notes]

    def add(self, lines: Iterable[Line]) -> None:
        """Take lines into the report."""
        for line in lines:
            self.counts[line.outcome] += 1
            if line.outcome is not Outcome.UNCHANGED or line.notes or line.because:
                self.lines.append(line)
