"""Where the objects of a JSON text begin and end, so that one can be changed without touching the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from store.folders.entry import Entry, file_hash
from store.folders.text import Text, encode

_DECODER = json.JSONDecoder()
_ESCAPED = re.compile(r"\\u(?!00[0-7])")  # of more than control characters, which everybody escapes
_COMMA = re.compile(r"\s*,\s*")
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Span:
    """A value with the characters it takes up."""

    start: int
    end: int
    value: object


def value_at(text: str, at: int) -> Span:
    """Return the value that begins at or after a position.

    Raises:
        ValueError: there is no JSON value.
    """
    start = _skip(text, at)
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return Span(start, end, value)


def elements(text: str, at: int) -> Iterator[Span]:
    """Yield the elements of the array that begins at ``at``."""
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        element = value_at(text, at)
        yield element
        at = _skip(text, element.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "]":
            raise ValueError("an array does not go on")


def members(text: str, at: int) -> Iterator[tuple[str, Span]]:
    """Yield the members of the object that begins at ``at``."""
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        key = value_at(text, at)
        at = _skip(text, key.end)
        if text[at : at + 1] != ":":
            raise ValueError("an object does not go on")
        value = value_at(text, at + 1)
        yield str(key.value), value
        at = _skip(text, value.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "}":
            raise ValueError("an object does not go on")


def like(old: str, value: object) -> str:
    """Write a value in the manner of the text it replaces: its indentation, separators and escapes."""
    ascii_only = "\\u" in old or (
        old.isascii() and not json.dumps(value, ensure_ascii=False).isascii()
    )
    if "\n" in old.strip():
        inner = re.search(r"\n([ \t]+)\S", old)
        outer = re.search(r"\n([ \t]*)[}\]]$", old)
        depth = len(outer[1]) if outer else 0
        step = max(len(inner[1]) - depth, 1) if inner else 2
        fill = "\t" if inner and "\t" in inner[1] else " " * step
        dumped = json.dumps(value, ensure_ascii=ascii_only, indent=fill)
        margin = outer[1] if outer else ""
        return dumped.replace("\n", "\n" + margin)
    tight = '": ' not in old
    separators = (",", ":") if tight else (", ", ": ")
    return json.dumps(value, ensure_ascii=ascii_only, separators=separators)


def extension(text: str, key: str, written: list[str]) -> tuple[int, int, str]:
    """Return the edit (start, end, new text) that adds elements to an array of the one object of a text.

    Args:
        key: the array's; it is added where the object has none.
        written: the new elements as JSON.
    """
    whole = value_at(text, 0)
    for name, member in members(text, whole.start):
        if name == key:
            return after_last(text, member.start, written)
    at = whole.end - 1
    joint = ", " if whole.value else ""
    return at, at, f'{joint}"{key}": [{", ".join(written)}]'


def after_last(text: str, at: int, written: list[str]) -> tuple[int, int, str]:
    """Return the edit that adds elements to the array that begins at ``at``, set out as the last one is."""
    spans = list(elements(text, at))
    if not spans:
        return at + 1, at + 1, ", ".join(written)
    margin = text[text.rfind("\n", 0, spans[-1].start) + 1 : spans[-1].start]
    joint = ", " if margin.strip() or "\n" not in text[at : spans[-1].start] else f",\n{margin}"
    return spans[-1].end, spans[-1].end, "".join(joint + one for one in written)


def without(before: str, after: str, wrapped: bool) -> tuple[int, str]:
    """Return how much is kept of what stands before an object that goes, and what is kept of what follows.

    Args:
        wrapped: whether it is an element of an array, and not on a line of its own.
    """
    if not wrapped:
        return len(before), after.removeprefix("\n")
    if comma := _COMMA.match(after):
        return len(before), after[comma.end() :]
    bare = before.rstrip()
    return (len(bare) - 1 if bare.endswith(",") else len(before)), after


class Offsets:
    """Byte offsets of character offsets, each counted on from the one asked for before."""

    def __init__(self, text: str, newline: str, bom: int) -> None:
        self._text = text
        self._newline = newline
        self._known = {0: bom}
        self._last = 0

    def at(self, position: int) -> int:
        """Return the byte offset of a character offset."""
        if position not in self._known:
            begin = self._last if self._last < position else 0
            size = len(encode(self._text[begin:position], self._newline))
            self._known[position] = self._known[begin] + size
        self._last = position
        return self._known[position]

    def located(self, entry: Entry, spans: list[Span], text: Text) -> Entry:
        """Return an entry with its bytes and where they are; a text that lost bytes has no offsets."""
        spans = sorted(spans, key=lambda span: span.start)
        raw = b"".join(encode(text.text[span.start : span.end], text.newline) for span in spans)
        places = [(self.at(span.start), self.at(span.end)) for span in spans] if text.exact else []
        return replace(
            entry,
            newline=text.newline,
            raw=raw,
            spans=tuple(places),
            notes=(*text.notes, *entry.notes),
            hash=file_hash(raw),
        )


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
