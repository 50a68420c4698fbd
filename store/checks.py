"""What may be stored: checks of everything that a caller hands in, with errors that say what to do."""

from __future__ import annotations

import unicodedata
from dataclasses import astuple

from store.errors import InvalidArgument, InvalidScope, InvalidType, NotFound
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecallRequest

ID_LENGTH = 80  # characters, any suffix included
NAME_LENGTH = 500  # characters; four bytes each stay under PostgreSQL's limit for an index entry
SUMMARY_LENGTH = 8_000
PATH_BYTES = 2_000  # under PostgreSQL's limit, too
ALIASES = 100


def memory_type(value: str) -> MemoryType:
    """Return the type, or raise InvalidType with those that exist."""
    try:
        return MemoryType(value)
    except ValueError:
        raise InvalidType(
            f"there is no memory type {value!r}", hint=f"Types: {', '.join(MemoryType)}."
        ) from None


def memory_scope(value: str) -> MemoryScope:
    """Return the scope, or raise InvalidScope with those that exist."""
    try:
        return MemoryScope(value)
    except ValueError:
        raise InvalidScope(
            f"there is no scope {value!r}", hint=f"Scopes: {', '.join(MemoryScope)}."
        ) from None


def text(what: str, value: str) -> str:
    """Return a text that every engine can keep and give back unchanged.

    Raises:
        InvalidArgument: it holds a NUL (which PostgreSQL cannot keep) or half of a surrogate pair (which
            no encoding has).
    """
    if "\0" in value:
        raise InvalidArgument(
            f"{what} holds a NUL character", hint="Take U+0000 out, or write it as ␀."
        )
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidArgument(f"{what} holds half a character (a lone surrogate)") from None
    return value


def content(value: str, limit: int) -> str:
    """Return a record's text; InvalidArgument beyond ``limit`` UTF-8 bytes. Empty text is a text."""
    size = len(text("the text", value).encode())
    if size > limit:
        raise InvalidArgument(
            f"the text is {size:,} bytes long, a memory holds at most {limit:,}",
            hint="Split it, or keep it in a file and remember where that is.",
        )
    return value


def name(what: str, value: str) -> str:
    """Return a title, alias or suggested id; InvalidArgument when it is too long to be one."""
    if len(text(what, value)) > NAME_LENGTH:
        raise InvalidArgument(
            f"{what} is {len(value)} characters long, at most {NAME_LENGTH} are taken",
            hint="Put the rest into the text.",
        )
    return value


def title(value: str, body: str, fallback: str) -> str:
    """Return a title; for a blank one the first line with a word, else the fallback."""
    if value.strip():
        return name("the title", value)
    for line in body.splitlines():
        words = line.strip().lstrip("#").strip()
        if any(char.isalnum() for char in words):
            return words[:80].rstrip()
    return fallback


def new_record(new: NewRecord, limit: int) -> None:
    """Check all of a new record but its title; raises as the functions above.

    Args:
        limit: of its text, in UTF-8 bytes.
    """
    memory_type(new.type)
    memory_scope(new.scope)
    content(new.content, limit)
    name("the id", new.id or "")  # kept as a name where it is not what the record is called
    if len(text("the summary", new.summary)) > SUMMARY_LENGTH:
        raise InvalidArgument(f"the summary is longer than {SUMMARY_LENGTH:,} characters")
    if len(new.aliases) > ALIASES:
        raise InvalidArgument(f"a record has at most {ALIASES} aliases")
    for alias in new.aliases:
        name("an alias", alias)


def origin(value: Origin) -> Origin:
    """Return who writes from where; InvalidArgument where a part of it cannot be kept or is too long."""
    _id("who records", value.recorded_by)
    for id in (value.session_id, value.source_session_id, value.turn_id or ""):
        _id("the id of the session or turn", id)
    if len(text("the project's directory", value.project_root).encode()) > PATH_BYTES:
        raise InvalidArgument(f"the project's directory is longer than {PATH_BYTES:,} bytes")
    if value.audience is not None:
        for id in astuple(value.audience):
            _id("the id of the agent or conversation", id)
    return value


def _id(what: str, value: str) -> None:
    if len(text(what, value)) > NAME_LENGTH:
        raise InvalidArgument(
            f"{what} is {len(value):,} characters long, at most {NAME_LENGTH} are taken"
        )


def turn(value: RecallRequest) -> None:
    """Check that what a turn says of itself can be looked up; raises as `text`. Its query may be any text."""
    text("the session's id", value.session_id)
    text("the model's id", value.model)
    text("the working directory", value.working_directory)


def record_id(value: str) -> str:
    """Return an id as ids are stored (NFC); NotFound for one that no record can have."""
    id = value if value.isascii() else unicodedata.normalize("NFC", value)
    if not 0 < len(id) <= ID_LENGTH or not id.isprintable():
        raise NotFound.record(value)
    return id
