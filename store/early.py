"""Recall by plain `sqlite3`, for a process that has just begun.

A host asks for its first recall right after it has launched us, and importing the database library takes
longer than all else that is needed for an answer. So the first ones are answered from here: the same
entries in the same order as `store.recall` finds, whose comments say why. A test holds the two together.
"""

from __future__ import annotations

import heapq
import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from store import relevance
from store.budget import fill
from store.clock import from_micros, to_micros
from store.errors import BudgetExceeded, SourceUnavailable
from store.location import Location, check
from store.migrations import revisions
from store.records import (
    MemoryScope,
    MemoryType,
    Provenance,
    Recalled,
    RecallRequest,
    Record,
    RecordStatus,
    Scored,
    content_hash,
    fallback_tokens,
)
from store.segment import Phrase, Term
from store.turn import roots_of, words_of

if TYPE_CHECKING:
    from pathlib import Path

    from store.tokens import TokenCounter

# As in store/candidates.py and store/recall.py.
NEWEST_PER_WORD = 1000
LATEST_PER_KIND = 200
MOST_BY_WORDS = 2000
CONSIDERED = 300
LENDING = 50

_AT_ONCE = 500  # parameters of a statement
_SEEN = "pk, id, type, scope, updated_at"
_PENDING = RecordStatus.PENDING.value

Condition: TypeAlias = "tuple[str, tuple[str, ...]]"
Seen: TypeAlias = "tuple[int, str, str, str, int]"  # the columns of _SEEN


def open_early(location: Location) -> EarlyStore | None:
    """Open a store for reading if it can be read as it is: a SQLite file of the present form.

    Anything else is for `store.schema.prepare`, which makes, upgrades or refuses it.
    """
    path = location.path
    if path is None or not path.exists():
        return None
    check(path)
    with suppress(sqlite3.Error):
        conn = _connect(path)
        with suppress(sqlite3.Error):
            # Not opened for reading alone: such a connection leaves the files of the log behind.
            conn.execute("PRAGMA query_only=ON")
            if conn.execute("SELECT version_num FROM alembic_version").fetchone() == (
                revisions()[-1],
            ):
                return EarlyStore(path, conn)
        conn.close()
    return None


def _connect(path: Path, patience: float = 5.0) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=patience,
        check_same_thread=False,
    )


