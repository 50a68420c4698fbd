"""Rule ``look-alikes``: words and names that read as one thing and are another.

A word that mixes scripts is judged by Unicode TR39 data, through disarm: its foreign letters must all look
like letters of the script it seems to be in. So ``μs``, ``API-шный`` and ``PDFок`` are words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex

from render.lens.finding import Finding, Severity

RULE = "look-alikes"

_FOREIGN = r"[\p{Cyrillic}\p{Greek}\p{Armenian}\p{Cherokee}\p{Coptic}\p{Lisu}]"
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_ANY_FOREIGN = regex.compile(_FOREIGN)
_LATIN = regex.compile(r"\p{Latin}")
_STYLED = regex.compile(r"[\U0001D400-\U0001D7FF\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9]{4,}")


def look_alikes(text: str) -> Iterator[Finding]:
    """Yield words of a text that mix in letters of another script to look like one word."""
    if text.isascii():
        return
    if _ANY_FOREIGN.search(text) and _LATIN.search(text):
        for word in _WORD.finditer(text):
            if _is_disguised(word[0]):
                reason = "letters of another script that look Latin"
                yield Finding(RULE, Severity.WARNING, reason, *word.span())
    for found in _STYLED.finditer(text):
        if not _is_cjk_near(text, *found.span()):
            reason = "letters drawn by symbols"
            yield Finding(RULE, Severity.NOTE, reason, *found.span())


def name_look_alikes(name: str, text: str = "") -> Iterator[Finding]:
    """Yield what is wrong with an id, a title or a link's target; spans are of the name.

    Args:
        name: the name as written.
        text: what it belongs to; a name wholly in letters that look Latin is suspect where no other letter
            of its script occurs.
    """
    yield from look_alikes(name)
    if name.isascii():
        return
    if all_look_latin(name, 3):
        latin = _LATIN.search(name)
        others = (letter for letter in _ANY_FOREIGN.findall(text) if not _looks_latin(letter))
        if not latin and next(others, None) is None:
            reason = "a name in letters of another script that all look Latin"
            yield Finding(RULE, Severity.WARNING, reason, 0, len(name))


def all_look_latin(word: str, least: int) -> bool:
    """Tell whether a word has so many letters of another script, and all of these look Latin."""
    foreign = _ANY_FOREIGN.findall(word)
    return len(foreign) >= least and all(map(_looks_latin, foreign))


def latin_of(word: str) -> str:
    """Return a word with the letters that look Latin replaced by the ones they look like, one for one."""
    return "".join(_latin(letter) or letter for letter in word) if _is_disguised(word) else word


def _is_disguised(word: str) -> bool:
    if word.isascii() or not _LATIN.search(word):
        return False
    foreign = _ANY_FOREIGN.findall(word)
    if not foreign or not all(map(_looks_latin, foreign)):
        return False
    # One Greek letter beside a short index is a quantity: μs, αn, ρ0.
    return not (len(word) <= 3 and len(foreign) == 1 and regex.match(r"\p{Greek}", foreign[0]))


def _looks_latin(letter: str) -> bool:
    return bool(_latin(letter))


@lru_cache(maxsize=2048)
def _latin(letter: str) -> str:
    """Return the one Latin letter that a foreign letter looks like, empty when there is none."""
    if not _ANY_FOREIGN.match(letter):
        return ""
    from disarm import find_confusables  # its tables take 30 ms to load, and most texts need none

    like = [found[2] for found in find_confusables(letter)]
    return like[0] if like and len(like[0]) == 1 else ""


def _is_cjk_near(text: str, start: int, end: int) -> bool:
    """Tell whether full-width letters stand in CJK text, where they are ordinary."""
    return bool(
        regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]", text[start - 20 : end + 20])
    )
