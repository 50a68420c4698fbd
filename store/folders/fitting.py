"""Entries as they fit into the store: over-long names cut, odd characters replaced, times filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from store.checks import ALIASES, NAME_LENGTH, SUMMARY_LENGTH
from store.folders.belongs import Belongs
from store.folders.entry import Entry, Flag, Reading, file_hash
from store.folders.skeleton import cut
from store.records import MemoryScope, MemoryType, NewRecord, Origin
from store.sources import given_hash

_UNKEEPABLE = re.compile(r"[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Target:
    """Where what is imported goes.

    Args:
        belongs: the project of the folder, if any.
        scope: overrides what the files and the folder say.
    """

    belongs: Belongs
    scope: MemoryScope | None = None

    def scope_of(self, entry: Entry) -> MemoryScope:
        """Return an entry's scope: as told, as its file says, or by where the folder belongs."""
        if self.scope or entry.scope:
            return self.scope or entry.scope or MemoryScope.GLOBAL
        if self.belongs.root or self.belongs.unknown:
            return MemoryScope.PROJECT
        return MemoryScope.GLOBAL

    def origin(self, entry: Entry, format: str) -> Origin:
        """Return the origin of an entry's record."""
        scope = self.scope_of(entry)
        return Origin(
            recorded_by=f"import:{format}",
            session_id=entry.source_session_id if scope is MemoryScope.SESSION else "",
            project_root=self.belongs.root if scope is MemoryScope.PROJECT else "",
            source_session_id=entry.source_session_id,
        )


def fit(entry: Entry, path: str) -> Entry:
    """Return an entry that the store can keep, with a note on whatever had to give."""
    title, summary = _keepable(entry.title).strip(), _keepable(entry.summary)
    fitted = replace(
        entry,
        title=_cut(title, NAME_LENGTH) or PurePosixPath(path).stem[:NAME_LENGTH],
        content=_keepable(entry.content),
        summary=_cut(summary, SUMMARY_LENGTH),
        aliases=tuple(_keepable(name) for name in entry.aliases if len(name) <= NAME_LENGTH)[
            :ALIASES
        ],
        source_session_id=_keepable(entry.source_session_id)[:NAME_LENGTH],
        part=_keepable(entry.part),
    )
    if len(title) > NAME_LENGTH:
        fitted = fitted.bent(Flag.LENIENT, f"its name has {len(title)} characters and was cut")
    if len(summary) > SUMMARY_LENGTH:
        fitted = fitted.bent(
            Flag.LENIENT, f"its description has {len(summary)} characters and was cut"
        )
    if fitted.content != entry.content:
        fitted = fitted.bent(
            Flag.ENCODING, "characters that no database keeps are shown as symbols"
        )
    if entry.type is None:
        fitted = fitted.bent(Flag.ASSUMED, "it states no memory type: project was assumed")
    return fitted


def new_record(entry: Entry, target: Target, mtime: float) -> NewRecord:
    """Return the record of a fitted entry; its times are its own, else the file's.

    Args:
        mtime: of the file, in seconds since the epoch.
    """
    updated = entry.updated_at or datetime.fromtimestamp(mtime, UTC)
    return NewRecord(
        type=entry.type or MemoryType.PROJECT,
        scope=target.scope_of(entry),
        title=entry.title,
        content=entry.content,
        id=_keepable(entry.id) if entry.id else None,
        summary=entry.summary,
        aliases=entry.aliases,
        created_at=min(entry.created_at or updated, updated),
        updated_at=updated,
    )


def source_facts(entry: Entry, format: str, mtime: float) -> dict[str, Any]:
    """Return what is kept of a fitted entry's source, besides its record and place.

    Args:
        mtime: of the file, in seconds since the epoch.
    """
    return {
        "format": format,
        "file_hash": entry.hash,
        "head": entry.head,
        "raw": entry.raw,
        "newline": entry.newline,
        "mtime_us": int(mtime * 1_000_000),
        "given": given_hash(entry.title, entry.summary, entry.content),
    }


def layout_facts(data: bytes, reading: Reading, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return what is kept of a file of several besides its entries.

    ``given`` is its hash. ``file_hash``, by which it is passed over the next time, is not where something was
    refused: the report has to say so each time.

    Args:
        entries: those of the reading, fitted.
    """
    hash = file_hash(data)
    return {
        "file_hash": "" if reading.refused else hash,
        "given": hash,
        "raw": cut(data, entries),
        "gone": False,
    }


def _keepable(text: str) -> str:
    return _UNKEEPABLE.sub(lambda odd: "␀" if odd[0] == "\0" else "\ufffd", text)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
