"""A desk over a real database of each test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.local import LocalDesk, open_desk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the test's store is, or would be."""
    return tmp_path / "private" / "inbox.db"


@pytest.fixture
def desk(path: Path) -> Iterator[LocalDesk]:
    desk = open_desk(str(path), reviewer="reviewer")
    yield desk
    desk.close()
