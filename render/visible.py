"""Text that somebody else wrote, made safe to paint: what is hidden or controls a terminal shows.

Notation: control pictures for C0 and DEL (``␛``, ``␀``, ``␉``), ``‹U+202E›`` for everything else: C1, bidi
controls, zero-width and tag characters, stray variation selectors, private use, unassigned, lone
surrogates, line and paragraph separators. What a script or an emoji needs is no such character and
passes untouched: see `render.joiners`.

`Visible` is the only text that may reach a terminal, and only this module makes it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import SupportsIndex, overload

import regex
import wcwidth

from render.joiners import belongs


class Visible(str):
    """Text without control or hidden characters. Made by `visible`, kept by joining and cutting."""

    __slots__ = ()

    @overload
    def __add__(self, other: Visible) -> Visible: ...
    @overload
    def __add__(self, other: str) -> str: ...
    def __add__(self, other: str) -> str:
        joined = str.__add__(self, other)
        return Visible(joined) if isinstance(other, Visible) else joined

    def __getitem__(self, key: SupportsIndex | slice) -> Visible:
        return Visible(str.__getitem__(self, key))

    def __mul__(self, times: SupportsIndex) -> Visible:
        return Visible(str.__mul__(self, times))


@dataclass(frozen=True, slots=True)
class Mark:
    """One character shown by its mark: ``raw`` is its offset, ``start`` to ``end`` is the mark."""

    raw: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """A text made visible, and where: the painter may style the marks apart from the text."""

    text: Visible
    marks: tuple[Mark, ...] = ()

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Return start and end of each mark in ``text``."""
        return tuple((mark.start, mark.end) for mark in self.marks)

    def position(self, raw: int) -> int:
        """Return the offset in ``text`` of what stood at an offset of the raw text."""
        nth = bisect_right(self.marks, raw, key=lambda mark: mark.raw) - 1
        if nth < 0:
            return raw
        mark = self.marks[nth]
        return mark.start if raw == mark.raw else mark.end + raw - mark.raw - 1


def visible(text: str, newlines: bool = False, tab: int = 0) -> Visible:
    """Return a text safe to paint.

    Args:
        text: anything, lone surrogates included.
        newlines: keep line feeds; else they are shown as ``␊``, as one-line fields need.
        tab: cells between tab stops to fill with spaces; 0 shows tabs as ``␉``.
    """
    return reveal(text, newlines, tab).text


def reveal(text: str, newlines: bool = False, tab: int = 0) -> Revealed:
    """Return a text safe to paint with the places of its marks; arguments as in `visible`."""
    if isinstance(text, Visible) and (newlines or "\n" not in text):
        return Revealed(text)
    if (text.isascii() and text.isprintable()) or _SUSPECT.search(text) is None:
        return Revealed(Visible(text))
    parts: list[str] = []
    marks: list[Mark] = []
    done = length = 0
    stops = _Stops(tab)
    for found in _SUSPECT.finditer(text):
        at = found.start()
        shown = _shown(text, at, newlines)
        if shown is None:
            continue
        parts.append(text[done:at])
        length += at - done
        if text[at] == "\t" and tab:
            shown = stops.fill(parts)
        else:
            marks.append(Mark(at, length, length + len(shown)))
        parts.append(shown)
        length += len(shown)
        done = at + 1
    parts.append(text[done:])
    return Revealed(Visible("".join(parts)), tuple(marks))


def join(parts: Iterable[Visible], between: Visible | None = None) -> Visible:
    """Return visible texts joined, still visible."""
    return Visible((between or "").join(parts))


def cell_width(text: Visible) -> int:
    """Return the terminal cells that one line of text takes: the sum over its graphemes."""
    return len(text) if text.isascii() else sum(map(_width, _CLUSTER.findall(text)))


def graphemes(text: Visible) -> list[Visible]:
    """Return the user-perceived characters of a text (UAX 29 extended grapheme clusters)."""
    if text.isascii():
        return [Visible(character) for character in str(text)]
    return [Visible(cluster) for cluster in _CLUSTER.findall(text)]


def fit(text: Visible, cells: int) -> Visible:
    """Return the text cut to a number of cells, with ``…`` for what is left out.

    A grapheme is whole or absent, so the result may be a cell short of ``cells``.
    """
    if (len(text) <= cells and text.isascii()) or cell_width(text) <= cells:
        return text
    if cells <= 0:
        return Visible()
    kept: list[Visible] = []
    room = cells - 1
    for cluster in graphemes(text[: 32 * cells]):  # a cell never takes that many characters
        room -= cell_width(cluster)
        if room < 0:
            break
        kept.append(cluster)
    return Visible("".join([*kept, "…"]))


def pad(text: Visible, cells: int) -> Visible:
    """Return the text fitted to exactly a number of cells, blanks on the right."""
    short = fit(text, cells)
    return Visible(str(short) + " " * (cells - cell_width(short)))


def isolate(text: Visible) -> Visible:
    """Return the text between FSI and PDI if it has right-to-left letters.

    For terminals that reorder a whole line: a name in Arabic or Hebrew then leaves the columns beside
    it in place. Only this function writes these two characters; in agents' text they are shown.
    """
    return Visible(f"\u2068{text}\u2069") if _RIGHT_TO_LEFT.search(text) else text


def name_of(character: str) -> str:
    """Return the mark of a character that does not show: ``␛``, ``‹U+202E›``."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"‹U+{code:04X}›"


@lru_cache(maxsize=4096)
def _width(cluster: str) -> int:
    return max(0, wcwidth.wcswidth(cluster))


# Controls, format, private use, surrogates, separators, unassigned and all that renderers ignore; then
# combining marks that would land on what stands before the text, or pile up over other lines.
_SUSPECT = regex.compile(
    r"[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Cn}\p{Default_Ignorable_Code_Point}"
    r"--\p{Prepended_Concatenation_Mark}]"
    r"|(?<![^\p{Cc}\p{Zl}\p{Zp}])\p{M}|(?<=\p{Mn}{8})\p{Mn}",
    regex.V1,
)
# A grapheme. Of a run of flags the pairs are told apart from its beginning: \X looks back through the whole
# run at each of them, and a text of nothing but flags would hold up whoever paints it.
CLUSTER = r"[\U0001F1E6-\U0001F1FF]{2}(?=[\U0001F1E6-\U0001F1FF])|\X"
_CLUSTER = regex.compile(CLUSTER)
_RIGHT_TO_LEFT = regex.compile(r"[\p{bc=R}\p{bc=AL}]")


def _shown(text: str, at: int, newlines: bool) -> str | None:
    """Return the mark for the character at an offset, None when it may stay."""
    character = text[at]
    if (character == "\n" and newlines) or belongs(text, at):
        return None
    return name_of(character)


class _Stops:
    """Fills tabs up to their stops; what was measured is not measured again."""

    def __init__(self, tab: int) -> None:
        self.tab = tab
        self.column = 0
        self.measured = 0

    def fill(self, parts: list[str]) -> str:
        """Return the blanks for a tab behind the parts so far, to be the next part."""
        _, feed, line = "".join(parts[self.measured :]).rpartition("\n")
        self.column = (0 if feed else self.column) + cell_width(Visible(line))
        blanks = self.tab - self.column % self.tab
        self.column += blanks
        self.measured = len(parts) + 1
        return " " * blanks
