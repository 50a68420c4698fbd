"""Stores for sittings: made once a run, copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tui.sitting import draft, fill


@pytest.fixture(scope="session")
def ten_drafts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with drafts note-0 to note-9, the last one first; note-4 hides a character."""
    path = tmp_path_factory.mktemp("ten") / "inbox.db"
    fill(path, (draft(n, "Run it\u202e now." if n == 4 else "") for n in range(10)))
    return path


@pytest.fixture
def store(ten_drafts: Path, tmp_path: Path) -> Path:
    """A store of the test's own with ten drafts."""
    return Path(shutil.copy(ten_drafts, tmp_path / "inbox.db"))


@pytest.fixture(scope="session")
def three_hundred_drafts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with drafts note-0 to note-299, the last one first."""
    path = tmp_path_factory.mktemp("many") / "inbox.db"
    fill(path, (draft(n) for n in range(300)))
    return path


@pytest.fixture
def many(three_hundred_drafts: Path, tmp_path: Path) -> Path:
    """A store of the test's own with 300 drafts."""
    return Path(shutil.copy(three_hundred_drafts, tmp_path / "inbox.db"))
