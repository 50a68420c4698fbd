"""A store of its own, and a folder beside it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from store.local import LocalDesk, open_desk

NewDesk = Callable[[Path], LocalDesk]


@pytest.fixture(scope="session")
def new_desk(tmp_path_factory: pytest.TempPathFactory) -> NewDesk:
    """Return how to open a new store at a path: a copy of an empty one, which is quicker than making it."""
    template = tmp_path_factory.mktemp("template") / "inbox.db"
    open_desk(str(template)).close()

    def make(path: Path) -> LocalDesk:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.copy(template, path)
        return open_desk(str(path), reviewer="ann")

    return make


@pytest.fixture
def desk(tmp_path: Path, new_desk: NewDesk) -> LocalDesk:
    return new_desk(tmp_path / "store" / "inbox.db")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    return made
