"""What the lists ask of a desk. Plain functions: they run in jobs, and in tests without an app."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from itertools import count

from store.errors import NotFound
from store.provider import Desk
from store.records import Page, RecordFilter, RecordStatus
from tui.cards import is_flagged, known_flag, node_of
from tui.filters import Filter
from tui.messages import AnyKey, ListRead, PageFetched, ReviewRead, RowsFlagged
from tui.paging import LARGE_PAGE, FetchedPage, Key, PageRequest
from tui.rows import Row, key_of, row_of

SIFTED_PAGES = 40  # pages of the store read for one page of a list that narrows further


def read_page(
    desk: Desk, chosen: Filter, status: RecordStatus | None, request: PageRequest, now: datetime
) -> FetchedPage:
    """Read one page of a list; whether its rows are flagged is left to `read_flags`.

    A filter that narrows further than the store can makes pages of what it leaves, at least one row each
    except for the last, as long as that is to be found within `SIFTED_PAGES`.
    """
    rows: list[Row] = []
    token = request.token
    for tried in count(1):
        page = _browse(desk, chosen.query(status), request.size, token)
        rows += (
            row_of(record, flagged=known_flag(record))
            for record in page.records
            if not chosen.narrows or chosen.keeps(record, now, is_flagged)
        )
        token = page.next_page_token
        if not token or rows or tried == SIFTED_PAGES:
            break
    return FetchedPage(request, tuple(rows), token)


def read_flags(
    desk: Desk, chosen: Filter, status: RecordStatus | None, request: PageRequest
) -> RowsFlagged:
    """Look at the texts of a page for warnings; takes about a millisecond a record."""
    page = _browse(desk, chosen.query(status), request.size, request.token)
    return RowsFlagged(request, {record.revision: is_flagged(record) for record in page.records})


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
    desk: Desk, chosen: Filter, status: RecordStatus | None, keys: Collection[Key]
) -> Iterator[Row]:
    """Read the rows of these keys with their flags, in the order of the list; what is gone is left out."""
    token, missing = "", set(keys)
    while missing:
        page = _browse(desk, chosen.query(status), LARGE_PAGE, token)
        for record in page.records:
            if key_of(record) in missing:
                missing.remove(key_of(record))
                yield row_of(record, flagged=is_flagged(record))
        token = page.next_page_token
        if not token:
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


def _browse(desk: Desk, query: RecordFilter, size: int, token: str) -> Page:
    if "browse" in desk.missing:
        return desk.list_records(query.types, query.scopes, query.status, size, token)
    return desk.browse(query, size, token)
