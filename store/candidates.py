"""Where Recall looks: entries that the turn may see, found by words, by recency and by links.

Each source is bounded, so that the cost does not grow with the store: the newest entries with a
word, the latest of each type and scope, the neighbours of strong matches. Up to those bounds, which few
stores reach, nothing that is visible is missed.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    false,
    func,
    literal_column,
    or_,
    select,
    union_all,
)

from store import fts5, tables
from store.records import MemoryScope, MemoryType, RecallRequest, RecordStatus
from store.relevance import TITLE, rarity
from store.segment import Term
from store.turn import roots_of

NEWEST_PER_WORD = 1000
LATEST_PER_KIND = 200  # of each status, type, scope and project root
MOST_BY_WORDS = 2000  # of the entries found by words, so many are looked at

Candidate: TypeAlias = Row[Any]  # pk, id, type, scope, updated_at
_record = tables.record.c
_NEEDED = (_record.pk, _record.id, _record.type, _record.scope, _record.updated_at)


def by_words(conn: Connection, words: Mapping[Term, float]) -> dict[int, float]:
    """Return how much each entry says of some weighted words: key → sum of weight and rarity.

    Of a word that more than `NEWEST_PER_WORD` entries have, only the newest count, and how many have it
    is estimated from how densely those lie.
    """
    total = conn.scalar(select(func.max(_record.pk))) or 0
    sums: dict[int, float] = defaultdict(float)
    for word, weight in words.items():
        anywhere = conn.scalars(fts5.newest(word.phrases, NEWEST_PER_WORD)).all()
        worth = weight * rarity(_frequency(anywhere, total), total)
        for pk in anywhere:
            sums[pk] += worth
        if anywhere:
            for pk in conn.scalars(fts5.newest(word.phrases, NEWEST_PER_WORD, titles_only=True)):
                sums[pk] += worth * (TITLE - 1)
    return sums


def gather(
    conn: Connection, request: RecallRequest, sums: Mapping[int, float]
) -> dict[int, Candidate]:
    """Return the visible entries among those found by words and the latest ones, by key."""
    found = heapq.nlargest(MOST_BY_WORDS, sums, key=lambda pk: (sums[pk], pk))
    seen = {row.pk: row for row in look_at(conn, request, found)}
    latest = tuple(_latest(request))
    if latest:
        seen.update((row.pk, row) for row in conn.execute(union_all(*latest)))
    return seen


def look_at(conn: Connection, request: RecallRequest, pks: Iterable[int]) -> list[Candidate]:
    """Return those of some entries that the turn may see."""
    query = select(*_NEEDED).where(_record.pk.in_(list(pks)), visible(request))
    return list(conn.execute(query))


def neighbours(conn: Connection, strong: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the links between strong matches (id → key) and others: id of the match, key of the other."""
    link, by_pk = tables.link.c, {pk: id for id, pk in strong.items()}
    outgoing = (
        select(link.source_pk, _record.pk)
        .join(tables.record, _record.id == link.target_id)
        .where(link.source_pk.in_(list(by_pk)))
    )
    for source, target in conn.execute(outgoing):
        yield by_pk[source], target
    incoming = select(link.target_id, link.source_pk).where(link.target_id.in_(list(strong)))
    for target_id, source in conn.execute(incoming):
        yield target_id, source


def visible(request: RecallRequest) -> ColumnElement[bool]:
    """Return the condition on `record` that the turn may see an entry.

    Session records only in their session and its descendants, project records only at or below their
    root, drafts only when asked for. A pending revision never: its record is served, with the text that
    was approved.
    """
    status, type, bound = (or_(false(), *choices) for choices in _choices(request))
    return and_(status, type, bound)


def _choices(request: RecallRequest) -> tuple[list[ColumnElement[bool]], ...]:
    """Return the conditions, of which an entry must pass one each, on status, type and binding."""
    statuses = [_record.status == RecordStatus.CANONICAL.value]
    if request.include_pending:
        draft = _record.status == RecordStatus.PENDING.value
        statuses.append(and_(draft, _record.base_revision.is_(None)))
    types = [_record.type == type.value for type in request.types or MemoryType]
    scopes = request.scopes or tuple(MemoryScope)
    return statuses, types, [each for scope in scopes for each in _bindings(scope, request)]


def _bindings(scope: MemoryScope, request: RecallRequest) -> Iterator[ColumnElement[bool]]:
    # Spelled out and not a parameter, for only then the engine may use the partial index of the scope.
    of_scope = _record.scope == literal_column(f"'{scope.value}'")
    if scope is MemoryScope.GLOBAL:
        yield of_scope
    elif scope is MemoryScope.PROJECT:
        for root in roots_of(request.working_directory):
            yield and_(of_scope, _record.project_root == root)
    else:
        for session in filter(None, (request.session_id, *request.ancestors)):
            yield and_(of_scope, _record.session_id == session)


def _latest(request: RecallRequest) -> Iterator[Select[Any]]:
    """Yield the select of the latest entries for each combination of status, type and binding."""
    for kind in product(*_choices(request)):
        latest = select(*_NEEDED).where(*kind).order_by(_record.updated_at.desc())
        yield select(latest.limit(LATEST_PER_KIND).subquery())


def _frequency(newest: Sequence[int], total: int) -> float:
    """Estimate how many entries have a word from the newest that do: all of them, or a full list."""
    if len(newest) < NEWEST_PER_WORD:
        return len(newest)
    span = max(newest) - min(newest) + 1
    return len(newest) * total / span
