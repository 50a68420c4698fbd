"""What the lists ask of a desk. Plain functions: they run in jobs, and in tests without an app."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from itertools import count

from store.errors import NotFound
from store.provider import Desk
from store.records import Page, RecordFilter, RecordStatus
from tui.cards import is_flagged, node_of
from tui.filters import Filter
from tui.messages import AnyKey, ListRead, PageFetched, ReviewRead
from tui.paging import PAGE_SIZE, FetchedPage, Key, PageRequest
from tui.rows import Row, row_of

SIFTED_PAGES = 40  # pages of the store read for one page of a list that narrows further


def read_page(
    desk: Desk, chosen: Filter, status: RecordStatus | None, request: PageRequest, now: datetime
) -> FetchedPage:
    """Read one page of a list.

    A filter that narrows further than the store can makes pages of what it leaves, at least one row each
    except for the last, as long as that is to be found within `SIFTED_PAGES`.
    """
    query = chosen.query(status)
    rows: list[Row] = []
    token = request.token
    for tried in count(1):
        page = _browse(desk, query, token)
        flags = [is_flagged(record) for record in page.records]
        for record, flagged in zip(page.records, flags, strict=True):
            if not chosen.narrows or chosen.keeps(record, now, is_flagged):
                rows.append(row_of(record, flagged=flagged))
        token = page.next_page_token
        if not token or rows or tried == SIFTED_PAGES:
            break
    return FetchedPage(request, tuple(rows), token)


def read_list(
    desk: Desk,
    chosen: Filter,
    status: RecordStatus | None,
    era: int,
    lines: int,
    clock: Callable[[], datetime],
) -> ListRead:
    """Read the counts of a list and its pages from the front until ``lines`` lines are there."""
    query = chosen.query(status)
    counts = desk.count(query)
    pages: list[FetchedPage] = []
    token, found = "", 0
    for number in count():
        page = read_page(desk, chosen, status, PageRequest(era, number, token), clock())
        pages.append(page)
        found += len(page.rows)
        token = page.next_token
        if not token or found >= lines:
            break
    return ListRead(era, chosen, tuple(pages), counts)


def read_rows(
    desk: Desk,
    chosen: Filter,
    status: RecordStatus | None,
    keys: Collection[Key],
    clock: Callable[[], datetime],
) -> Iterator[Row]:
    """Read the rows of these keys, in the order of the list; those that are gone are left out."""
    token, missing = "", set(keys)
    for number in count():
        page = read_page(desk, chosen, status, PageRequest(0, number, token), clock())
        found = [row for row in page.rows if row.key in missing]
        missing.difference_update(row.key for row in found)
        yield from found
        token = page.next_token
        if not token or not missing:
            return


def fetch_page(
    desk: Desk, chosen: Filter, status: RecordStatus | None, request: PageRequest, now: datetime
) -> PageFetched:
    """Read one page as a job."""
    return PageFetched(read_page(desk, chosen, status, request, now))


def read_review(desk: Desk, key: AnyKey, clock: Callable[[], datetime]) -> ReviewRead:
    """Read all that a decision about one record needs, and lay its card out.

    Raises:
        NotFound: neither a canonical record nor a draft has the id.
    """
    id, status = key
    try:
        review = desk.review(id, status or RecordStatus.CANONICAL)
    except NotFound:
        if status is not None:
            raise
        review = desk.review(id, RecordStatus.PENDING)
    return ReviewRead(key, review, node_of(review, clock()))


def read_reviews(
    desk: Desk,
    keys: Sequence[AnyKey],
    clock: Callable[[], datetime],
    tell: Callable[[ReviewRead], object],
) -> None:
    """Read several reviews, telling of each when it is there; those that are gone are left out."""
    for key in keys:
        try:
            tell(read_review(desk, key, clock))
        except NotFound:
            continue


def _browse(desk: Desk, query: RecordFilter, token: str) -> Page:
    if "browse" in desk.missing:
        return desk.list_records(query.types, query.scopes, query.status, PAGE_SIZE, token)
    return desk.browse(query, PAGE_SIZE, token)
