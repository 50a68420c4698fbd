"""A store of the test's own, and its operator's desk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.local import LocalDesk, open_desk


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "inbox.db"


@pytest.fixture
def desk(store: Path) -> Iterator[LocalDesk]:
    desk = open_desk(str(store), reviewer="tester")
    yield desk
    desk.close()
