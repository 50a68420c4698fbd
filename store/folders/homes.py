"""Which file of a folder a record belongs into, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row

from store import sources
from store.folders.formats import Format
from store.folders.ledger import Ledger, is_within
from store.records import Record
from store.sources import LAYOUT

_RESERVED = frozenset({"memory", "readme", "claude", "agents", "user", "gemini"})
_STEM = 60  # characters of an id; in the widest script that is still a file name


@dataclass(frozen=True, slots=True)
class Home:
    """Where a record's file is, or will be.

    Args:
        path: below the folder.
        row: its source there, whole; None where it has none yet.
        origin: a source elsewhere whose file it is written like; None to write it afresh.
    """

    path: str
    row: Row[Any] | None = None
    origin: Row[Any] | None = None
    is_list: bool = False  # whether the file holds several records


@dataclass(slots=True)
class Homes:
    """Gives each record its file, and no file twice.

    Args:
        root: the folder's absolute path, as it is stored.
        ledger: what is known of the folder.
        format: of files that are written new.
        list_name: the file that takes new records, in a format of many records a file.
    """

    root: str
    ledger: Ledger
    format: Format
    list_name: str = ""
    _used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for known in self.ledger.files.values():
            self._used.add(self._below(known.where).casefold())

    def of(self, conn: Connection, record: Record) -> Home:
        """Return where a record belongs: where it is, else where it came from, else under its id."""
        rows = [row for row in sources.of_record(conn, record.id) if row.part != LAYOUT]
        for row in sorted(rows, key=lambda row: bool(row.gone)):
            where = f"{row.root}/{row.path}"
            if is_within(where, self.root):
                return Home(self._below(where), row=row, is_list=bool(row.part))
        if self.format.create_list:
            return self._in_list(rows)
        alike = [row for row in rows if not row.part and _same_kind(row.format, self.format.name)]
        if alike:
            return Home(self._free(alike[0].path), origin=alike[0])
        return Home(self._free(f"{_stem(record.id)}{self.format.suffix}"))

    def _in_list(self, rows: Iterable[Row[Any]]) -> Home:
        for row in rows:
            if row.format == self.format.name and row.part:
                return Home(row.path, origin=row, is_list=True)
        return Home(self.list_name, is_list=True)

    def is_home(self, conn: Connection, record: Record) -> bool:
        """Say whether a record has a file in the folder already."""
        rows = sources.of_record(conn, record.id)
        return any(is_within(f"{row.root}/{row.path}", self.root) for row in rows)

    def _below(self, where: str) -> str:
        return where[len(self.root) + 1 :]

    def _free(self, path: str) -> str:
        stem, dot, suffix = path.rpartition(".")
        candidate, number = path, 2
        while candidate.casefold() in self._used:
            candidate, number = f"{stem}-{number}{dot}{suffix}", number + 1
        self._used.add(candidate.casefold())
        return candidate


def _stem(id: str) -> str:
    stem = id[:_STEM].rstrip("-")
    return f"{stem}-note" if stem in _RESERVED else stem


def _same_kind(format: str, wanted: str) -> bool:
    """Say whether a file of one format is one of the other too."""
    notes = ("vault", "basic-memory", "cline", "serena")
    return format == wanted or (wanted == "vault" and format in notes)
