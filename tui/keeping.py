"""Keeps the marks of a store in a file, so that a crash or a restart loses none.

The file is JSON: ``{"version": 1, "store": …, "marks": [{"id", "mark", "revision", "is_revision"}, …]}``.
It holds no text of any record, is written whole beside itself and renamed, and only its owner may read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock

from platformdirs import user_state_path

from tui.marks import Mark, Marked

VERSION = 1


def marks_file(store: str) -> Path:
    """Return where the marks of a store are kept, by the store's name without a password."""
    digest = sha256(store.encode()).hexdigest()[:16]
    return user_state_path("memory-inbox") / f"marks-{digest}.json"


def describe_unapplied(count: int, *, kept: bool) -> str:
    """Return what leaving with marks unapplied means, a line for what is so and one for what comes of it."""
    drafts = "1 draft is" if count == 1 else f"{count} drafts are"
    after = "The marks are kept: they will be here again." if kept else "The marks will be lost."
    return f"{drafts} marked and not yet decided in the store.\n{after}"


class Keeper:
    """Reads and writes the marks of one store; safe to call from several threads.

    Args:
        path: the file; its directory is made when marks are first kept.
        store: the store's name, written for people who look into the file.
    """

    def __init__(self, path: Path, store: str) -> None:
        self._path = path
        self._store = store
        self._lock = Lock()
        self._written = 0

    def read(self) -> tuple[Marked, ...]:
        """Return the marks that were kept; none when there is no file or it is not one of ours."""
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            return tuple(
                Marked(item["id"], Mark(item["mark"]), item["revision"], bool(item["is_revision"]))
                for item in kept["marks"]
            )
        except (OSError, ValueError, KeyError, TypeError):
            return ()

    def write(self, serial: int, marks: Sequence[Marked]) -> None:
        """Keep these marks instead of all others.

        Args:
            serial: grows with every call; a call that was overtaken by a later one does nothing.

        Raises:
            OSError: the file cannot be written.
        """
        with self._lock:
            if serial <= self._written:
                return
            self._written = serial
            if marks:
                self._write(marks)
            else:
                self._path.unlink(missing_ok=True)

    def _write(self, marks: Sequence[Marked]) -> None:
        items = [
            {"id": m.id, "mark": m.mark, "revision": m.revision, "is_revision": m.is_revision}
            for m in marks
        ]
        text = json.dumps({"version": VERSION, "store": self._store, "marks": items}, indent=1)
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        beside.replace(self._path)
