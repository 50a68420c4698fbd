"""The list at hand: rows with numbers that stay, until it is read anew."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from store.provider import Desk
from store.records import RecordStatus
from tui.filters import Filter
from tui.lists import read_page, read_rows
from tui.paging import LARGE_PAGE, Key, PageRequest
from tui.rows import Row

_NUMBERS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


class NoSuchRow(Exception):
    """Numbers were said that mean no row of the list."""


@dataclass(slots=True)
class Listing:
    """Rows by number.

    Args:
        place: names the list, as in "draft".
        chosen: the filter that it was read with; None for search results, which are not read again.
        text: the filter as typed, or the words that were searched.
        status: what is listed; None lists drafts and records.
        said: the place after the row that was said last.
    """

    place: str
    chosen: Filter | None
    text: str = ""
    status: RecordStatus | None = None
    rows: list[Row] = field(default_factory=list)
    said: int = 0

    def read(self, desk: Desk, now: datetime) -> None:
        """Read all rows anew; whether they are flagged is looked at when they are said."""
        if self.chosen is None:
            return
        rows: list[Row] = []
        token, number = "", 0
        while True:
            request = PageRequest(0, number, token, LARGE_PAGE)
            page = read_page(desk, self.chosen, self.status, request, now)
            rows += page.rows
            token, number = page.next_token, number + 1
            if not token:
                break
        self.rows = rows

    def look_at(self, desk: Desk, places: Collection[int]) -> list[Row]:
        """Return rows as they are now, with their flags; what is gone says so and stays in its place."""
        if self.chosen is None:
            return [self.rows[place] for place in places]
        keys = {self.rows[place].key for place in places if not self.rows[place].gone}
        found = {row.key: row for row in read_rows(desk, self.chosen, self.status, keys)}
        for place in places:
            row = self.rows[place]
            if row.key in keys:
                self.rows[place] = found.get(row.key) or replace(row, gone="is gone")
        return [self.rows[place] for place in places]

    def place_of(self, key: Key) -> int | None:
        """Return where a row is."""
        return next((place for place, row in enumerate(self.rows) if row.key == key), None)

    def leave(self, id: str, why: str) -> None:
        """Say of a draft's row that it is one no more; its number stays."""
        place = self.place_of((id, RecordStatus.PENDING))
        if place is not None:
            self.rows[place] = replace(self.rows[place], gone=why)


def places(text: str, length: int) -> Sequence[int]:
    """Return the places that numbers like ``3``, ``5-9`` or ``all`` mean, in order, each once.

    Args:
        length: how many rows there are; numbers count from 1.

    Raises:
        NoSuchRow: in words for people.
    """
    found: dict[int, None] = {}
    for part in text.replace(",", " ").split():
        if part == "all":
            found.update(dict.fromkeys(range(length)))
            continue
        match = _NUMBERS.fullmatch(part)
        if match is None:
            raise NoSuchRow(f"{part} is no number: say 3, 5-9 or all")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= length:
            raise NoSuchRow(f"{part} is not in the list, which has {length}")
        found.update(dict.fromkeys(range(first - 1, last)))
    return tuple(found)
