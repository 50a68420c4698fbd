"""The second step of ranking: what common phrases add to the scores of entries found by rare ones.

See `store.ranking` for the formula.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

from store.index import BODY_WEIGHT, TITLE_WEIGHT, Totals, Weighed
from store.lexicon import Counter
from store.reader import Reader, listed

K1, B = 1.2, 0.75  # of bm25
_STEP = 50  # entries scored at a time
_GAIN = (
    1.0  # times its idf: what a phrase is taken to add at most. On average it is 1, never over 2.2
)
_TEXTS = "SELECT pk, title, body FROM search_text WHERE pk IN ??"


class Rescorer:
    """Adds what some phrases are worth to the scores of entries.

    Args:
        phrases: those that the scores leave out.
        totals: what is indexed.
    """

    def __init__(self, phrases: Sequence[Weighed], totals: Totals) -> None:
        self._phrases = phrases
        self._mean = max(1.0, totals.words / max(1, totals.entries))
        self._counter = Counter(each.phrase for each in phrases)
        self._gain = _GAIN * sum(each.idf for each in phrases)

    def best(self, read: Reader, found: Mapping[int, float], limit: int) -> dict[int, float]:
        """Return key and full score of the best entries, best first.

        Args:
            found: key and score so far, best first. Entries are looked at in this order, until the rest
                are too far behind for the phrases to lift one among the best.
        """
        scores: dict[int, float] = {}
        keys = list(found)
        for start in range(0, len(keys), _STEP):
            best = heapq.nlargest(limit, scores.values())
            if len(best) == limit and found[keys[start]] + self._gain <= best[-1]:
                break
            added = self.added(read, keys[start : start + _STEP])
            scores.update((pk, found[pk] + more) for pk, more in added.items())
        order = heapq.nsmallest(limit, scores, key=lambda pk: (-scores[pk], -pk))
        return {pk: scores[pk] for pk in order}

    def added(self, read: Reader, keys: Sequence[int]) -> dict[int, float]:
        """Return what the phrases are worth to each of some entries."""
        rows = read.all(_TEXTS, listed(keys))
        in_titles = self._counter.count([title for _, title, _ in rows])
        in_bodies = self._counter.count([body for _, _, body in rows])
        added = {}
        for at, (pk, title, body) in enumerate(rows):
            words = title.count(" ") + body.count(" ") + 2
            length = K1 * (1 - B + B * words / self._mean)
            score = 0.0
            for each, in_title, in_body in zip(self._phrases, in_titles, in_bodies, strict=True):
                f = TITLE_WEIGHT * in_title[at] + BODY_WEIGHT * in_body[at]
                score += each.idf * f * (K1 + 1) / (f + length)
            added[pk] = score
        return added
