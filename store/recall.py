"""Recall: which memories a turn gets, ranked and cut to a token budget.

Who may be seen and where to look is in `store.candidates`, what makes an entry relevant in
`store.relevance`, how a budget is filled in `store.budget`.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from store import candidates, fts5, ranking, relevance, tables
from store.budget import fill
from store.candidates import LATEST_PER_KIND, Candidates, Sight
from store.clock import to_micros
from store.errors import BudgetExceeded
from store.records import MemoryScope, Recalled, RecallRequest, Scored
from store.relevance import STRONG, Parts
from store.rescoring import Rescorer, Weighed
from store.rows import RECORD_COLUMNS, to_record
from store.tokens import TokenCounter
from store.turn import words_of

CONSIDERED = (
    150  # the best candidates, of which the budget is filled: their texts are read and counted
)
_NEAREST = 60  # latest entries of the project and session whose texts are scored in any case
_COUNTED = 24  # rarest words of the turn that are counted in texts
_COMMON = 0.2  # share of entries; what more have tells little and costs much
_LENDING = 20  # strong matches whose neighbours are looked at
_RECORDS = select(*RECORD_COLUMNS).where(tables.record.c.pk.in_(bindparam("pks", expanding=True)))


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
        raise BudgetExceeded(
            f"no memory fits {request.token_budget} tokens; the smallest has {smallest}",
            smallest=smallest,
            hint=f"Allow {smallest} tokens or more.",
        )
    return recalled


def preview(
    conn: Connection, request: RecallRequest, counter: TokenCounter, now: datetime
) -> Recalled:
    """Recall as `recall` does, with what was dropped and why; never BudgetExceeded."""
    parts = _score(conn, request, to_micros(now))
    best = heapq.nlargest(CONSIDERED, parts, key=lambda pk: (parts[pk].score, pk))
    records = {row.pk: to_record(row) for row in conn.execute(_RECORDS, {"pks": best})}
    order = sorted(best, key=lambda pk: (-parts[pk].score, records[pk].id))
    tokens = counter.count([records[pk].content for pk in order], request.model)
    scored = [
        Scored(
            replace(records[pk], tokens=count, relevance_score=parts[pk].score),
            parts[pk].score,
            parts[pk]._asdict(),
        )
        for pk, count in zip(order, tokens, strict=True)
    ]
    filled = fill(zip(scored, tokens, strict=True), request.token_budget)
    return Recalled(filled.given, filled.dropped, filled.tokens, request.token_budget)


def _score(conn: Connection, request: RecallRequest, now: int) -> dict[int, Parts]:
    """Return the parts of the score of every candidate, by key."""
    totals = fts5.totals(conn)
    sight = Sight(request)
    weighed = _weigh(conn, request, totals)
    seen = candidates.latest(conn, sight)
    worded = candidates.best_by_words(conn, weighed)
    seen |= candidates.look_at(conn, sight, [pk for pk in worded if pk not in seen])
    texts = _texts(conn, seen, worded, weighed, totals)
    links = _lend(conn, sight, seen, texts)
    return {
        pk: Parts(
            text=texts.get(pk, 0.0),
            recency=relevance.recency(candidate.type, candidate.updated_at, now),
            scope=relevance.nearness(candidate.scope),
            links=links.get(pk, 0.0),
        )
        for pk, candidate in seen.items()
    }


def _weigh(conn: Connection, request: RecallRequest, totals: fts5.Totals) -> list[Weighed]:
    """Return the words of the turn that tell entries apart, rarest first, with what each is worth."""
    weighed = []
    for phrase, weight in words_of(request).items():
        frequency = ranking.frequency_of(conn, phrase, totals)
        if frequency:
            worth = weight * relevance.rarity(frequency, totals.entries)
            weighed.append(Weighed(phrase, frequency, worth))
    weighed.sort(key=lambda each: each.frequency)
    common = max(_COMMON * totals.entries, LATEST_PER_KIND)
    return [each for each in weighed if each.frequency <= common] or weighed


def _texts(
    conn: Connection,
    seen: Candidates,
    worded: Sequence[int],
    weighed: Sequence[Weighed],
    totals: fts5.Totals,
) -> dict[int, float]:
    """Return the text parts of those candidates that may have any."""
    if not weighed:
        return {}
    near = [pk for pk, candidate in seen.items() if candidate.scope != MemoryScope.GLOBAL]
    nearest = heapq.nlargest(_NEAREST, near, key=lambda pk: (seen[pk].updated_at, pk))
    keys = dict.fromkeys([*(pk for pk in worded if pk in seen), *nearest])
    sums = Rescorer(weighed[:_COUNTED], totals).added(conn, list(keys))
    best = max([relevance.convincing(totals.entries), *sums.values()])
    return {pk: value / best for pk, value in sums.items()}


def _lend(
    conn: Connection, sight: Sight, seen: Candidates, texts: Mapping[int, float]
) -> dict[int, float]:
    """Return the links parts of the neighbours of strong matches, and make them candidates too."""
    strongest = heapq.nlargest(_LENDING, texts, key=lambda pk: (texts[pk], pk))
    strong = [pk for pk in strongest if texts[pk] >= STRONG]
    if not strong:
        return {}
    lent: dict[int, float] = {}
    for match, other in candidates.neighbours(conn, strong):
        lent[other] = max(lent.get(other, 0.0), texts[match])
    seen |= candidates.look_at(conn, sight, lent.keys() - seen.keys())
    return lent
