"""What a format module hands over: entries, with notes on everything that had to be bent."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from store.records import MemoryScope, MemoryType


class Flag(StrEnum):
    """How an entry had to be bent to be taken."""

    LENIENT = "lenient"  # malformed for its own format, and recovered
    ENCODING = "encoding"  # bytes that are not the text shown; the original bytes are kept
    ASSUMED = "assumed"  # the file does not say, so a default was taken


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that a report says about an entry."""

    flag: Flag
    what: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory found in a file.

    ``part`` names the entry within a file of several and is empty where the file is one memory. It stays
    the same when other entries come and go. ``spans`` are the byte ranges of the file that are this entry's
    alone; what lies outside every span belongs to the file. ``head`` and ``newline`` lead from the
    content back to the bytes: ``head + content``, line ends replaced, unless ``raw`` is kept because
    that would not give the bytes back.
    """

    title: str
    content: str
    part: str = ""
    type: MemoryType | None = None
    scope: MemoryScope | None = None
    id: str | None = None  # only where the file itself states one
    summary: str = ""
    aliases: tuple[str, ...] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    source_session_id: str = ""
    head: bytes = b""
    newline: str = "\n"
    raw: bytes | None = None
    spans: tuple[tuple[int, int], ...] = ()
    notes: tuple[Note, ...] = ()
    hash: str = ""

    def bent(self, flag: Flag, what: str) -> Entry:
        """Return the entry with one more note."""
        return replace(self, notes=(*self.notes, Note(flag, what)))


@dataclass(frozen=True, slots=True)
class Refused:
    """A piece of a file that could not be taken, kept verbatim."""

    line: int  # from 1
    verbatim: str
    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one file gave. ``why`` says why it holds no memory, where it has no entries.

    ``proper`` tells a file that rightly holds none (an index, an empty file) from one that should have.
    """

    entries: tuple[Entry, ...] = ()
    refused: tuple[Refused, ...] = ()
    why: str = ""
    proper: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """A record on its way into a file: what a writer may use."""

    id: str
    title: str
    content: str
    type: MemoryType
    scope: MemoryScope
    summary: str = ""
    source_session_id: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    aliases: tuple[str, ...] = field(default=())


def file_hash(data: bytes) -> str:
    """Return the SHA-256 of an entry's bytes, in hex: what "the same text as last read" means."""
    return hashlib.sha256(data).hexdigest()


def names(*candidates: str, but: str = "") -> tuple[str, ...]:
    """Return the distinct non-empty names, in order, without ``but`` (the title, a name anyway)."""
    return tuple(dict.fromkeys(name for name in candidates if name.strip() and name != but))


def skipped(why: str) -> Reading:
    """Return the reading of a file that rightly gives no memory."""
    return Reading(why=why)


def unreadable(why: str) -> Reading:
    """Return the reading of a file that should give a memory and does not."""
    return Reading(why=why, proper=False)


def numbered(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Give equal parts of one file a running number, so that each entry has an identity of its own."""
    seen: dict[str, int] = {}
    out: list[Entry] = []
    for entry in entries:
        count = seen[entry.part] = seen.get(entry.part, 0) + 1
        out.append(entry if count == 1 else replace(entry, part=f"{entry.part}#{count}"))
    return tuple(out)
