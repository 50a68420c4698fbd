"""The bit of a record's text that shows why a search found it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from store.segment import Term

WIDTH = 160  # characters of a snippet at most, dots included
_LEAD = 40  # of them before the match
_MAX_TERMS = 20  # looked for; only a display
_ASCII_WORD = re.compile("[a-zA-Z0-9]")
_SPACES = re.compile(r"\s+")
_STEM_OF = 0.7  # share of a word's beginning that its other forms surely keep


def snippet(content: str, terms: Iterable[Term], width: int = WIDTH) -> str:
    """Return raw text around the first match, on one line, with dots where text was left out.

    The text is as agents wrote it, control characters included, apart from runs of white space. Where
    only the title matches, or another form of a word, it is the beginning of the text.
    """
    start = _first(content, tuple(terms))
    begin = _word_start(content, max(0, start - _LEAD)) if start > _LEAD else 0
    # Twice the width is enough to fill it unless half of it is white space.
    piece = _SPACES.sub(" ", content[begin : begin + 2 * width]).strip()
    head = "…" if begin else ""
    if len(head) + len(piece) <= width and begin + 2 * width >= len(content):
        return head + piece
    return f"{head}{piece[: width - len(head) - 1].rstrip()}…"


def _first(content: str, terms: Iterable[Term]) -> int:
    """Return where the first term stands as written, else the first form of one of its words."""
    few = list(islice(terms, _MAX_TERMS))
    words = dict.fromkeys(word for term in few for phrase in term.phrases for word in phrase.words)
    stems = [word[: max(2, round(len(word) * _STEM_OF))] for word in words]
    written = [term.text for term in few]
    for sought, whole, bounded in (
        (written, True, True),
        (stems, False, True),
        (stems, False, False),
    ):
        longest_first = sorted(sought, key=len, reverse=True)
        pattern = "|".join(_pattern(text, whole, bounded) for text in longest_first)
        if pattern and (match := re.search(pattern, content, re.IGNORECASE)):
            return match.start()
    return 0


def _pattern(text: str, whole: bool, bounded: bool) -> str:
    """Return the pattern for a text that is a whole word, the beginning of one, or any part."""
    # Only of ASCII: scripts without spaces have no boundaries to look for.
    before = r"(?<![^\W_])" if bounded and _ASCII_WORD.match(text[0]) else ""
    after = r"(?![^\W_])" if whole and _ASCII_WORD.match(text[-1]) else ""
    return f"{before}{re.escape(text)}{after}"


def _word_start(content: str, at: int) -> int:
    space = content.find(" ", at, at + _LEAD // 2)
    return space + 1 if space >= 0 else at
