"""What makes a memory relevant to a turn: the formula of Recall, its parts and their weights.

    score = 0.55 text + 0.20 recency + 0.15 scope + 0.10 links

Every part is in [0, 1], so the score is too. Ties go by id.

text
    How much the record says of what the turn is about: of the words of the query, of the paths touched
    and of the working directory, weighted 4, 2 and 1. Counted as bm25 does (`store.ranking`), but a word
    is worth its weight times ln(1 + (N - n + 0.5) / (n + 0.5)) with n of N entries having it, which is
    something even where all have it. The sum is divided by the best candidate's, or by what would
    convince (`convincing`) where that is more: a lone match of a common word is not made a perfect
    one for want of better.
recency
    One half to the power of age over `HALF_LIFE`, age since the last change. Ongoing work goes stale
    first, so project records have the shortest.
scope
    What is bound more narrowly is nearer: the session itself, then the project, then everywhere.
links
    The best text part among strong matches that the record links to or is linked from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from store.clock import DAY
from store.records import MemoryScope, MemoryType

WEIGHTS: Mapping[str, float] = {"text": 0.55, "recency": 0.20, "scope": 0.15, "links": 0.10}
_TEXT, _RECENCY, _SCOPE, _LINKS = WEIGHTS.values()
HALF_LIFE: Mapping[str, int] = {  # days
    MemoryType.PROJECT: 14,
    MemoryType.REFERENCE: 90,
    MemoryType.FEEDBACK: 180,
    MemoryType.USER: 365,
}
NEARNESS: Mapping[str, float] = {
    MemoryScope.SESSION: 1.0,
    MemoryScope.PROJECT: 0.7,
    MemoryScope.GLOBAL: 0.4,
}
QUERY, TOUCHED, DIRECTORY = 4.0, 2.0, 1.0  # weights of where a word of the turn is from
CONVINCING = 0.4  # times what a word of a touched path is worth that a single entry has
STRONG = 0.5  # text part from which a match lends relevance to its neighbours


class Parts(NamedTuple):
    """The parts of one candidate's score, each in [0, 1], in the order of `WEIGHTS`."""

    text: float
    recency: float
    scope: float
    links: float

    @property
    def score(self) -> float:
        """The weighted sum."""
        text, recency, scope, links = self
        return min(1.0, _TEXT * text + _RECENCY * recency + _SCOPE * scope + _LINKS * links)


def rarity(having: float, total: float) -> float:
    """Return what a word that ``having`` of ``total`` entries have is worth; more than nothing."""
    return math.log(1 + max(0.0, total - having + 0.5) / (having + 0.5))


def recency(type: str, updated_at: int, now: int) -> float:
    """Return the part for a change at ``updated_at`` (both µs); a change in the future is fresh."""
    age = max(0, now - updated_at) / DAY
    return float(0.5 ** (age / HALF_LIFE[type]))


def nearness(scope: str) -> float:
    """Return the part for a scope, given that its binding matches the turn."""
    return NEARNESS[scope]


def convincing(total: float) -> float:
    """Return the sum of words that makes a whole text part among ``total`` entries, or else the best sum."""
    return CONVINCING * TOUCHED * rarity(1, total)
