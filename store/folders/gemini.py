"""Gemini CLI: the bullets under ``## Gemini Added Memories`` in a GEMINI.md that people write besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from store.folders import pieces
from store.folders.entry import Item, Reading, numbered, skipped
from store.folders.pieces import Lines
from store.records import MemoryType

SECTION = "## Gemini Added Memories"
_BULLETS = ("- ", "* ")


def read(data: bytes, path: str) -> Reading:
    """Read the added memories; a fact reaches to the next bullet, over blank lines and unindented text."""
    lines = pieces.lines(data)
    begin, end = _section(lines)
    if begin == end:
        return skipped("instructions without added memories")
    code = lines.code()
    starts = [
        at for at in range(begin, end) if not code[at] and lines.text[at].startswith(_BULLETS)
    ]
    entries = []
    for first, last in zip(starts, [*starts[1:], end], strict=False):
        while last > first + 1 and not lines.text[last - 1].strip():
            last -= 1
        content = _fact(lines.text[first:last])
        if content.strip():
            made = lines.entry(
                first, last, pieces.headline(content), content, pieces.text_part(content)
            )
            entries.append(replace(made, type=MemoryType.USER))
    return (
        Reading(numbered(entries)) if entries else skipped("its section of added memories is empty")
    )


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return GEMINI.md with the bullets of changed records replaced, and nothing else."""
    entries = {entry.part: entry for entry in read(data, path).entries}
    written = {
        part: pieces.changed(entries[part], item, bullet(item.content))
        for part, item in changes.items()
    }
    return pieces.replaced(data, entries.values(), written)


def bullet(content: str) -> str:
    """Return a text as one bullet: further lines are indented, so that none begins another."""
    first, *more = content.strip("\n").split("\n")
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in more)])


def _section(lines: Lines) -> tuple[int, int]:
    """Return the line range below the section's heading; empty when there is none."""
    code = lines.code()
    titles = [at for at, line in enumerate(lines.text) if line.strip() == SECTION and not code[at]]
    if not titles:
        return 0, 0
    begin = titles[0] + 1
    following = (
        at
        for at in range(begin, len(lines.text))
        if lines.text[at].startswith(("# ", "## ")) and not code[at]
    )
    return begin, next(following, len(lines.text))


def _fact(lines: tuple[str, ...]) -> str:
    first, *more = lines
    if all(line.startswith("  ") for line in more if line.strip()):
        more = [line[2:] for line in more]
    return "\n".join([first[2:], *more])