class EarlyStore:
    """A store that is read for recalls alone; safe between threads, one at a time."""

    def __init__(self, path: Path, conn: sqlite3.Connection) -> None:
        self._path = path
        self._conn = conn
        self._lock = threading.Lock()

    def recall(self, request: RecallRequest, counter: TokenCounter, now: datetime) -> Recalled:
        """Recall as `store.recall.recall` does.

        Args:
            counter: whom to ask for counts that the store does not hold yet; they are kept there then.

        Raises:
            BudgetExceeded: there are candidates and not even the smallest fits.
            sqlite3.Error: the store cannot be read like this, now.
        """
        with self._lock:
            self._conn.execute("BEGIN")
            try:
                scored = self._rank(request, to_micros(now))
                texts = {content_hash(each.record.content): each.record.content for each in scored}
                known = self._known(texts, request.model)
            finally:
                self._conn.execute("ROLLBACK")
        known |= self._counted({h: t for h, t in texts.items() if h not in known}, request, counter)
        tokens = [known[content_hash(each.record.content)] for each in scored]
        counted = [
            (replace(each, record=replace(each.record, tokens=count)), count)
            for each, count in zip(scored, tokens, strict=True)
        ]
        filled = fill(counted, request.token_budget)
        if filled.dropped and not filled.given:
            raise BudgetExceeded.of(request.token_budget, min(tokens))
        return Recalled(filled.given, filled.dropped, filled.tokens, request.token_budget)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._conn.close()

    def _rank(self, request: RecallRequest, now: int) -> list[Scored]:
        sums = self._by_words(words_of(request))
        seen = self._gather(request, sums)
        best = max((sums.get(pk, 0.0) for pk in seen), default=0.0)
        lent = self._lend(request, seen, sums, best)
        parts = {
            pk: relevance.Parts(
                text=relevance.text_part(sums.get(pk, 0.0), best),
                recency=relevance.recency(type, updated_at, now),
                scope=relevance.nearness(scope),
                links=lent.get(pk, 0.0),
            )
            for pk, _, type, scope, updated_at in seen.values()
        }
        order = heapq.nsmallest(CONSIDERED, parts, key=lambda pk: (-parts[pk].score, seen[pk][1]))
        records = self._read(order)
        return [
            Scored(
                replace(records[pk], relevance_score=parts[pk].score),
                parts[pk].score,
                parts[pk].as_dict(),
            )
            for pk in order
        ]

    def _by_words(self, words: Mapping[Term, float]) -> dict[int, float]:
        (total,) = self._conn.execute("SELECT coalesce(max(pk), 0) FROM record").fetchone()
        sums: dict[int, float] = defaultdict(float)
        for word, weight in words.items():
            expression = " OR ".join(map(_phrase, word.phrases))
            anywhere = self._newest(expression)
            worth = weight * relevance.rarity(_frequency(anywhere, total), total)
            for pk in anywhere:
                sums[pk] += worth
            if anywhere:
                for pk in self._newest(f"{{title}} : ({expression})"):
                    sums[pk] += worth * (relevance.TITLE - 1)
        return sums

    def _newest(self, expression: str) -> list[int]:
        query = (
            "SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT ?"
        )
        return [pk for (pk,) in self._conn.execute(query, (expression, NEWEST_PER_WORD))]

    def _gather(self, request: RecallRequest, sums: Mapping[int, float]) -> dict[int, Seen]:
        found = heapq.nlargest(MOST_BY_WORDS, sums, key=lambda pk: (sums[pk], pk))
        seen = {row[0]: row for row in self._look_at(request, found)}
        for kind in product(*_choices(request)):
            where = " AND ".join(condition for condition, _ in kind)
            given = [value for _, values in kind for value in values]
            latest = f"SELECT {_SEEN} FROM record WHERE {where} ORDER BY updated_at DESC LIMIT ?"
            seen.update(
                (row[0], row) for row in self._conn.execute(latest, (*given, LATEST_PER_KIND))
            )
        return seen

    def _look_at(self, request: RecallRequest, pks: Iterable[int]) -> Iterator[Seen]:
        choices = [(" OR ".join(c for c, _ in each) or "0", each) for each in _choices(request)]
        where = " AND ".join(f"({condition})" for condition, _ in choices)
        given = [value for _, each in choices for _, values in each for value in values]
        for batch, marks in _batches(list(pks)):
            query = f"SELECT {_SEEN} FROM record WHERE pk IN ({marks}) AND {where}"
            yield from self._conn.execute(query, (*batch, *given))

    def _lend(
        self,
        request: RecallRequest,
        seen: dict[int, Seen],
        sums: Mapping[int, float],
        best: float,
    ) -> dict[int, float]:
        texts = {pk: relevance.text_part(sums.get(pk, 0.0), best) for pk in seen}
        strongest = heapq.nlargest(LENDING, texts, key=lambda pk: (texts[pk], pk))
        strong = {seen[pk][1]: pk for pk in strongest if texts[pk] >= relevance.STRONG}
        lent: dict[int, float] = {}
        for id, pk in self._neighbours(strong):
            lent[pk] = max(lent.get(pk, 0.0), texts[strong[id]])
        seen.update((row[0], row) for row in self._look_at(request, lent.keys() - seen.keys()))
        return lent

    def _neighbours(self, strong: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        by_pk = {pk: id for id, pk in strong.items()}
        marks = ", ".join("?" * len(strong))
        outgoing = (
            "SELECT source_pk, record.pk FROM link JOIN record ON record.id = link.target_id"
            f" WHERE source_pk IN ({marks})"
        )
        for source, target in self._conn.execute(outgoing, list(by_pk)):
            yield by_pk[source], target
        incoming = f"SELECT target_id, source_pk FROM link WHERE target_id IN ({marks})"
        yield from self._conn.execute(incoming, list(strong))

    def _read(self, keys: Sequence[int]) -> dict[int, Record]:
        found: dict[int, Record] = {}
        for batch, marks in _batches(keys):
            rows = self._conn.execute(f"SELECT * FROM record WHERE pk IN ({marks})", batch)
            names = [column[0] for column in rows.description]
            for row in rows:
                entry = dict(zip(names, row, strict=True))
                found[entry["pk"]] = _record(entry)
        return found

    def _known(self, hashes: Iterable[str], model: str) -> dict[str, int]:
        known: dict[str, int] = {}
        for batch, marks in _batches(list(hashes)):
            query = (
                "SELECT content_hash, tokens FROM token_count"
                f" WHERE model = ? AND content_hash IN ({marks})"
            )
            known.update(self._conn.execute(query, (model, *batch)))
        return known

    def _counted(
        self, texts: Mapping[str, str], request: RecallRequest, counter: TokenCounter
    ) -> dict[str, int]:
        """Return the host's counts of texts by hash, and keep them; its estimate while it is not there."""
        if not texts:
            return {}
        try:
            counts = dict(
                zip(texts, counter.count(list(texts.values()), request.model), strict=True)
            )
        except SourceUnavailable:
            return {hash: fallback_tokens(text) for hash, text in texts.items()}
        keep = "INSERT INTO token_count (content_hash, model, tokens) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        # A store that is locked now is no reason to fail: the host is asked again another time.
        with suppress(sqlite3.Error), closing(_connect(self._path, 0.05)) as conn, conn:
            conn.execute("BEGIN IMMEDIATE")
            conn.executemany(keep, [(hash, request.model, n) for hash, n in counts.items()])
        return counts


def _choices(request: RecallRequest) -> tuple[list[Condition], ...]:
    statuses: list[Condition] = [("status = 'canonical'", ())]
    if request.include_pending:
        statuses.append(("(status = 'pending' AND base_revision IS NULL)", ()))
    types: list[Condition] = [("type = ?", (type.value,)) for type in request.types or MemoryType]
    scopes = request.scopes or tuple(MemoryScope)
    return statuses, types, [each for scope in scopes for each in _bindings(scope, request)]


def _bindings(scope: MemoryScope, request: RecallRequest) -> Iterator[Condition]:
    if scope is MemoryScope.GLOBAL:
        yield "scope = 'global'", ()
    elif scope is MemoryScope.PROJECT:
        for root in roots_of(request.working_directory):
            yield "(scope = 'project' AND project_root = ?)", (root,)
    else:
        for session in filter(None, (request.session_id, *request.ancestors)):
            yield "(scope = 'session' AND session_id = ?)", (session,)


def _batches(values: Sequence[Any]) -> Iterator[tuple[Sequence[Any], str]]:
    for start in range(0, len(values), _AT_ONCE):
        batch = values[start : start + _AT_ONCE]
        yield batch, ", ".join("?" * len(batch))


def _frequency(newest: Sequence[int], total: int) -> float:
    if len(newest) < NEWEST_PER_WORD:
        return len(newest)
    return len(newest) * total / (newest[0] - newest[-1] + 1)


def _phrase(phrase: Phrase) -> str:
    return f'"{" ".join(phrase.words)}"{" *" if phrase.open else ""}'


def _record(entry: Mapping[str, Any]) -> Record:
    return Record(
        id=entry["id"],
        type=MemoryType(entry["type"]),
        scope=MemoryScope(entry["scope"]),
        title=entry["title"],
        content=entry["content"],
        tokens=entry["tokens"],
        status=RecordStatus(entry["status"]),
        links=tuple(json.loads(entry["links"])),
        created_at=from_micros(entry["created_at"]),
        updated_at=from_micros(entry["updated_at"]),
        provenance=Provenance(
            entry["source_session_id"], entry["source_turn_id"], entry["recorded_by"]
        ),
        summary=entry["summary"],
        revision=entry["revision"],
        is_revision=entry["status"] == _PENDING and entry["base_revision"] is not None,
        session_id=entry["session_id"],
        project_root=entry["project_root"],
    )
