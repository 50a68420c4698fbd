"""The demo store: what a small ferry-booking team's agents remembered, to try the inbox on.

The records live in two YAML files beside this module. Everything about them is fixed but the moment
they are told from, so that screenshots and tests see the same store at any time of day.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import resources
from operator import itemgetter
from typing import Any

import yaml

from store.provider import Desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus

PROJECT_ROOT = "/home/maren/code/ferryline"
REVIEWER = "maren"
SESSIONS: Mapping[str, str] = {
    "monday": "01KB9FMWXH6QZJ3T5E8D0R2PAC",
    "gale": "01KB72CVN4Y8S1B6K9G3M5W7XQ",
    "harbour": "01K6Q2T8D5F0H3J6N9R1V4Y7ZB",
    "drifter": "01KB9D1P7K3M6Q9S2V5X8Z0B4E",
    "aiko": "01KB94R6T9W2Y5A8C1E3G6J0MN",
    "leila": "01KB92H5J8N1Q4S7V0X3Z6B9DF",
}

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
    origin = Origin(
        recorded_by=raw["by"],
        session_id=SESSIONS.get(raw.get("session", ""), ""),
        turn_id=raw.get("turn"),
        project_root=PROJECT_ROOT,
    )
    deleted = now - _age(raw["deleted"]) if "deleted" in raw else None
    return DemoRecord(raw["id"], new, origin, written, deleted, raw.get("revises", False))


def _age(text: str) -> timedelta:
    return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
