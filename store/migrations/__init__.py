"""The steps from any earlier shape of the database to the present one, run by alembic."""

from __future__ import annotations

from functools import cache
from pathlib import Path

MIGRATIONS = Path(__file__).parent


@cache
def revisions() -> tuple[str, ...]:
    """Return the shapes this package knows, oldest first: its migration files are named after them."""
    steps = (MIGRATIONS / "versions").glob("[0-9]*.py")
    return tuple(sorted(step.name.partition("_")[0] for step in steps))
