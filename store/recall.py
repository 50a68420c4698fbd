"""Recall: which memories a turn gets, ranked and cut to a token budget.

Who may be seen and where to look is in `store.candidates`, what makes an entry relevant in
`store.relevance`, how a budget is filled in `store.budget`.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, select

from store import relevance, tables
from store.budget import fill
from store.candidates import Candidate, by_words, gather, look_at, neighbours
from store.clock import to_micros
from store.errors import BudgetExceeded
from store.records import Recalled, RecallRequest, Scored
from store.relevance import STRONG, Parts
from store.rows import RECORD_COLUMNS, to_record
from store.tokens import TokenCounter
from store.turn import words_of

CONSIDERED = (
    300  # the best candidates, of which the budget is filled: their texts are read and counted
)
_LENDING = 50  # strong matches whose neighbours are looked at


def recall(
    conn: Connection, request: RecallRequest, counter: TokenCounter, now: datetime
) -> Recalled:
    """Return the records that fit the budget, best first; empty when there are no candidates.

    Args:
        request: its budget is in tokens of its model, as ``counter`` counts them.
        now: what ages are measured from.

    Raises:
        BudgetExceeded: there are candidates and not even the smallest fits.
    """
    recalled = preview(conn, request, counter, now)
    if recalled.dropped and not recalled.given:
        smallest = min(scored.record.tokens for scored in recalled.dropped)
        raise BudgetExceeded.of(request.token_budget, smallest)
    return recalled


def preview(
    conn: Connection, request: RecallRequest, counter: TokenCounter, now: datetime
) -> Recalled:
    """Recall as `recall` does, with what was dropped and why; never BudgetExceeded."""
    ranked = _rank(conn, request, to_micros(now))
    scored = _read(conn, ranked)
    tokens = counter.count([each.record.content for each in scored], request.model)
    counted = [
        (replace(each, record=replace(each.record, tokens=count)), count)
        for each, count in zip(scored, tokens, strict=True)
    ]
    filled = fill(counted, request.token_budget)
    return Recalled(filled.given, filled.dropped, filled.tokens, request.token_budget)


def _rank(conn: Connection, request: RecallRequest, now: int) -> list[tuple[int, Parts]]:
    """Return the keys of the best candidates with the parts of their scores, best first."""
    sums = by_words(conn, words_of(request))
    candidates = gather(conn, request, sums)
    best = max((sums.get(pk, 0.0) for pk in candidates), default=0.0)
    lent = _lend(conn, request, candidates, sums, best)
    parts = {
        pk: Parts(
            text=relevance.text_part(sums.get(pk, 0.0), best),
            recency=relevance.recency(row.type, row.updated_at, now),
            scope=relevance.nearness(row.scope),
            links=lent.get(pk, 0.0),
        )
        for pk, row in candidates.items()
    }
    order = heapq.nsmallest(CONSIDERED, parts, key=lambda pk: (-parts[pk].score, candidates[pk].id))
    return [(pk, parts[pk]) for pk in order]


def _lend(
    conn: Connection,
    request: RecallRequest,
    candidates: dict[int, Candidate],
    sums: Mapping[int, float],
    best: float,
) -> dict[int, float]:
    """Return the links part of the neighbours of strong matches, and make them candidates too."""
    texts = {pk: relevance.text_part(sums.get(pk, 0.0), best) for pk in candidates}
    strongest = heapq.nlargest(_LENDING, texts, key=lambda pk: (texts[pk], pk))
    strong = {candidates[pk].id: pk for pk in strongest if texts[pk] >= STRONG}
    if not strong:
        return {}
    lent: dict[int, float] = {}
    for id, pk in neighbours(conn, strong):
        lent[pk] = max(lent.get(pk, 0.0), texts[strong[id]])
    for row in look_at(conn, request, lent.keys() - candidates.keys()):
        candidates[row.pk] = row
    return lent


def _read(conn: Connection, ranked: list[tuple[int, Parts]]) -> list[Scored]:
    """Return the ranked entries with their texts."""
    keys = [pk for pk, _ in ranked]
    rows = {
        row.pk: to_record(row)
        for row in conn.execute(select(*RECORD_COLUMNS).where(tables.record.c.pk.in_(keys)))
    }
    return [
        Scored(replace(rows[pk], relevance_score=parts.score), parts.score, parts.as_dict())
        for pk, parts in ranked
    ]
