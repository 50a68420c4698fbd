"""Lazy pages: what is fetched for a view, what moves when rows come and go, what is forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.records import MemoryScope, MemoryType, RecordStatus
from tui.paging import KEPT_PAGES, FetchedPage, PageRequest, Pages
from tui.rows import Row, short_age

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def row(number: int, revision: str = "r") -> Row:
    return Row(
        f"draft-{number}",
        f"Draft {number}",
        MemoryType.PROJECT,
        MemoryScope.PROJECT,
        RecordStatus.PENDING,
        NOW,
        revision,
        False,
        False,
    )


def number_of(row: Row) -> int:
    return int(row.id.removeprefix("draft-"))


class Shelf:
    """A list of rows that answers page requests as a store would: newest first, keyset tokens."""

    def __init__(self, rows: list[Row], page_size: int = 10) -> None:
        self.rows = rows
        self.page_size = page_size

    def fetch(self, request: PageRequest) -> FetchedPage:
        start = 0
        if request.token:
            after = int(request.token)
            start = next(
                (n for n, r in enumerate(self.rows) if number_of(r) > after),
                len(self.rows),
            )
        part = tuple(self.rows[start : start + self.page_size])
        more = start + self.page_size < len(self.rows)
        return FetchedPage(request, part, str(number_of(part[-1])) if more else "")


def sweep(pages: Pages, shelf: Shelf, last: int) -> None:
    """Fetch until lines up to ``last`` are read."""
    while requests := pages.wanted(last, last):
        for request in requests:
            pages.receive(shelf.fetch(request))


def test_a_view_asks_for_its_pages_once_and_a_screen_ahead() -> None:
    pages, shelf = Pages(total=100), Shelf([row(n) for n in range(100)])
    (request,) = pages.wanted(0, 7)
    assert pages.wanted(0, 7) == ()
    pages.receive(shelf.fetch(request))
    (ahead,) = pages.wanted(0, 7)
    assert ahead.token == "9"
    pages.receive(shelf.fetch(ahead))
    assert pages.wanted(0, 7) == ()


def test_lines_exist_by_the_count_before_they_are_read() -> None:
    pages = Pages(total=47)
    assert len(pages) == 47
    assert pages.row(3) is None


def test_the_last_page_says_how_many_there_really_are() -> None:
    pages, shelf = Pages(total=99), Shelf([row(n) for n in range(25)])
    sweep(pages, shelf, 98)
    assert pages.complete
    assert len(pages) == 25


def test_a_lost_request_is_wanted_again() -> None:
    pages = Pages()
    (request,) = pages.wanted(0, 5)
    pages.lost()
    assert pages.wanted(0, 5) == (request,)


def test_a_page_of_a_replaced_list_is_not_taken() -> None:
    (request,) = Pages(era=1).wanted(0, 5)
    pages = Pages(era=2)
    pages.wanted(0, 5)
    assert not pages.receive(FetchedPage(request, (row(1),), ""))
    assert len(pages) == 0


def test_a_list_can_begin_with_pages_that_are_there() -> None:
    shelf = Shelf([row(n) for n in range(25)])
    first = shelf.fetch(PageRequest(3, 0, ""))
    second = shelf.fetch(PageRequest(3, 1, first.next_token))
    pages = Pages.of([first, second], total=25)
    assert pages.read == 20
    (rest,) = pages.wanted(10, 19)
    assert rest == PageRequest(3, 2, second.next_token)


def test_far_rows_are_forgotten_and_read_again_in_the_same_place() -> None:
    count = 10 * (KEPT_PAGES + 20)
    pages, shelf = Pages(total=count), Shelf([row(n) for n in range(count)])
    sweep(pages, shelf, count - 1)
    pages.forget_far(count - 10, count - 1)
    assert pages.row(0) is None
    assert pages.key(0) == row(0).key
    assert sum(pages.row(line) is not None for line in range(count)) == KEPT_PAGES * 10
    sweep(pages, shelf, 0)
    assert pages.row(0) == row(0)
    assert len(pages) == count


def test_a_forgotten_page_that_lost_a_row_shrinks_by_it_alone() -> None:
    count = 10 * (KEPT_PAGES + 5)
    pages, shelf = Pages(total=count), Shelf([row(n) for n in range(count)])
    sweep(pages, shelf, count - 1)
    pages.forget_far(count - 10, count - 1)
    del shelf.rows[4]
    sweep(pages, shelf, 0)
    ids = [key[0] for key in pages.keys_between(0, count - 1)]
    assert ids == [r.id for r in shelf.rows]


def test_new_rows_go_in_front_and_are_not_taken_twice() -> None:
    pages, shelf = Pages(total=20), Shelf([row(n) for n in range(20)])
    sweep(pages, shelf, 19)
    assert pages.prepend([row(-2), row(-1), row(0)]) == 2
    assert pages.line(row(0).key) == 2
    assert pages.prepend([row(-1)]) == 0


def test_a_removed_row_says_where_it_was() -> None:
    pages, shelf = Pages(total=20), Shelf([row(n) for n in range(20)])
    sweep(pages, shelf, 19)
    assert pages.remove(row(12).key) == 12
    assert pages.line(row(13).key) == 12
    assert pages.remove(row(12).key) is None


def test_a_newer_reading_takes_a_rows_place() -> None:
    pages, shelf = Pages(total=20), Shelf([row(n) for n in range(20)])
    sweep(pages, shelf, 19)
    assert pages.replace(row(5, revision="newer"))
    found = pages.row(5)
    assert found is not None
    assert found.revision == "newer"


@given(st.integers(0, 120), st.integers(1, 30), st.data())
def test_every_row_is_read_once_whatever_comes_and_goes(
    count: int, page_size: int, data: st.DataObject
) -> None:
    shelf = Shelf([row(n) for n in range(count)], page_size)
    pages, expected = Pages(total=count), {r.key for r in shelf.rows}
    newest = 0
    while requests := pages.wanted(max(pages.read - 1, 0), pages.read + 1):
        for request in requests:
            pages.receive(shelf.fetch(request))
        if data.draw(st.booleans()):
            newest -= 1
            shelf.rows.insert(0, row(newest))
        if shelf.rows and data.draw(st.booleans()):
            gone = shelf.rows.pop(data.draw(st.integers(0, len(shelf.rows) - 1)))
            pages.remove(gone.key)
            expected.discard(gone.key)
    keys = list(pages.keys_between(0, len(pages)))
    assert len(keys) == len(set(keys))
    assert expected <= set(keys)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=-5), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=59), "59m"),
        (timedelta(hours=2), "2h"),
        (timedelta(days=13), "13d"),
        (timedelta(days=14), "2w"),
        (timedelta(days=29), "4w"),
        (timedelta(days=364), "12mo"),
        (timedelta(days=365), "1y"),
        (timedelta(days=800), "2y"),
    ],
)
def test_ages_take_four_cells_at_most(age: timedelta, words: str) -> None:
    assert short_age(age) == words
    assert len(words) <= 4
