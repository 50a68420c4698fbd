"""What makes a memory relevant to a turn: the formula of Recall, its parts and their weights.

    score = 0.55 text + 0.20 recency + 0.15 scope + 0.10 links

Every part is in [0, 1], so the score is too. Ties go by id.

text
    How much of what the turn is about the record mentions. The turn is about the words of the query, of
    the paths touched and of the working directory, weighted 4, 2 and 1. A word counts by its rarity,
    ln(1 + (N - n + 0.5) / (n + 0.5)) with n of N entries having it, and three times in a title. The sum
    is divided by the best candidate's, or by `CONVINCING` where that is more: a lone match of a
    common word is not made a perfect one for want of better.
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
from dataclasses import dataclass

from store.clock import DAY
from store.records import MemoryScope, MemoryType

WEIGHTS: Mapping[str, float] = {"text": 0.55, "recency": 0.20, "scope": 0.15, "links": 0.10}
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
TITLE = 3.0  # a word in the title counts this many times one in the text
CONVINCING = (
    12.0  # the sum of a word of a touched path that one entry in two hundred has in its title
)
STRONG = 0.5  # text part from which a match lends relevance to its neighbours


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one candidate's score, each in [0, 1]."""

    text: float = 0.0
    recency: float = 0.0
    scope: float = 0.0
    links: float = 0.0

    def as_dict(self) -> dict[str, float]:
        """Return the parts by name, as previews show them."""
        return {name: getattr(self, name) for name in WEIGHTS}

    @property
    def score(self) -> float:
        """The weighted sum."""
        return math.fsum(
            weight * part
            for weight, part in zip(WEIGHTS.values(), self.as_dict().values(), strict=True)
        )


def rarity(having: float, total: float) -> float:
    """Return what a word that ``having`` of ``total`` entries have is worth; never negative."""
    return math.log(1 + max(0.0, total - having + 0.5) / (having + 0.5))


def recency(type: str, updated_at: int, now: int) -> float:
    """Return the part for a change at ``updated_at`` (both µs); a change in the future is fresh."""
    age = max(0, now - updated_at) / DAY
    return float(0.5 ** (age / HALF_LIFE[type]))


def nearness(scope: str) -> float:
    """Return the part for a scope, given that its binding matches the turn."""
    return NEARNESS[scope]


def text_part(sum_of_words: float, best: float) -> float:
    """Return the part for a candidate's sum, where the best candidate has ``best``."""
    return min(1.0, sum_of_words / max(best, CONVINCING))
