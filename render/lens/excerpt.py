"""A line's worth of text around a span, to be shown with a finding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from render.lens.finding import Finding
from render.lens.secrets import RULE as SECRETS

_LINE = 72  # characters of an excerpt
_BEFORE = 12  # characters kept before the span


def with_excerpts(found: Iterable[Finding], text: str) -> list[Finding]:
    """Return findings about a text with the text around them, where a rule has not said better.

    No excerpt shows a secret, whichever rule it belongs to.
    """
    kept = list(found)
    parts: list[str] = []
    done = 0
    for start, end in sorted((f.start, f.end) for f in kept if f.rule == SECRETS):
        if start >= done:
            parts += [text[done:start], "•" * (end - start)]
            done = end
    shown = "".join([*parts, text[done:]])
    return [f if f.excerpt else replace(f, excerpt=_around(shown, f.start, f.end)) for f in kept]


def _around(text: str, start: int, end: int) -> str:
    """Return text from shortly before a span, cut to a line's length; ``…`` stands where it is cut."""
    first = max(0, min(start - _BEFORE, len(text)))
    last = max(end + _BEFORE, first + 1)
    if text[start:end].isspace():  # what stands behind a run of blanks is what counts
        first, last = end, end + _LINE
    last = min(len(text), last, first + _LINE)
    head, tail = "…" if first else "", "…" if last < len(text) else ""
    return f"{head}{text[first:last]}{tail}"
