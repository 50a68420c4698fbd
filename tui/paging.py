"""Lazy keyset pages: what a list has read, what is on its way, and what it may forget.

A pure model. The list says which lines it shows; the model answers which pages to fetch for that, a
screen of prefetch each way included. Pages are read from the front only, since a keyset token comes
with the page before; rows of pages far from view are forgotten and read again by their token.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from store.records import RecordStatus
from tui.rows import Row

PAGE_SIZE = 100
LARGE_PAGE = 500  # the most that a store gives at once
KEPT_PAGES = 24  # around the view: under a megabyte

Key = tuple[str, RecordStatus]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page to fetch: ``token`` is empty for the first; ``era`` dates the list it belongs to.

    ``size`` is in rows, and is more where a view far down the list is waited for.
    """

    era: int
    number: int
    token: str
    size: int = PAGE_SIZE


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page that arrived; an empty ``next_token`` says that it is the last."""

    request: PageRequest
    rows: tuple[Row, ...]
    next_token: str


@dataclass(slots=True)
class _Slot:
    token: str
    size: int
    keys: list[Key]
    rows: list[Row] | None = None
    start: int = 0  # line of its first row


@dataclass(slots=True)
class Pages:
    """The rows of one list under one filter.

    Args:
        total: rows that the store counted, None before; lines up to it exist before they are read.
    """

    era: int = 0
    total: int | None = None
    _slots: list[_Slot] = field(default_factory=list)
    _next_token: str | None = ""
    _on_the_way: set[int] = field(default_factory=set)
    _known: set[Key] = field(default_factory=set)

    @classmethod
    def of(cls, pages: Sequence[FetchedPage], total: int | None) -> Pages:
        """Return a list whose first pages are there already; they are all of one era."""
        made = cls(pages[0].request.era if pages else 0, total)
        for page in pages:
            made._on_the_way.add(page.request.number)
            made.receive(page)
        return made

    @property
    def read(self) -> int:
        """How many rows from the front are known."""
        return self._slots[-1].start + len(self._slots[-1].keys) if self._slots else 0

    @property
    def complete(self) -> bool:
        """Whether the last page was read."""
        return self._next_token is None

    def __len__(self) -> int:
        return self.read if self.complete else max(self.total or 0, self.read)

    def row(self, line: int) -> Row | None:
        """Return the row of a line, None when it is not there (yet, or any more)."""
        slot = self._slot_at(line)
        return slot.rows[line - slot.start] if slot and slot.rows is not None else None

    def key(self, line: int) -> Key | None:
        """Return what tells the row of a line apart, also of rows that were forgotten."""
        slot = self._slot_at(line)
        return slot.keys[line - slot.start] if slot else None

    def id(self, line: int) -> str:
        """Return the id of a line that was read."""
        key = self.key(line)
        return key[0] if key else ""

    def line(self, key: Key) -> int | None:
        """Return the line of a row, None when it is not among those read."""
        if key in self._known:
            for slot in self._slots:
                if key in slot.keys:
                    return slot.start + slot.keys.index(key)
        return None

    def wanted(self, first: int, last: int) -> tuple[PageRequest, ...]:
        """Return the pages to fetch so that lines ``first`` to ``last`` and a screen each way are there.

        Pages on their way are not asked for twice. Beyond what was read only one page can be asked for.
        """
        screen = max(last - first + 1, 1)
        low, high = first - screen, last + screen
        requests = [
            PageRequest(self.era, number, slot.token, slot.size)
            for number, slot in self._slots_between(low, high)
            if slot.rows is None and number not in self._on_the_way
        ]
        tail = len(self._slots)
        if self._next_token is not None and high >= self.read and tail not in self._on_the_way:
            size = LARGE_PAGE if high - self.read > LARGE_PAGE else PAGE_SIZE
            requests.append(PageRequest(self.era, tail, self._next_token, size))
        self._on_the_way.update(request.number for request in requests)
        return tuple(requests)

    def unflagged(self, first: int, last: int) -> tuple[PageRequest, ...]:
        """Return the pages whose rows among these lines nobody has looked at for warnings."""
        return tuple(
            PageRequest(self.era, number, slot.token, slot.size)
            for number, slot in self._slots_between(first, last)
            if any(row.flagged is None for row in slot.rows or ())
        )

    def flag(self, flags: Mapping[str, bool]) -> None:
        """Take in which rows are flagged, by revision."""
        for slot in self._slots:
            if slot.rows is not None:
                slot.rows = [
                    replace(row, flagged=flags[row.revision])
                    if row.flagged is None and row.revision in flags
                    else row
                    for row in slot.rows
                ]

    def _slots_between(self, first: int, last: int) -> Iterator[tuple[int, _Slot]]:
        for number, slot in enumerate(self._slots):
            if slot.start <= last and slot.start + len(slot.keys) > first:
                yield number, slot

    def lost(self) -> None:
        """Take note that a request failed: what is on its way may be asked for again."""
        self._on_the_way.clear()

    @property
    def flagged(self) -> int:
        """How many of the rows in memory are flagged."""
        held = (row for slot in self._slots for row in slot.rows or ())
        return sum(row.flagged is True for row in held)

    def receive(self, page: FetchedPage) -> bool:
        """Take a page in; False when it belongs to a list that was replaced meanwhile."""
        if page.request.era != self.era or page.request.number not in self._on_the_way:
            return False
        self._on_the_way.discard(page.request.number)
        number = page.request.number
        if number == len(self._slots):
            rows = self._unseen(page.rows)
            self._slots.append(
                _Slot(page.request.token, page.request.size, [row.key for row in rows], rows)
            )
            self._next_token = page.next_token or None
        elif number < len(self._slots):
            slot = self._slots[number]
            expected = set(slot.keys)
            slot.rows = [row for row in page.rows if row.key in expected]
            slot.keys = [row.key for row in slot.rows]
            self._known -= expected.difference(slot.keys)
        self._renumber()
        return True

    def has(self, key: Key) -> bool:
        """Tell whether a row is among those read; may be called from another thread."""
        return key in self._known

    def prepend(self, rows: Sequence[Row]) -> int:
        """Put rows that are newer than all others in front; returns how many were not there yet."""
        fresh = self._unseen(rows)
        if fresh:
            if not self._slots:
                self._slots.append(_Slot("", PAGE_SIZE, [], []))
            head = self._slots[0]
            head.keys[:0] = [row.key for row in fresh]
            if head.rows is not None:
                head.rows[:0] = fresh
            if self.total is not None:
                self.total += len(fresh)
            self._renumber()
        return len(fresh)

    def replace(self, row: Row) -> bool:
        """Put a newer reading of a row in its place; False when it is not in view."""
        for slot in self._slots:
            if row.key in slot.keys:
                if slot.rows is not None:
                    slot.rows[slot.keys.index(row.key)] = row
                return True
        return False

    def remove(self, key: Key) -> int | None:
        """Take a row out; returns the line where it was."""
        for slot in self._slots:
            if key in slot.keys:
                self._known.discard(key)
                at = slot.keys.index(key)
                del slot.keys[at]
                if slot.rows is not None:
                    del slot.rows[at]
                if self.total is not None:
                    self.total = max(self.total - 1, 0)
                line = slot.start + at
                self._renumber()
                return line
        return None

    def forget_far(self, first: int, last: int) -> None:
        """Forget rows of pages far from lines ``first`` to ``last``; their keys and places stay."""
        middle = (first + last) // 2
        held = [slot for slot in self._slots if slot.rows is not None]
        held.sort(key=lambda slot: abs(slot.start + len(slot.keys) // 2 - middle))
        for slot in held[KEPT_PAGES:]:
            slot.rows = None

    def keys_between(self, first: int, last: int) -> tuple[Key, ...]:
        """Return the keys of the lines from ``first`` to ``last``, both included."""
        keys = (self.key(line) for line in range(first, last + 1))
        return tuple(key for key in keys if key is not None)

    def _slot_at(self, line: int) -> _Slot | None:
        if line < 0 or line >= self.read:
            return None
        low, high = 0, len(self._slots) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._slots[middle].start <= line:
                low = middle
            else:
                high = middle - 1
        return self._slots[low]

    def _unseen(self, rows: Sequence[Row]) -> list[Row]:
        fresh = [row for row in rows if row.key not in self._known]
        self._known.update(row.key for row in fresh)
        return fresh

    def _renumber(self) -> None:
        starts = accumulate((len(slot.keys) for slot in self._slots), initial=0)
        for slot, (start, _) in zip(self._slots, pairwise(starts), strict=True):
            slot.start = start
