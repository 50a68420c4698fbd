"""Painted lines lit after the fact: a stop, a letter to jump by, words that were searched for.

Nothing is painted anew for these: they change with every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import regex
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

STOP = "stop"
"""The key of style meta that holds the number of a stop."""


def stop_of(segment: Segment) -> int | None:
    """Return the number of the stop that a segment belongs to."""
    return segment.style.meta.get(STOP) if segment.style else None


def stop_lit(strip: Strip, stop: int, style: Style) -> Strip:
    """Return a line with the spans of a stop in a style."""
    segments = (
        Segment(s.text, (s.style or Style.null()) + style) if stop_of(s) == stop else s
        for s in strip
    )
    return Strip(segments, strip.cell_length)


def lettered(strip: Strip, letters: Mapping[int, str], style: Style) -> Strip:
    """Return a line with a letter in place of the first cell of each of some stops."""
    left = dict(letters)
    at = 0
    for segment in list(strip):
        stop = stop_of(segment)
        if stop in left:
            letter = Segment(left.pop(stop), style + Style.from_meta({STOP: stop}))
            strip = Strip.join([strip.crop(0, at), Strip([letter], 1), strip.crop(at + 1)])
        at += segment.cell_length
    return strip


def finder(words: Sequence[str]) -> regex.Pattern[str] | None:
    """Return what finds any of some words as they stand, whatever their case; None for no words."""
    if not words:
        return None
    longest_first = sorted(words, key=len, reverse=True)
    return regex.compile("|".join(map(regex.escape, longest_first)), regex.IGNORECASE)


def found_lit(strip: Strip, found: regex.Pattern[str], style: Style) -> Strip:
    """Return a line with all that is found in it in a style; a word may go on over segments."""
    spans = [match.span() for match in found.finditer(strip.text)]
    if not spans:
        return strip
    return Strip(_cut(strip, spans, style), strip.cell_length)


def _cut(strip: Strip, spans: Sequence[tuple[int, int]], style: Style) -> Iterator[Segment]:
    """Yield the segments cut at the ends of spans, given in characters of the line."""
    start = 0
    for segment in strip:
        text, end = segment.text, start + len(segment.text)
        at = 0
        for first, last in spans:
            low, high = max(first, start) - start, min(last, end) - start
            if low >= high:
                continue
            if at < low:
                yield Segment(text[at:low], segment.style)
            yield Segment(text[low:high], (segment.style or Style.null()) + style)
            at = high
        if at < len(text):
            yield Segment(text[at:], segment.style)
        start = end
