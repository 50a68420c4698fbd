"""Files of several memories: which lines are whose, in text and in bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from store.folders.entry import Entry, Item, file_hash
from store.folders.text import decode, decode_line, encode, patch

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARKS = re.compile(r"^(?:[#>*+\-\s]|\d+[.)])+|[*_`]+")
_HEADLINE = 80


@dataclass(frozen=True, slots=True)
class Lines:
    """A file as lines: ``text`` without line ends, ``starts`` with the byte each begins at and the end."""

    data: bytes
    text: tuple[str, ...]
    starts: tuple[int, ...]
    newline: str

    def code(self) -> tuple[bool, ...]:
        """Say of each line whether it is in a fenced code block, the fences included."""
        inside = ""
        flags = []
        for line in self.text:
            mark = _FENCE.match(line)
            if inside:
                flags.append(True)
                if mark and mark[1].startswith(inside) and not line.strip().strip(inside[0]):
                    inside = ""
            else:
                inside = mark[1] if mark else ""
                flags.append(bool(mark))
        return tuple(flags)

    def entry(self, first: int, last: int, title: str, content: str, part: str) -> Entry:
        """Return the entry of the lines ``first`` up to ``last``; its bytes end before the last line end."""
        begin, end = self.starts[first], self.starts[last]
        while end > begin and self.data[end - 1 : end] in (b"\n", b"\r"):
            end -= 1
        raw = self.data[begin:end]
        notes = tuple(note for note in decode(raw).notes if "line ends" not in note.what)
        return Entry(
            title=title,
            content=content,
            part=part,
            newline=self.newline,
            raw=raw,
            spans=((begin, end),),
            notes=notes,
            hash=file_hash(raw),
        )


def lines(data: bytes) -> Lines:
    """Take a file apart at its line ends; text in two-byte units comes as one line."""
    whole = decode(data)
    mark = b"\r" if whole.newline == "\r" else b"\n"
    if any(note.what.startswith("UTF-16") for note in whole.notes):
        return Lines(data, (whole.text,), (0, len(data)), whole.newline)
    body = data[len(whole.bom) :]
    starts = [len(whole.bom)]
    text: list[str] = []
    for raw in body.split(mark):
        starts.append(starts[-1] + len(raw) + 1)
        text.append(decode_line(raw).removesuffix("\r" if mark == b"\n" else ""))
    starts[-1] = len(data)
    return Lines(data, tuple(text), tuple(starts), whole.newline)


def headline(content: str) -> str:
    """Return a title for an entry without one: the start of its first line with words, cut between words."""
    for line in content.split("\n"):
        bare = _MARKS.sub("", line[: _HEADLINE * 4]).strip()
        if any(char.isalnum() for char in bare):
            if len(bare) <= _HEADLINE:
                return bare
            cut = bare[:_HEADLINE]
            return (cut.rsplit(" ", 1)[0] if " " in cut[_HEADLINE // 2 :] else cut).rstrip(
                " ,.;:"
            ) + "…"
    return ""


def text_part(content: str) -> str:
    """Return the part of an entry that nothing names: by its text, so that others may come and go."""
    return "~" + file_hash(encode(content))[:12]


def replaced(data: bytes, entries: Iterable[Entry], written: Mapping[str, bytes]) -> bytes:
    """Return a file with the bytes of some parts replaced, the others and all between as they were."""
    out: list[bytes] = []
    at = 0
    for entry in sorted(entries, key=lambda entry: entry.spans):
        if entry.part in written:
            ((begin, end),) = entry.spans
            out += [data[at:begin], written[entry.part]]
            at = end
    return b"".join([*out, data[at:]])


def changed(entry: Entry, item: Item, shown: str) -> bytes:
    """Return an entry's bytes for a changed text, its untouched lines as they were.

    Args:
        entry: as read from the file.
        item: the record.
        shown: the record's text as it stands in a file of the format.
    """
    assert entry.raw is not None  # noqa: S101 - entries of several always keep their bytes
    if item.content == entry.content:
        return entry.raw
    piece = decode(entry.raw)
    if piece.exact:
        return encode(shown, piece.newline if "\n" in piece.text else entry.newline)
    return patch(entry.raw, shown)
