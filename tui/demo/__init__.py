"""The demo store: what a small ferry-booking team's agents remembered, to try the inbox on.

The records live in two YAML files beside this module. Everything about them is fixed but the moment
they are told from, so that screenshots and tests see the same store at any time of day.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from importlib import resources
from operator import itemgetter
from typing import Any

import yaml
from ulid import ULID

from store.provider import Desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus

PROJECT_ROOT = "/home/maren/code/ferryline"
REVIEWER = "maren"
SESSIONS: Mapping[str, timedelta] = {
    "monday": timedelta(hours=9),
    "aiko": timedelta(hours=4),
    "leila": timedelta(hours=7),
    "gale": timedelta(days=20),
    "drifter": timedelta(days=7),
    "harbour": timedelta(days=62),
}
"""The sessions that wrote, and how long ago each began."""

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_DELETER = "memory.forget"


@dataclass(frozen=True, slots=True)
class DemoRecord:
    """One record of the demo: when it was written, and when it was deleted if it was."""

    id: str
    new: NewRecord
    origin: Origin
    written: datetime
    deleted: datetime | None = None
    revises: bool = False


def fill(desk: Desk, now: datetime, at: Callable[[datetime], None] = lambda moment: None) -> None:
    """Write the demo into an empty store, in the order in which it happened.

    Args:
        desk: an open desk on the store to fill.
        now: the moment that all ages count back from; aware UTC.
        at: told the time of each write before it happens, for stores whose clock can be set.

    Raises:
        MemoryError: what the store raises on a write.
    """
    steps: list[tuple[datetime, Callable[[], object]]] = []
    for item in canonical(now):
        steps.append((item.written, partial(_approved, desk, item)))
        if item.deleted is not None:
            origin = Origin(recorded_by=_DELETER)
            steps.append((item.deleted, partial(desk.delete_record, item.id, origin)))
    steps += [(item.written, partial(_drafted, desk, item)) for item in drafts(now)]
    for moment, step in sorted(steps, key=itemgetter(0)):
        at(moment)
        step()
    at(now)


def _approved(desk: Desk, item: DemoRecord) -> None:
    desk.write(item.new, item.origin, RecordStatus.CANONICAL)


def _drafted(desk: Desk, item: DemoRecord) -> None:
    if item.revises:
        desk.update_record(item.id, item.new.content, item.new.title, item.origin)
    else:
        desk.write(item.new, item.origin, RecordStatus.PENDING)


def canonical(now: datetime) -> tuple[DemoRecord, ...]:
    """Return the approved records of the demo, told from ``now``."""
    return _load("canonical.yaml", now)


def drafts(now: datetime) -> tuple[DemoRecord, ...]:
    """Return the drafts of the demo, newest first, told from ``now``."""
    return _load("drafts.yaml", now)


def _load(name: str, now: datetime) -> tuple[DemoRecord, ...]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tuple(_record(raw, now.astimezone(UTC)) for raw in yaml.safe_load(text))


def _record(raw: Mapping[str, Any], now: datetime) -> DemoRecord:
    written = now - _age(raw["age"])
    new = NewRecord(
        # A revision keeps the type and scope of what it revises: these two are then not written.
        type=MemoryType(raw.get("type", "reference")),
        scope=MemoryScope(raw.get("scope", "project")),
        title=raw["title"],
        content=raw["content"].rstrip("\n"),
        id=raw["id"],
        summary=raw.get("summary", ""),
        aliases=tuple(raw.get("alias", ())),
        created_at=written,
        updated_at=written,
    )
    session = raw.get("session", "")
    origin = Origin(
        recorded_by=raw["by"],
        session_id=_ulid(now - SESSIONS[session], session) if session else "",
        turn_id=_ulid(written, raw["id"]) if session else None,
        project_root=PROJECT_ROOT,
    )
    deleted = now - _age(raw["deleted"]) if "deleted" in raw else None
    return DemoRecord(raw["id"], new, origin, written, deleted, raw.get("revises", False))


def _ulid(moment: datetime, name: str) -> str:
    """Return a ULID of a moment whose random part is always the same for a name."""
    milliseconds = int(moment.timestamp() * 1000).to_bytes(6, "big")
    return str(ULID(milliseconds + sha256(name.encode()).digest()[:10]))


def _age(text: str) -> timedelta:
    return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
