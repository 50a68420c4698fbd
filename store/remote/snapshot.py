"""All of a provider's records, read once and kept for a while: what the wire has no question for.

Counting, searching and links are answered from it by the rules that the local store has. It is read again
after a change made from here, and when it is old.
"""

from __future__ import annotations

import re
import threading
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from render.wikilink import fold_name
from store.links import Called, Names, calls_in
from store.names import Name, normal
from store.near import CUT_OFF
from store.records import (
    Counts,
    Hit,
    LinkEntry,
    MemoryScope,
    MemoryType,
    NearMatch,
    Record,
    RecordFilter,
)
from store.remote.operations import with_revision
from store.segment import terms
from store.snippet import snippet

FRESH_SECONDS = 20.0
"""How long a snapshot is good for, or ten times as long as it took to read, if that is more."""


@dataclass(frozen=True)
class Snapshot:
    """Records as they were, newest first; a pending revision comes with its canonical record."""

    records: tuple[Record, ...]

    def count(self, query: RecordFilter) -> Counts:
        """Count what a filter matches."""
        found = [record for record in self.records if matches(record, query)]
        drafts = [record for record in found if record.pending]
        return Counts(
            pending=len(drafts),
            canonical=len(found) - len(drafts),
            revisions=sum(record.is_revision for record in drafts),
            trashed=0,
            oldest_pending=min((record.created_at for record in drafts), default=None),
        )

    def search(self, text: str, query: RecordFilter, limit: int) -> tuple[Hit, ...]:
        """Return records with all words, or with any if none has all; those with most come first."""
        words = folded(text).split()
        among = [record for record in self.records if matches(record, query)]
        scored = [(_score(record, words), record) for record in among]
        best = max((found for (found, _), _ in scored), default=0)
        wanted = len(words) if best == len(words) else 1
        hits = sorted(
            (each for each in scored if each[0][0] >= wanted),
            key=lambda each: each[0],
            reverse=True,
        )
        asked = terms(text)
        return tuple(
            Hit(record, weight / (2 * len(words) or 1), snippet(record.content, asked))
            for (_, weight), record in hits[: max(limit, 0)]
        )

    def near(
        self, title: str, type: MemoryType, scope: MemoryScope, limit: int, except_id: str
    ) -> tuple[NearMatch, ...]:
        """Return records of a type and scope whose id or title is much alike."""
        form = _name_form(title)
        best: dict[str, NearMatch] = {}
        for record in self.records:
            if (record.type, record.scope) == (type, scope) and record.id != except_id:
                likeness = max(_likeness(form, record.title), _likeness(form, record.id))
                if likeness >= CUT_OFF:
                    match = NearMatch(record.id, record.title, record.status, likeness)
                    best.setdefault(record.id, match)
        return tuple(sorted(best.values(), key=lambda m: (-m.likeness, m.id))[: max(limit, 0)])

    def links(self, record: Record) -> tuple[LinkEntry, ...]:
        """Return what became of each link of a record; a broken one cannot be told from a wanted one."""
        lines = record.content.splitlines()
        return tuple(
            self._entry(record, call, alias, line, lines)
            for call, alias, line in calls_in(record.content)
        )

    @cached_property
    def all_links(self) -> tuple[LinkEntry, ...]:
        """All links, ordered by source id and line."""
        ordered = sorted(self.records, key=lambda record: (record.id, record.status))
        return tuple(link for record in ordered for link in self.links(record))

    @cached_property
    def _names(self) -> Names:
        known: dict[str, list[Name]] = defaultdict(list)
        for record in self.records:
            for text, is_id in dict.fromkeys(((record.id, True), (normal(record.title), False))):
                name = Name(normal(text), is_id, record.id, not record.pending)
                known[fold_name(text)].append(name)
        return Names(known, set())

    def _entry(
        self, record: Record, call: Called, alias: str, line: int, lines: Sequence[str]
    ) -> LinkEntry:
        meant = self._names.resolve(call)
        return LinkEntry(
            source_id=record.id,
            source_status=record.status,
            target=meant.called,
            link_class=meant.state,
            line=line,
            line_text=lines[line - 1] if 0 < line <= len(lines) else "",
            resolved_id=meant.id,
            candidates=meant.candidates,
            alias="" if meant.called == call.whole else alias,
        )


class Snapshots:
    """The latest snapshot, read again when it no longer is good.

    Args:
        sweep: reads all records, page by page.
    """

    def __init__(self, sweep: Callable[[], Iterator[Record]]) -> None:
        self._sweep = sweep
        self._lock = threading.Lock()
        self._latest: Snapshot | None = None
        self._good_until = 0.0

    def latest(self) -> Snapshot:
        """Return all records as they were not long ago."""
        with self._lock:
            now = time.monotonic()
            if self._latest is None or now > self._good_until:
                self._latest = Snapshot(tuple(_paired(list(self._sweep()))))
                took = time.monotonic() - now
                self._good_until = now + took + max(FRESH_SECONDS, 10 * took)
            return self._latest

    def forget(self) -> None:
        """Something was changed: read again before the next answer."""
        with self._lock:
            self._latest = None


def matches(record: Record, query: RecordFilter) -> bool:
    """Tell whether a record passes a filter; each word of its text must occur in id, title or content."""
    if query.types and record.type not in query.types:
        return False
    if query.scopes and record.scope not in query.scopes:
        return False
    if query.status is not None and record.status is not query.status:
        return False
    words = folded(query.text).split()
    return not words or _occur(words, record) == len(words)


def folded(text: str) -> str:
    """Return a text as it is compared: compatibility forms and case do not matter."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _paired(records: Sequence[Record]) -> Iterator[Record]:
    """Yield records with their revisions, each pending one told from what it would replace."""
    bases = {each.id: with_revision(each) for each in records if not each.pending}
    for record in records:
        yield with_revision(record, bases.get(record.id)) if record.pending else bases[record.id]


def _occur(words: Sequence[str], record: Record) -> int:
    text = folded(f"{record.id}\n{record.title}\n{record.content}")
    return sum(word in text for word in words)


def _score(record: Record, words: Sequence[str]) -> tuple[int, int]:
    """Return how many words occur, and that again with words of the title counted twice."""
    title = folded(f"{record.id}\n{record.title}")
    found = _occur(words, record)
    return found, found + sum(word in title for word in words)


def _name_form(name: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", folded(name)).split())


def _likeness(form: str, name: str) -> float:
    other = _name_form(name)
    return max(fuzz.ratio(form, other), fuzz.token_sort_ratio(form, other)) if form else 0.0
