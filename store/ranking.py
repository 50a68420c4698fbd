"""The best matches by bm25, at a cost that does not grow with the store.

bm25 of a natural sentence is dear: its common words are in nearly every entry, each of those must be
scored, and they hardly tell entries apart. So:

1. How many entries have each phrase is estimated from the newest.
2. The engine ranks by the rarest phrases alone, as many as `SCORED` entries have in all.
3. The best of these, `RESCORED` at most, get the scores of the other phrases added, counted in their texts
   (`store.rescoring`).

Where the phrases are rare enough altogether, step 2 is exact and the last. Where even the rarest is in
more than `SCORED` entries, only the newest of those are looked at.

bm25 as FTS5 has it (https://sqlite.org/fts5.html#the_bm25_function), with k1 = 1.2 and b = 0.75:

    score = sum over phrases of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * words / mean words))
    idf   = ln((N - n + 0.5) / (n + 0.5)), at least 0.000001, with n of N entries having the phrase

where f is how often the entry has the phrase, weighted by column.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from store.index import ANYTHING, Totals, Weighed, Within
from store.reader import Reader
from store.rescoring import Rescorer
from store.segment import Phrase

SCORED = 20_000
RESCORED = 300

_SAMPLE = 200  # newest entries from which a frequency is estimated
_LEAST_IDF = 1e-6


def best_of(
    read: Reader, phrases: Iterable[Phrase], within: Within = ANYTHING, *, limit: int
) -> dict[int, float]:
    """Return key and score of the entries that say most of some phrases, best first.

    Args:
        phrases: an entry needs only one of them.
        within: what else an entry must be.
    """
    totals = read.index.totals(read)
    weighed = weigh(read, phrases, totals)
    if not weighed:
        return {}
    rare, rest = part(weighed, SCORED)
    few = rare[0].frequency <= SCORED
    expression = read.index.any_of(rare)
    if not rest:
        return best_matching(read, expression, within, limit=limit, few=few)
    found = best_matching(read, expression, within, limit=max(RESCORED, limit), few=few)
    return Rescorer(rest, totals).best(read, found, limit)


def best_matching(
    read: Reader, expression: Any, within: Within = ANYTHING, *, limit: int, few: bool = False
) -> dict[int, float]:
    """Return key and score of the entries that match, best first; of many, among the newest `SCORED`.

    Args:
        expression: of ``read.index``.
        within: what else an entry must be.
        few: no more than about `SCORED` match, so that none need be left out.
    """
    most = SCORED if within.condition or not few else None
    return read.index.best(read, expression, within, limit, most)


def frequencies(read: Reader, phrases: Sequence[Phrase], totals: Totals) -> list[float]:
    """Return how many entries have each phrase: counted up to `_SAMPLE`, estimated beyond."""
    return read.index.frequencies(read, phrases, totals, _SAMPLE)


def part(weighed: Sequence[Weighed], most: int) -> tuple[Sequence[Weighed], Sequence[Weighed]]:
    """Part off the rarest phrases, at least one, that ``most`` entries have in all."""
    sums = accumulate(each.frequency for each in weighed)
    rare = max(1, sum(total <= most for total in sums))
    return weighed[:rare], weighed[rare:]


def weigh(read: Reader, phrases: Iterable[Phrase], totals: Totals) -> list[Weighed]:
    """Return the phrases that occur and tell entries apart, rarest first; if none does, those that occur."""
    weighed = []
    distinct = list(dict.fromkeys(phrases))
    counts = frequencies(read, distinct, totals)
    for phrase, frequency in zip(distinct, counts, strict=True):
        if frequency:
            ratio = (totals.entries - frequency + 0.5) / (frequency + 0.5)
            weighed.append(Weighed(phrase, frequency, max(_LEAST_IDF, math.log(ratio))))
    weighed.sort(key=lambda each: each.frequency)
    return [each for each in weighed if each.idf > _LEAST_IDF] or weighed
