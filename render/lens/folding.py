"""A text folded for matching, with the way back to its own offsets.

NFKC and case folding by character, hidden characters dropped, look-alike letters in Latin words as the
Latin ones, quotes and dashes plain: what an instruction can be dressed up in comes off.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

import regex

from render.lens.lookalikes import latin_of

_DROPPED = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cc}--[\t\n\r]]", regex.V1)
_PLAIN = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201f\u2033"), '"'),
    **dict.fromkeys(range(0x2010, 0x2016), "-"),
    0x2212: "-",
}
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_MIXED = regex.compile(r"[\p{Cyrillic}\p{Greek}\p{Armenian}\p{Cherokee}\p{Coptic}\p{Lisu}]")


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded text; ``places`` are pairs of offsets where the two texts stop running alike."""

    text: str
    folded_places: tuple[int, ...] = (0,)
    raw_places: tuple[int, ...] = (0,)

    def raw(self, offset: int) -> int:
        """Return the offset in the raw text of what stands at an offset of the folded one."""
        nth = bisect_right(self.folded_places, offset) - 1
        return self.raw_places[nth] + offset - self.folded_places[nth]


def fold(text: str) -> Folded:
    """Fold a text for matching."""
    if text.isascii():
        lowered = text.lower()
        if _DROPPED.search(lowered) is None:
            return Folded(lowered)
    disguised = _MIXED.search(text) is not None
    source = _WORD.sub(lambda word: latin_of(word[0]), text) if disguised else text
    parts: list[str] = []
    folded_places, raw_places = [0], [0]
    length = 0
    for at, character in enumerate(source):
        folded = character.lower() if " " <= character < "\x7f" else _folded(character)
        parts.append(folded)
        length += len(folded)
        if len(folded) != 1:
            folded_places.append(length)
            raw_places.append(at + 1)
    return Folded("".join(parts), tuple(folded_places), tuple(raw_places))


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    if _DROPPED.match(character):
        return ""
    folded = unicodedata.normalize("NFKC", character).casefold()
    return unicodedata.normalize("NFKC", folded).translate(_PLAIN)
