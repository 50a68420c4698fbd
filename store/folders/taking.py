"""One file into the store: each entry against what the same file gave before and what was decided since.

A decision stands. What changed in a file waits for the operator as a draft or revision; what was also
changed here is a conflict that touches neither side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rapidfuzz import fuzz
from sqlalchemy import Connection

from store import checks, entries, journal, ratify, sources, writes
from store.entries import Entry as Kept
from store.errors import MemoryError, NotFound
from store.folders.entry import Entry, Flag, Note, Reading
from store.folders.fitting import Target, fit, layout_facts, new_record, source_facts
from store.folders.formats import Format
from store.folders.ledger import KnownFile
from store.folders.matching import match
from store.folders.report import Line, Outcome
from store.journal import Moment
from store.records import Decision, RecordStatus
from store.sources import LAYOUT, Known, given_hash


@dataclass(frozen=True, slots=True)
class File:
    """A file that was read, ready to be taken.

    Args:
        root: under which it is known; ``path`` is below it.
        data: its bytes, of which ``hash`` is the hash.
        mtime: in seconds since the epoch.
        target: where its records go.
        because: the reason for the format, where it was asked for.
        known: what it gave before, None at the first time.
        renamed_from: its former path, where it was recognised.
    """

    root: str
    path: str
    data: bytes
    hash: str
    mtime: float
    format: Format
    target: Target
    because: str
    reading: Reading
    known: KnownFile | None
    renamed_from: str = ""


@dataclass(frozen=True, slots=True)
class Taker:
    """Takes files within a transaction.

    Args:
        status: of new records; canonical is the operator's word that all of it is approved.
        operator: who decides, and when.
        limit: of a record's text, in UTF-8 bytes.
        dry: only say what would be done.
    """

    conn: Connection
    status: RecordStatus
    operator: Moment
    limit: int
    dry: bool = False

    def take(self, file: File) -> list[Line]:
        """Take one file and say what became of each entry; one that cannot be taken is refused alone."""
        known = file.known.entries if file.known else []
        fitted = [fit(entry, file.path) for entry in file.reading.entries]
        pairs, vanished = match(fitted, known, self._likeness)
        self._make_way(fitted, pairs, known)
        lines = [self._guarded(file, entry, row) for entry, row in pairs]
        lines += [
            _line(file, Outcome.REFUSED, why=each.why, verbatim=each.verbatim, line=each.line)
            for each in file.reading.refused
        ]
        for row in vanished:
            if row.live_id and not row.gone:
                lines.append(_line(file, Outcome.GONE, part=row.part, id=row.live_id))
            self._change(row, gone=True)
        self._keep_layout(file, fitted)
        return lines

    def miss(self, known: KnownFile) -> list[Line]:
        """Note that a file is not there any more; its records stay."""
        lines = []
        for row in known.rows:
            if not row.gone:
                if row.live_id and row.part != LAYOUT:
                    lines.append(
                        Line(row.root, row.path, Outcome.GONE, row.part, row.live_id, row.format)
                    )
                self._change(row, gone=True)
        return lines

    def _make_way(
        self, fitted: list[Entry], pairs: list[tuple[Entry, Known | None]], known: list[Known]
    ) -> None:
        """Take from sources the parts that other entries have now, before these claim them."""
        staying = {row.pk for entry, row in pairs if row and row.part == entry.part}
        wanted = {entry.part for entry in fitted}
        for row in known:
            if row.part in wanted and row.pk not in staying:
                self._change(row, part=f"?{row.pk}")

    def _guarded(self, file: File, entry: Entry, row: Known | None) -> Line:
        try:
            if self.dry:
                return self._entry(file, entry, row)
            with self.conn.begin_nested():
                return self._entry(file, entry, row)
        except MemoryError as problem:
            return _line(file, Outcome.REFUSED, entry, why=str(problem))

    def _entry(self, file: File, entry: Entry, row: Known | None) -> Line:
        checks.new_record(new_record(entry, file.target, file.mtime), self.limit)
        if row is None:
            return self._new(file, entry)
        if row.file_hash == entry.hash:
            return self._same(file, entry, row)
        given = given_hash(entry.title, entry.summary, entry.content)
        canonical, pending = self._find(row)
        texts = {_given(each) for each in (canonical, pending) if each}
        if given == row.given or given in texts:
            self._reread(file, entry, row)
            return _line(file, Outcome.UNCHANGED, entry, row.live_id)
        if canonical is None and pending is None:
            return self._again(file, entry, row)
        if pending is not None and _given(pending) != row.given:
            why = "the draft was changed here and the file changed too: decide the draft, then import again"
            return _line(file, Outcome.CONFLICT, entry, row.live_id, why=why)
        if canonical is not None:
            return self._revise(
                file, _with_fixed_kind(entry, canonical, file.target), row, canonical, pending
            )
        assert pending is not None  # noqa: S101 - one of the two is there
        return self._update(file, _with_fixed_kind(entry, pending, file.target), row, pending)

    def _new(self, file: File, entry: Entry) -> Line:
        id = self._write(file, entry, self.status)
        if not self.dry:
            values = {
                "record_id": id,
                **_place(file),
                "part": entry.part,
                **source_facts(entry, file.format.name, file.mtime),
            }
            sources.add(self.conn, [values])
        return _line(file, Outcome.NEW, entry, id)

    def _again(self, file: File, entry: Entry, row: Known) -> Line:
        # Never canonical at once: somebody decided against this file's text before.
        id = self._write(file, entry, RecordStatus.PENDING)
        self._reread(file, entry, row, record_id=id)
        was = "deleted" if row.deleted else "rejected or deleted"
        return _line(
            file, Outcome.AGAIN, entry, id, why=f"it was {was}, and the file has changed since"
        )

    def _same(self, file: File, entry: Entry, row: Known) -> Line:
        if row.part != entry.part or row.gone or file.renamed_from:
            self._change(row, **_place(file), part=entry.part, gone=False)
        if not file.renamed_from:
            return _line(file, Outcome.UNCHANGED, replace(entry, notes=()), row.live_id)
        self._learn_names(row, entry)
        why = f"it was {file.renamed_from}"
        return _line(file, Outcome.RENAMED, replace(entry, notes=()), row.live_id, why=why)

    def _update(self, file: File, entry: Entry, row: Known, draft: Kept) -> Line:
        if not self.dry:
            now = self.operator.now
            moment = Moment(now, f"import:{file.format.name}")
            changed = writes.replace_draft(
                self.conn, draft, entry.title, entry.content, entry.summary, now
            )
            journal.append(
                self.conn, Decision.UPDATE, changed.id, moment, changed.content_hash, "draft"
            )
            self._learn_names(row, entry)
            self._reread(file, entry, row)
        return _line(file, Outcome.UPDATED, entry, row.live_id)

    def _revise(
        self, file: File, entry: Entry, row: Known, canonical: Kept, pending: Kept | None
    ) -> Line:
        if not self.dry:
            origin = file.target.origin(entry, file.format.name)
            now = self.operator.now
            if pending is not None:
                entries.remove(self.conn, pending, now)
            text = (entry.title, entry.content, entry.summary)
            revision = writes.propose(self.conn, canonical, *text, now, origin)
            moment = Moment(now, origin.recorded_by)
            journal.append(
                self.conn, Decision.UPDATE, revision.id, moment, revision.content_hash, "revision"
            )
            self._reread(file, entry, row)
            if self.status is RecordStatus.CANONICAL:
                ratify.approve(self.conn, revision.id, revision.revision, self.operator)
        return _line(file, Outcome.REVISION, entry, row.live_id)

    def _write(self, file: File, entry: Entry, status: RecordStatus) -> str:
        if self.dry:
            return ""
        origin = file.target.origin(entry, file.format.name)
        approved = status is RecordStatus.CANONICAL
        moment = self.operator if approved else Moment(self.operator.now, origin.recorded_by)
        new = new_record(entry, file.target, file.mtime)
        return writes.write(self.conn, new, origin, status, moment).id

    def _learn_names(self, row: Known, entry: Entry) -> None:
        """Let links find a record by the names that its file has now; it keeps those it had."""
        if self.dry:
            return
        for kept in self._find(row):
            if kept is not None and not entries.is_revision(kept):
                entries.learn_names(self.conn, kept, entry.aliases)

    def _likeness(self, entry: Entry, row: Known) -> float:
        kept = [each for each in self._find(row) if each is not None]
        return max((fuzz.ratio(entry.content, each.content) for each in kept), default=0.0)

    def _find(self, row: Known) -> tuple[Kept | None, Kept | None]:
        """Return the canonical and the pending entry of a source's record, where they still are."""
        if not row.live_id:
            return None, None
        try:
            return entries.find_both(self.conn, row.live_id)
        except NotFound:
            return None, None

    def _reread(self, file: File, entry: Entry, row: Known, **more: object) -> None:
        self._change(
            row,
            **_place(file),
            part=entry.part,
            gone=False,
            **source_facts(entry, file.format.name, file.mtime),
            **more,
        )

    def _change(self, row: Known, **values: object) -> None:
        if not self.dry:
            sources.change(self.conn, row.pk, **values)

    def _keep_layout(self, file: File, fitted: list[Entry]) -> None:
        """Keep what a file of several holds besides its entries, and the hash that tells it is unchanged."""
        if self.dry or (len(fitted) == 1 and not fitted[0].part and not file.reading.refused):
            return
        values = layout_facts(file.data, file.reading, fitted)
        values |= {"format": file.format.name, **_place(file)}
        rows = [row for row in file.known.rows if row.part == LAYOUT] if file.known else []
        if rows:
            sources.change(self.conn, rows[0].pk, **values)
        else:
            sources.add(self.conn, [{"record_id": "", "part": LAYOUT, **values}])


def _with_fixed_kind(entry: Entry, kept: Kept, target: Target) -> Entry:
    """Note that a file now states another type or scope: a record's never changes."""
    changed = [
        f"{what} {now}, and a record keeps the one it has ({was})"
        for what, now, was in (
            ("type", entry.type, kept.type),
            ("scope", entry.scope and target.scope_of(entry), kept.scope),
        )
        if now and now != was
    ]
    notes = tuple(Note(Flag.ASSUMED, f"the file now states the {what}") for what in changed)
    return replace(entry, notes=(*entry.notes, *notes))


def _given(kept: Kept) -> str:
    return given_hash(kept.title, kept.summary, kept.content)


def _place(file: File) -> dict[str, str]:
    return {"root": file.root, "path": file.path}


def _line(
    file: File, outcome: Outcome, entry: Entry | None = None, id: str = "", **more: Any
) -> Line:
    told: dict[str, Any] = {"because": file.because, "format": file.format.name, **more}
    if entry is not None:
        told |= {"part": entry.part, "notes": entry.notes}
    return Line(file.root, file.path, outcome, id=id, **told)
