"""A desk over a real database of each test's own, on either engine.

A test that asks for `path` is about a store in a file, and runs on SQLite alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.local import LocalDesk, open_desk


@pytest.fixture
def path(where: str) -> Path:
    """The file that the test's store is, or would be."""
    return Path(where)


@pytest.fixture
def desk(where: str) -> Iterator[LocalDesk]:
    desk = open_desk(where, reviewer="reviewer")
    yield desk
    desk.close()
