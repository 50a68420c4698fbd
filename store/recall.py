"""Recall: which memories a turn gets, ranked and cut to a token budget.

Who may be seen and where to look is in `store.candidates`, what makes an entry relevant in
`store.relevance`, how a budget is filled in `store.budget`.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from store import candidates, checks, ranking, relevance
from store.budget import fill
from store.candidates import LATEST_PER_KIND, NONE, Candidates, Sight
from store.clock import to_micros
from store.errors import BudgetExceeded
from store.index import Totals, Weighed
from store.reader import Reader, listed, reader_of
from store.reading import COLUMNS, to_record
from store.records import MemoryScope, Recalled, RecallRequest, Record, Scored
from store.relevance import STRONG, Parts
from store.rescoring import Rescorer
from store.turn import words_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from store.tokens import TokenCounter

CONSIDERED = (
    150  # the best candidates, of which the budget is filled: their texts are read and counted
)
_NEAREST = 50  # latest entries of the project and session whose texts are scored in any case
_COUNTED = 16  # rarest words of the turn that are counted in texts
_COMMON = 0.2  # share of entries; what more have tells little and costs much
_LENDING = 20  # strong matches whose neighbours are looked at
_RECORDS = f"SELECT {', '.join(COLUMNS)} FROM record WHERE pk IN ??"  # noqa: S608


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
    return some_of(preview(conn, request, counter, now))


def preview(
    conn: Connection,
    request: RecallRequest,
    counter: TokenCounter,
    now: datetime,
    approving: Collection[str] = (),
) -> Recalled:
    """Recall as `recall` does, with what was dropped; never BudgetExceeded.

    Args:
        approving: ids of drafts that are taken to be approved already.
    """
    found = ranked(reader_of(conn), request, now, approving)
    return filled(found, counter.count(texts_of(found), request.model), request.token_budget)


def ranked(
    read: Reader, request: RecallRequest, now: datetime, approving: Collection[str] = ()
) -> list[Scored]:
    """Return the best candidates for a turn, best first; nothing is counted yet."""
    sight = Sight(request, candidates.approving(read, approving) if approving else NONE)
    checks.turn(request)
    parts = _score(read, request, sight, to_micros(now))
    best = heapq.nlargest(CONSIDERED, parts, key=lambda pk: (parts[pk].score, pk))
    records: dict[int, Record] = {
        row[0]: to_record(row) for row in read.all(_RECORDS, listed(best))
    }
    best.sort(key=lambda pk: (-parts[pk].score, records[pk].id))
    return [Scored(records[pk], parts[pk].score, parts[pk]._asdict()) for pk in best]


def texts_of(found: Sequence[Scored]) -> list[str]:
    """Return the texts whose tokens count."""
    return [each.record.content for each in found]


def filled(found: Sequence[Scored], tokens: Sequence[int], budget: int) -> Recalled:
    """Return what fits a budget and what does not, given the tokens of each candidate."""
    counted = [
        replace(each, record=replace(each.record, tokens=count, relevance_score=each.score))
        for each, count in zip(found, tokens, strict=True)
    ]
    fits = fill(zip(counted, tokens, strict=True), budget)
    return Recalled(fits.given, fits.dropped, fits.tokens, budget)


def some_of(recalled: Recalled) -> Recalled:
    """Return what was recalled; BudgetExceeded if there is something, but nothing that fits."""
    if recalled.dropped and not recalled.given:
        smallest = min(scored.record.tokens for scored in recalled.dropped)
        raise BudgetExceeded.of(recalled.token_budget, smallest)
    return recalled


def _score(read: Reader, request: RecallRequest, sight: Sight, now: int) -> dict[int, Parts]:
    """Return the parts of the score of every candidate, by key."""
    totals = read.index.totals(read)
    weighed = _weigh(read, request, totals)
    seen = candidates.latest(read, sight)
    worded = candidates.best_by_words(read, weighed)
    seen |= candidates.look_at(read, sight, [pk for pk in worded if pk not in seen])
    texts = _texts(read, seen, worded, weighed, totals)
    links = _lend(read, sight, seen, texts)
    return {
        pk: Parts(
            text=texts.get(pk, 0.0),
            # A revision that is approved is of now; a new draft keeps its time.
            recency=relevance.recency(
                candidate.type,
                now if pk in sight.approving.revisions else candidate.updated_at,
                now,
            ),
            scope=relevance.nearness(candidate.scope),
            links=links.get(pk, 0.0),
        )
        for pk, candidate in seen.items()
    }


def _weigh(read: Reader, request: RecallRequest, totals: Totals) -> list[Weighed]:
    """Return the words of the turn that tell entries apart, rarest first, with what each is worth."""
    weighed = []
    words = words_of(request)
    counts = ranking.frequencies(read, list(words), totals)
    for (phrase, weight), frequency in zip(words.items(), counts, strict=True):
        if frequency:
            worth = weight * relevance.rarity(frequency, totals.entries)
            weighed.append(Weighed(phrase, frequency, worth))
    weighed.sort(key=lambda each: each.frequency)
    common = max(_COMMON * totals.entries, LATEST_PER_KIND)
    return [each for each in weighed if each.frequency <= common] or weighed


def _texts(
    read: Reader,
    seen: Candidates,
    worded: Sequence[int],
    weighed: Sequence[Weighed],
    totals: Totals,
) -> dict[int, float]:
    """Return the text parts of those candidates that may have any."""
    if not weighed:
        return {}
    near = [pk for pk, candidate in seen.items() if candidate.scope != MemoryScope.GLOBAL]
    nearest = heapq.nlargest(_NEAREST, near, key=lambda pk: (seen[pk].updated_at, pk))
    keys = dict.fromkeys([*(pk for pk in worded if pk in seen), *nearest])
    sums = Rescorer(weighed[:_COUNTED], totals).added(read, list(keys))
    best = max([relevance.convincing(totals.entries), *sums.values()])
    return {pk: value / best for pk, value in sums.items()}


def _lend(
    read: Reader, sight: Sight, seen: Candidates, texts: Mapping[int, float]
) -> dict[int, float]:
    """Return the links parts of the neighbours of strong matches, and make them candidates too."""
    strongest = heapq.nlargest(_LENDING, texts, key=lambda pk: (texts[pk], pk))
    strong = [pk for pk in strongest if texts[pk] >= STRONG]
    if not strong:
        return {}
    lent: dict[int, float] = {}
    for match, other in candidates.neighbours(read, strong):
        lent[other] = max(lent.get(other, 0.0), texts[match])
    seen |= candidates.look_at(read, sight, lent.keys() - seen.keys())
    return lent
