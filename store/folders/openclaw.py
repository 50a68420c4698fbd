"""Workspaces of OpenClaw and Apus agents: a long-term MEMORY.md and a log for each day, without frontmatter.

Both are taken apart at their headings; what stands before the first one is an entry too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import PurePosixPath

from store.folders import pieces
from store.folders.entry import Entry, Flag, Item, Reading, names, numbered, skipped
from store.folders.pieces import Lines
from store.folders.text import decode

DAY = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})(?:[-_ ].*)?")
# What sits in a workspace beside its memories: who the agent is and how it should behave.
BESIDE = frozenset(
    {
        "agents.md",
        "bootstrap.md",
        "heartbeat.md",
        "identity.md",
        "soul.md",
        "tools.md",
        "user.md",
        "readme.md",
    }
)
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<text>\S.*?)[ \t]*#*[ \t]*$")


def read(data: bytes, path: str) -> Reading:
    """Read a log or MEMORY.md as one entry a section."""
    if not decode(data).text.strip():
        return skipped("empty")
    lines = pieces.lines(data)
    day = DAY.fullmatch(PurePosixPath(path).stem)
    entries = [
        entry for first, last in _sections(lines) if (entry := _entry(lines, first, last, path))
    ]
    if day:
        entries = [_dated(entry, day["day"], alone=len(entries) == 1) for entry in entries]
    if not entries:
        return skipped("nothing but headings")
    return Reading(numbered(entries))


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return the file with the sections of changed records replaced."""
    entries = {entry.part: entry for entry in read(data, path).entries}
    written = {
        part: pieces.changed(entries[part], item, item.content.rstrip("\n"))
        for part, item in changes.items()
    }
    return pieces.replaced(data, entries.values(), written)


def _sections(lines: Lines) -> list[tuple[int, int]]:
    """Return the line ranges of the sections: cut at the shallowest heading level that comes twice.

    A single heading of the first level is the file's title, and no section.
    """
    code = lines.code()
    headings = [
        (at, len(match["marks"]))
        for at, line in enumerate(lines.text)
        if not code[at]
        and line.lstrip(" ")[:1] == "#"
        and len(line) < 1000
        and (match := _HEADING.match(line))
    ]
    levels = [level for _, level in headings]
    level = min((level for level in levels if levels.count(level) > 1 or level > 1), default=7)
    cuts = [
        at
        for at, found in headings
        if found <= level and not (found < level and at == headings[0][0])
    ]
    edges = [0, *cuts, len(lines.text)]
    return [(first, last) for first, last in pairwise(edges) if first < last]


def _entry(lines: Lines, first: int, last: int, path: str) -> Entry | None:
    """Return the entry of a section, None for one that says nothing beyond its heading."""
    while last > first and not lines.text[last - 1].strip():
        last -= 1
    while first < last and not lines.text[first].strip():
        first += 1
    said = [
        line for line in lines.text[first:last] if line.strip() and not _HEADING.match(line[:1000])
    ]
    if not said:
        return None
    content = "\n".join(lines.text[first:last]) + "\n"
    match = _HEADING.match(lines.text[first][:1000])
    title = match["text"] if match else PurePosixPath(path).stem
    made = lines.entry(first, last, title, content, part=title[:200])
    return (
        made
        if match
        else made.bent(Flag.ASSUMED, "it has no heading: the file's name is its title")
    )


def _dated(entry: Entry, day: str, alone: bool) -> Entry:
    """Put a log's day into an entry's title and times: "Deploy" means nothing a week later."""
    moment: datetime | None
    try:
        moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
    except ValueError:
        moment = None
    title = entry.title if day in entry.title else f"{day} {entry.title}"
    aliases = names(entry.title, *([day] if alone else []), but=title)
    return replace(entry, title=title, aliases=aliases, created_at=moment, updated_at=moment)
