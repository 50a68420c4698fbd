"""Short ways to say what a test records."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config

from store.engine import Database
from store.local import LocalDesk
from store.location import claim, resolve
from store.migrations import MIGRATIONS
from store.records import (
    LinkClass,
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    RecordStatus,
)

AGENT = Origin(recorded_by="memory.remember", session_id="s1", turn_id="t1")


def new(
    title: str,
    content: str = "text",
    *,
    id: str | None = None,
    aliases: tuple[str, ...] = (),
    type: MemoryType = MemoryType.PROJECT,
    scope: MemoryScope = MemoryScope.GLOBAL,
) -> NewRecord:
    return NewRecord(type, scope, title, content, id=id, aliases=aliases)


def draft(desk: LocalDesk, title: str, content: str = "text", **more: object) -> str:
    """Record as an agent does and return the id."""
    return desk.record(new(title, content, **more), AGENT).id  # type: ignore[arg-type]


def canonical(desk: LocalDesk, title: str, content: str = "text", **more: object) -> str:
    """Record as the operator does and return the id."""
    return desk.write(new(title, content, **more), AGENT).id  # type: ignore[arg-type]


def waiting(desk: LocalDesk, id: str) -> str:
    """Return the revision of what waits under an id, as a reviewer has seen it."""
    return desk.review(id, RecordStatus.PENDING).record.revision


def states(desk: LocalDesk, id: str) -> dict[str, LinkClass]:
    """Return what became of each link of a record."""
    review = desk.review(id, RecordStatus.CANONICAL)
    return {link.target: link.link_class for link in review.links}


def old_store(path: Path, revision: str) -> None:
    """Make a store as an earlier version left it."""
    claim(path)
    database = Database(resolve(str(path)))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    with database.engine.begin() as conn:
        config.attributes["connection"] = conn
        command.upgrade(config, revision)
    database.close()
