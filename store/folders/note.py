"""What all formats of one memory a file share: decode, take the frontmatter off, keep the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath

from store.folders.entry import Entry, Flag, Note, file_hash
from store.folders.frontmatter import Frontmatter, set_field, split
from store.folders.text import Text, decode, encode, patch
from store.records import MemoryScope, MemoryType


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file read as far as every format reads it alike."""

    data: bytes
    text: Text
    front: Frontmatter

    @property
    def blank(self) -> bool:
        """Whether the file says nothing at all."""
        return not self.text.text.strip()

    @property
    def hollow(self) -> bool:
        """Whether there is nothing after the frontmatter."""
        return not self.front.body.strip()


def parse(data: bytes) -> Parsed:
    """Read a file's bytes as text with frontmatter."""
    text = decode(data)
    return Parsed(data, text, split(text.text))


def entry(parsed: Parsed, title: str) -> Entry:
    """Return the entry of a whole file, with the way back to its bytes and its notes.

    A file whose frontmatter is all there is gives its description (else its title) as the text.
    """
    content = parsed.front.body
    notes = [*parsed.text.notes, *(Note(Flag.LENIENT, what) for what in parsed.front.bent)]
    if parsed.hollow:
        content = parsed.front.text("description", "summary") or title
        notes.append(Note(Flag.LENIENT, "there is no text; the description stands in for it"))
    return Entry(
        title=title,
        content=content,
        head=parsed.text.bom + encode(parsed.front.head, parsed.text.newline),
        newline=parsed.text.newline,
        raw=None if parsed.text.exact and not parsed.hollow else parsed.data,
        spans=((0, len(parsed.data)),),
        notes=tuple(notes),
        hash=file_hash(parsed.data),
    )


def rewrite(data: bytes, content: str, changes: Mapping[str, str]) -> bytes:
    """Return a file's bytes with another body and other top-level fields; all else stays as it was.

    Args:
        data: the file as it is.
        content: the body to write; one that reads as before leaves the body's bytes alone.
        changes: frontmatter fields to set.
    """
    parsed = parse(data)
    head, body = parsed.front.head, parsed.front.body
    if changes and not head:
        head = "---\n---\n\n"
    for key, value in changes.items():
        head = set_field(head, key, value)
    if not (parsed.hollow and content == entry(parsed, "").content):
        body = content
    if not parsed.text.exact:
        return patch(data, head + body)
    return parsed.text.bom + encode(head + body, parsed.text.newline)


def stem(path: str) -> str:
    """Return a file's name without its suffix: a name that links use."""
    return PurePosixPath(path).stem


def as_type(word: str) -> MemoryType | None:
    """Return the memory type that a word names, None for any of the forty others in use."""
    try:
        return MemoryType(word.strip().lower())
    except ValueError:
        return None


def as_scope(word: str) -> MemoryScope | None:
    """Return the scope that a word names, if it does."""
    try:
        return MemoryScope(word.strip().lower())
    except ValueError:
        return None


def as_time(word: str) -> datetime | None:
    """Return the time that an ISO 8601 text or a number of seconds names; naive times are UTC."""
    word = word.strip()
    try:
        moment = datetime.fromisoformat(word)
    except ValueError:
        try:
            moment = datetime.fromtimestamp(float(word), UTC)
        except (ValueError, OverflowError, OSError):
            return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None
