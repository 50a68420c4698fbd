"""Shell completion of ids, from the store at hand."""

from __future__ import annotations

import typer

from render.visible import visible
from store.errors import MemoryError
from store.records import RecordStatus
from tui.cli.session import Session

NEWEST = 500  # one page: completion must not be slower than typing


def complete_id(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return ids that begin so, with their titles."""
    return _complete(context, incomplete, None)


def complete_draft(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return ids of drafts that begin so, with their titles."""
    return _complete(context, incomplete, RecordStatus.PENDING)


def _complete(
    context: typer.Context, incomplete: str, status: RecordStatus | None
) -> list[tuple[str, str]]:
    # No command has run yet, so the global options are only there as parsed.
    given = context.find_root().params
    try:
        with Session(given.get("store"), given.get("provider")).desk(read_only=True) as desk:
            records = desk.list_records(status=status, page_size=NEWEST).records
    except MemoryError:
        return []  # a shell has no place for an error
    found = {record.id: record.title for record in records if record.id.startswith(incomplete)}
    return [(visible(id), visible(title)) for id, title in found.items()]
