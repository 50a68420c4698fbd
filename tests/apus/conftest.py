"""A bridge process and an operator's desk over one real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.local import LocalDesk, open_desk
from tests.apus.client import Client


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "private" / "inbox.db"


@pytest.fixture
def desk(path: Path) -> Iterator[LocalDesk]:
    desk = open_desk(str(path), reviewer="reviewer")
    yield desk
    desk.close()


@pytest.fixture
def bridge(path: Path, desk: LocalDesk) -> Iterator[Client]:
    client = Client(path)
    yield client
    if client.process.poll() is None:
        assert client.close() == 0
        assert client.said == ""
