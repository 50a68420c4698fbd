"""Rule ``hidden-characters``: characters that a reader does not see but a model reads.

What is hidden is what `render.visible` marks, so the painter's marks and the warnings never disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import regex

from render.lens.finding import Finding, Severity
from render.visible import reveal

RULE = "hidden-characters"

_MANY_VARIANTS = 12  # variation selectors after ideographs, more than names in a text would need
_VARIANTS = regex.compile(r"(?<=\p{Unified_Ideograph})[\U000E0100-\U000E01EF]")
_RIGHT_TO_LEFT = regex.compile(r"[\p{bc=R}\p{bc=AL}]")


class _Kind(NamedTuple):
    characters: regex.Pattern[str]
    severity: Severity
    reason: str


def _kind(characters: str, severity: Severity, reason: str) -> _Kind:
    return _Kind(regex.compile(rf"(?:{characters})+", regex.V1), severity, reason)


_ORDER_MARKS = "\u200e\u200f\u061c"
_KINDS = (
    _kind("[\U000e0000-\U000e007f]", Severity.DANGER, "a message in tag characters"),
    _kind(r"[\x1b\x9b\x90\x9d\x9e\x9f]", Severity.DANGER, "a terminal control sequence"),
    _kind("[\u202a-\u202e\u2066-\u2069]", Severity.DANGER, "controls that reorder what is shown"),
    _kind(
        "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}", Severity.DANGER, "data in variation selectors"
    ),
    _kind(
        "[\u200b-\u200d\u2060-\u2064\ufeff]{4,}", Severity.DANGER, "data in zero-width characters"
    ),
    _kind(f"[{_ORDER_MARKS}]", Severity.NOTE, "marks of writing direction"),
    _kind("\u00ad(?!\u00ad)", Severity.NOTE, "a soft hyphen"),
    _kind(r"\p{Co}{1,3}(?!\p{Co})", Severity.NOTE, "private characters, an icon perhaps"),
    _kind(
        r"(?<![\p{L}\p{N}\ufe0f])\ufe0f(?!\ufe0f)",
        Severity.NOTE,
        "an emoji selector that selects nothing",
    ),
    _kind("[\u200b-\u200d\u2060-\u2064\ufeff\u180e]", Severity.WARNING, "zero-width characters"),
    _kind(r"\p{Cc}", Severity.WARNING, "control characters"),
    _kind(r"\p{M}", Severity.WARNING, "combining marks that pile up or have no base"),
    _kind(".", Severity.WARNING, "characters that do not show"),
)


def hidden(text: str) -> Iterator[Finding]:
    """Yield a finding for each run of characters that do not show, and for smuggling by variants."""
    for start, end in _runs(text):
        while start < end:
            kind, stop = _kind_at(text, start, end)
            severity = kind.severity
            if kind.characters.fullmatch("\u200e") and not _RIGHT_TO_LEFT.search(text):
                severity = Severity.WARNING  # no letters here whose direction needs a mark
            if start == 0 and text[0] == "\ufeff" and stop == 1:
                severity = Severity.NOTE  # a byte order mark that an import left
            yield Finding(RULE, severity, kind.reason, start, stop, _spelled(text[start:stop]))
            start = stop
    variants = list(_VARIANTS.finditer(text))
    if len(variants) > _MANY_VARIANTS:
        first, last = variants[0].start(), variants[-1].end()
        reason = "many ideographic variants, which can carry data"
        yield Finding(RULE, Severity.WARNING, reason, first, last)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of marked characters; a CR that ends a line is none."""
    start = end = -1
    for mark in reveal(text, newlines=True, tab=1).marks:
        if text[mark.raw : mark.raw + 2] == "\r\n":
            continue
        if mark.raw != end:
            if end > 0:
                yield start, end
            start = mark.raw
        end = mark.raw + 1
    if end > 0:
        yield start, end


def _kind_at(text: str, start: int, end: int) -> tuple[_Kind, int]:
    for kind in _KINDS:
        found = kind.characters.match(text, start, end)
        if found:
            return kind, found.end()
    return _KINDS[-1], start + 1  # a character that no pattern takes alone


def _spelled(run: str) -> str:
    """Return the message that tag characters spell, empty for other characters."""
    return "".join(
        chr(ord(character) - 0xE0000)
        for character in run
        if "\U000e0020" <= character <= "\U000e007e"
    )
