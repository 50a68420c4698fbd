"""What a caller may read and asks for, best first, with scores that mean something by themselves.

    score = sum of rarity * gain / sum of rarity, at most 1, over the words of the query

``rarity`` is that of `store.relevance` and ``gain`` what bm25 gives for how often an entry has the word
(`store.ranking`): 1 for once in a text of average length, up to 2.2 for often or in the title. So a score
near 1 says that the entry has all that was asked, and 0.5 that it has half of what matters of it. Words
that no entry has count for nothing. How rare a word is, is counted in the store; for a conversation, among
what it may read: its scores tell nothing of what others keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from store import ranking
from store.apus.policy import Reach, Viewer
from store.apus.sight import ALL, Wanted, within
from store.index import Totals, Weighed, Within
from store.lexicon import Counter
from store.reader import Reader, listed
from store.relevance import rarity
from store.rescoring import Rescorer
from store.segment import Phrase, Term, pieces, terms
from store.turn import MAX_WORDS

MOST = 100  # found at all: the pages of a search end there
SENTENCE = 5  # words from which on none is needed in particular, as in `store.search`
_CONVERSATION = 1_000  # its latest entries are looked at
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
    if reach.viewer is Viewer.CONVERSATION:
        return _scored(read, *_in_conversation(read, asked, condition))
    pks = _candidates(read, asked, condition)
    totals = read.index.totals(read)
    return _scored(read, pks, _weigh(read, asked, totals) if pks else [], totals)


def _scored(
    read: Reader, pks: Sequence[int], weighed: Sequence[Weighed], totals: Totals
) -> list[Found]:
    """Return entries with their scores, best first; those that have nothing of the phrases left out."""
    whole = sum(each.idf for each in weighed) or 1.0
    sums = Rescorer(weighed, totals).added(read, pks) if pks else {}
    found = [Found(pk, _rounded(total / whole)) for pk, total in sums.items() if total > 0]
    # Beyond 1 they are alike to the caller; the better match still comes first.
    found.sort(key=lambda each: (-each.score, -sums[each.pk], -each.pk))
    return found[:MOST]


def _candidates(read: Reader, asked: Sequence[Term], condition: Within) -> list[int]:
    if len(asked) < SENTENCE:
        expression = read.index.all_of(asked)
        if found := ranking.best_matching(read, expression, condition, limit=MOST):
            return list(found)
    return list(ranking.best_of(read, _phrases(asked), condition, limit=MOST))


def _phrases(asked: Iterable[Term]) -> Iterator[Phrase]:
    for term in asked:
        for piece in pieces(term):
            yield from piece.phrases


def _weigh(read: Reader, asked: Sequence[Term], totals: Totals) -> list[Weighed]:
    phrases = list(islice(dict.fromkeys(_phrases(asked)), MAX_WORDS))
    having = ranking.frequencies(read, phrases, totals)
    return _rare(phrases, having, totals.entries)


def _rare(phrases: Sequence[Phrase], having: Sequence[float], entries: int) -> list[Weighed]:
    return [
        Weighed(phrase, count, rarity(count, max(count, entries)))
        for phrase, count in zip(phrases, having, strict=True)
        if count
    ]


def _in_conversation(
    read: Reader, asked: Sequence[Term], condition: Within
) -> tuple[list[int], list[Weighed], Totals]:
    """Look at all texts of a conversation: they are few, and its words are counted among them alone."""
    latest = (
        f"SELECT pk FROM record WHERE {condition.condition}"  # noqa: S608
        f" ORDER BY updated_at DESC, pk DESC LIMIT {_CONVERSATION}"
    )
    pks = [pk for (pk,) in read.all(latest, *condition.values)]
    rows = read.all("SELECT pk, title, body FROM search_text WHERE pk IN ??", listed(pks))
    phrases = list(islice(dict.fromkeys(_phrases(asked)), MAX_WORDS))
    counter = Counter(phrases)
    in_titles = counter.count([title for _, title, _ in rows])
    in_bodies = counter.count([body for _, _, body in rows])
    there: dict[Phrase, set[int]] = {
        phrase: {row[0] for row, *counts in zip(rows, titles, bodies, strict=True) if any(counts)}
        for phrase, titles, bodies in zip(phrases, in_titles, in_bodies, strict=True)
    }
    weighed = _rare(phrases, [float(len(there[phrase])) for phrase in phrases], len(rows))
    found = {row[0] for row in rows}
    if len(asked) < SENTENCE:
        of_terms = [set().union(*(there.get(p, set()) for p in _phrases([t]))) for t in asked]
        found = set.intersection(*of_terms) or found
    words = sum(title.count(" ") + body.count(" ") + 2 for _, title, body in rows)
    return [pk for pk in pks if pk in found], weighed, Totals(len(rows), words)


def _rounded(score: float) -> float:
    return round(min(1.0, score) * _STEPS) / _STEPS
