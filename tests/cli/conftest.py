"""A command line to call in this process, on a store of the test's own."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from store.local import LocalDesk, open_desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tui.cli.app import run


@dataclass(frozen=True, slots=True)
class Ran:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


Cli = Callable[..., Ran]


@pytest.fixture
def store_path(where: str) -> Path:
    """The file of the store that the commands are run on."""
    return Path(where)


@pytest.fixture
def cli(where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `memory-inbox ARGUMENTS` as a program does whose output goes to a pipe."""
    monkeypatch.setenv("MEMORY_INBOX_STORE", where)

    def call(*arguments: str, input: str | bytes = "") -> Ran:
        data = input.encode() if isinstance(input, str) else input
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsys.readouterr()
        code = run(arguments)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return call


@pytest.fixture
def desk(where: str) -> Iterator[LocalDesk]:
    """The same store, as the app would have it open at the same time."""
    desk = open_desk(where, reviewer="tester")
    yield desk
    desk.close()


Write = Callable[..., str]


@pytest.fixture
def write(desk: LocalDesk) -> Write:
    """Write a record and return its id: ``write(title, content, type=…, scope=…, draft=True)``."""

    def call(
        title: str,
        content: str = "text",
        *,
        type: str = "project",
        scope: str = "global",
        draft: bool = False,
        id: str | None = None,
    ) -> str:
        new = NewRecord(MemoryType(type), MemoryScope(scope), title, content, id=id)
        status = RecordStatus.PENDING if draft else RecordStatus.CANONICAL
        return desk.write(new, Origin(recorded_by="memory.remember"), status).id

    return call
