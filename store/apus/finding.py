"""What a caller may read and asks for, best first, with scores that mean something by themselves.

    score = sum of rarity * gain / sum of rarity, at most 1, over the words of the query

``rarity`` is that of `store.relevance` and ``gain`` what bm25 gives for how often an entry has the word
(`store.ranking`): 1 for once in a text of average length, up to 2.2 for often or in the title. So a score
near 1 says that the entry has all that was asked, and 0.5 that it has half of what matters of it. Words
that no entry has count for nothing. How rare a word is, is counted in the store; for a conversation, among
what it may read: its scores tell nothing of what others keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from store import ranking
from store.apus.policy import Reach, Viewer
from store.apus.sight import ALL, Wanted, within
from store.index import Weighed, Within
from store.reader import Reader
from store.relevance import rarity
from store.rescoring import Rescorer
from store.segment import Phrase, Term, pieces, terms
from store.turn import MAX_WORDS

MOST = 100  # found at all: the pages of a search end there
SENTENCE = 5  # words from which on none is needed in particular, as in `store.search`
_COUNTED = 200  # entries of a conversation up to which a word is counted
_STEPS = 10_000  # parts of a score


@dataclass(frozen=True, slots=True)
class Found:
    """An entry's key and its score, in [0, 1] by ten-thousandths."""

    pk: int
    score: float


def find(read: Reader, reach: Reach, query: str, wanted: Wanted = ALL) -> list[Found]:
    """Return the best matches, `MOST` at most; none for a query without words."""
    asked = terms(query)
    if not asked:
        return []
    condition = within(reach, wanted)
    pks = _candidates(read, asked, condition)
    if not pks:
        return []
    weighed = _weigh(read, reach, asked, condition)
    whole = sum(each.idf for each in weighed)
    sums = Rescorer(weighed, read.index.totals(read)).added(read, pks)
    found = [Found(pk, _rounded(total / (whole or 1.0))) for pk, total in sums.items()]
    # Beyond 1 they are alike to the caller; the better match still comes first.
    return sorted(found, key=lambda each: (-each.score, -sums[each.pk], -each.pk))


def _candidates(read: Reader, asked: tuple[Term, ...], condition: Within) -> list[int]:
    if len(asked) < SENTENCE:
        expression = read.index.all_of(asked)
        if found := ranking.best_matching(read, expression, condition, limit=MOST):
            return list(found)
    return list(ranking.best_of(read, _phrases(asked), condition, limit=MOST))


def _phrases(asked: tuple[Term, ...]) -> Iterator[Phrase]:
    for term in asked:
        for piece in pieces(term):
            yield from piece.phrases


def _weigh(read: Reader, reach: Reach, asked: tuple[Term, ...], condition: Within) -> list[Weighed]:
    phrases = list(islice(dict.fromkeys(_phrases(asked)), MAX_WORDS))
    totals = read.index.totals(read)
    if reach.viewer is Viewer.CONVERSATION:
        counted = f"SELECT count(*) FROM record WHERE {condition.condition}"  # noqa: S608
        entries = int(read.all(counted, *condition.values)[0][0])
        having = [float(_having(read, phrase, condition)) for phrase in phrases]
    else:
        entries = totals.entries
        having = ranking.frequencies(read, phrases, totals)
    return [
        Weighed(phrase, count, rarity(count, max(count, entries)))
        for phrase, count in zip(phrases, having, strict=True)
        if count
    ]


def _having(read: Reader, phrase: Phrase, condition: Within) -> int:
    """Return how many entries in reach have a phrase, `_COUNTED` for any more."""
    expression = read.index.any_of([Weighed(phrase, 0.0, 1.0)])
    return len(ranking.best_matching(read, expression, condition, limit=_COUNTED))


def _rounded(score: float) -> float:
    return round(min(1.0, score) * _STEPS) / _STEPS
