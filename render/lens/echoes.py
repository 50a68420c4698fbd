"""Rule ``recall-echo``: a draft that says again what its writer was given by a recall shortly before.

What is recalled, written again and approved gains weight that nothing new stands behind. Which texts a
writer was given, the store knows when the draft is written; the rule then looks once, and what it finds is
kept with the draft.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import regex

from render.lens.finding import Echo, Finding, Severity
from render.lens.folding import fold

ECHO = "recall-echo"

Shingle: TypeAlias = tuple[str, ...]

# What writes no blanks between words is taken letter by letter.
_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*"
    r"|[[\p{L}\p{N}\p{M}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]+",
    regex.V1,
)
_HIDDEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cc}--[\t\n\r]]", regex.V1)
_CONTROLS = dict.fromkeys({*range(32), 127} - {*map(ord, "\t\n\r")})
_SHINGLE = 4  # words that must follow each other in both texts
_FEWEST = 9  # shingles of a draft below which repetition says nothing
_REPEATED = 0.8  # share of a draft's shingles that a served text has


def repeated(content: str, served: Iterable[tuple[str, str]]) -> Echo | None:
    """Return which of some texts a draft repeats, the one that it has most of; None if it repeats none.

    Args:
        served: ids and texts. A draft that is only part of one repeats it; one that adds to it does not.
    """
    folded = fold(content)
    places = list(_WORD.finditer(folded.text))
    words = [_composed(place[0]) for place in places]
    shingles = _shingles(words)
    distinct = frozenset(shingles)
    if len(distinct) < _FEWEST:
        return None
    least = _REPEATED * len(distinct)
    samples = [(words[at], shingles[at - _SHINGLE + 1 : at + 1]) for at in _every(len(words))]
    best: tuple[str, frozenset[Shingle]] = ("", frozenset())
    for id, text in served:
        plain = _plain(text)
        if _may_have(plain, samples, len(distinct) - least):
            shared = distinct.intersection(_shingles(_WORD.findall(plain)))
            if len(shared) >= max(least, len(best[1]) + 1):
                best = (id, shared)
    id, shared = best
    if not shared:
        return None
    first = next(nth for nth, each in enumerate(shingles) if each in shared)
    last = max(nth for nth, each in enumerate(shingles) if each in shared) + _SHINGLE - 1
    return Echo(id, folded.raw(places[first].start()), folded.raw(places[last].end() - 1) + 1)


def echoes(echo: Echo | None) -> Iterator[Finding]:
    """Yield what is to be said of an echo."""
    if echo is not None:
        reason = f"repeats what its session was given shortly before: {echo.id}"
        yield Finding(ECHO, Severity.WARNING, reason, echo.start, echo.end)


def _shingles(words: Sequence[str]) -> list[Shingle]:
    return list(zip(*(words[start:] for start in range(_SHINGLE)), strict=False))


def _every(words: int) -> range:
    return range(_SHINGLE - 1, words, _SHINGLE)


def _may_have(text: str, samples: Sequence[tuple[str, Sequence[Shingle]]], most: float) -> bool:
    """Tell whether a text may have all but so many shingles, by words of theirs that it has not.

    Looking for some words is much quicker than cutting the text into its own, and most texts have few.
    """
    missing: set[Shingle] = set()
    for word, shingles in samples:
        if word not in text:
            missing.update(shingles)
            if len(missing) > most:
                return False
    return True


def _plain(text: str) -> str:
    """Return a text in which words read as they do in a folded one, whose offsets nobody asks for."""
    if text.isascii():
        return text.lower().translate(_CONTROLS)
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", _HIDDEN.sub("", folded))


def _composed(word: str) -> str:
    return word if word.isascii() else unicodedata.normalize("NFKC", word)
