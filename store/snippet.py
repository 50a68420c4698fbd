"""The bit of a record's text that shows why a search found it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from store.segment import Term

WIDTH = 160  # characters of a snippet at most, dots included
_LEAD = 40  # of them before the matches
_MAX_TERMS = 20  # looked for; only a display
_MAX_PLACES = 10  # of each of them
_TELLING = 4  # letters of a word that is looked for beside others; shorter ones are everywhere
_SPACES = re.compile(r"\s+")
_STEM_OF = 0.7  # share of a word's beginning that its other forms surely keep


def snippet(content: str, terms: Iterable[Term]) -> str:
    """Return the snippet of one text; see `Snippets`."""
    return Snippets(terms).of(content)


class Snippets:
    """Finds the bits of texts that match a query.

    Args:
        terms: of the query.
    """

    def __init__(self, terms: Iterable[Term]) -> None:
        few = list(islice(terms, _MAX_TERMS))
        words = dict.fromkeys(
            word for term in few for phrase in term.phrases for word in phrase.words
        )
        telling = [word for word in words if len(word) >= _TELLING or not word.isascii()]
        stems = [word[: max(2, round(len(word) * _STEM_OF))] for word in telling or words]
        written = [term.text.lower() for term in few]
        # As written, unless several words are sought: then any form of any of them is as good.
        self._attempts = [
            *([_Attempt(written, whole=True, bounded=True)] if len(few) == 1 else []),
            _Attempt(stems, whole=False, bounded=True),
            _Attempt(stems, whole=False, bounded=False),
        ]

    def of(self, content: str) -> str:
        """Return raw text around the first match, on one line, with dots where text was left out.

        The text is as agents wrote it, control characters included, apart from runs of white space. Of
        a sentence it is the bit with the most of its words; without a match, the beginning.
        """
        start = self._densest(content)
        begin = _word_start(content, max(0, start - _LEAD)) if start > _LEAD else 0
        # Twice the width is enough to fill it unless half of it is white space.
        piece = _SPACES.sub(" ", content[begin : begin + 2 * WIDTH]).strip()
        head = "…" if begin else ""
        if len(head) + len(piece) <= WIDTH and begin + 2 * WIDTH >= len(content):
            return head + piece
        return f"{head}{piece[: WIDTH - len(head) - 1].rstrip()}…"

    def _densest(self, content: str) -> int:
        """Return where the most of what is sought stands together, longer words counting more."""
        lowered = content.lower()  # rarely of another length, and then the place is a little off
        for attempt in self._attempts:
            found = sorted(attempt.places(lowered))
            if found:
                return max(
                    (at for at, _ in found), key=lambda start: (_worth(found, start), -start)
                )
        return 0


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Texts to look for: whole words, beginnings of words, or any part of one."""

    texts: Sequence[str]
    whole: bool
    bounded: bool

    def places(self, lowered: str) -> Iterator[tuple[int, str]]:
        """Yield where the texts stand, the first few times each."""
        for text in self.texts:
            at = lowered.find(text)
            for _ in range(_MAX_PLACES):
                if at < 0:
                    break
                if self._fits(lowered, at, text):
                    yield at, text
                at = lowered.find(text, at + 1)

    def _fits(self, lowered: str, at: int, text: str) -> bool:
        end = at + len(text)
        starts = not self.bounded or at == 0 or not _continues(lowered[at - 1], text[0])
        ends = not self.whole or end == len(lowered) or not _continues(text[-1], lowered[end])
        return starts and ends


def _continues(first: str, second: str) -> bool:
    """Tell whether two neighbours are of one word; only of ASCII, as other scripts may have no spaces."""
    return first.isascii() and second.isascii() and first.isalnum() and second.isalnum()


def _worth(found: Sequence[tuple[int, str]], start: int) -> int:
    near = {text for at, text in found if start <= at < start + WIDTH - 2 * _LEAD}
    return sum(map(len, near))


def _word_start(content: str, at: int) -> int:
    space = content.find(" ", at, at + _LEAD // 2)
    return space + 1 if space >= 0 else at
