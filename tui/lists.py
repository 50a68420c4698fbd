"""Pages, rows and reviews read from a desk, for whatever lists them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from itertools import count
from typing import TypeAlias

from store.errors import NotFound
from store.provider import Desk
from store.records import Page, Record, RecordFilter, RecordStatus, Review
from tui.cards import is_flagged, known_flag
from tui.filters import Filter
from tui.paging import LARGE_PAGE, FetchedPage, Key, PageRequest
from tui.rows import Row, key_of, row_of

AnyKey: TypeAlias = tuple[str, RecordStatus | None]
"""A record to read; without a status the canonical one, else its draft."""

SIFTED_PAGES = 40  # pages of the store read for one page of a list that narrows further


def read_page(
    desk: Desk,
    chosen: Filter,
    status: RecordStatus | None,
    request: PageRequest,
    now: datetime,
    flag: Callable[[Record], bool | None] = known_flag,
) -> FetchedPage:
    """Read one page of a list; whether its rows are flagged, as far as that is known.

    A filter that narrows further than the store can makes pages of what it leaves, at least one row each
    except for the last, as long as that is to be found within `SIFTED_PAGES`.

    Args:
        flag: tells whether a record is flagged; by default without looking at its text.
    """
    rows: list[Row] = []
    token = request.token
    for tried in count(1):
        page = browse(desk, chosen.query(status), request.size, token)
        rows += (
            row_of(record, flagged=flag(record))
            for record in page.records
            if not chosen.narrows or chosen.keeps(record, now, is_flagged)
        )
        token = page.next_page_token
        if not token or rows or tried == SIFTED_PAGES:
            break
    return FetchedPage(request, tuple(rows), token)


def read_rows(
    desk: Desk, chosen: Filter, status: RecordStatus | None, keys: Collection[Key]
) -> Iterator[Row]:
    """Read the rows of these keys with their flags, in the order of the list; what is gone is left out."""
    token, missing = "", set(keys)
    while missing:
        page = browse(desk, chosen.query(status), LARGE_PAGE, token)
        for record in page.records:
            if key_of(record) in missing:
                missing.remove(key_of(record))
                yield row_of(record, flagged=is_flagged(record))
        token = page.next_page_token
        if not token:
            return


def find_review(desk: Desk, key: AnyKey) -> Review:
    """Read all that a decision about one record needs.

    Raises:
        NotFound: neither a canonical record nor a draft has the id.
    """
    id, status = key
    try:
        return desk.review(id, status or RecordStatus.CANONICAL)
    except NotFound:
        if status is not None:
            raise
        return desk.review(id, RecordStatus.PENDING)


def browse(desk: Desk, query: RecordFilter, size: int, token: str) -> Page:
    """Return a page of the store, by the words of a filter as well where the provider can."""
    if "browse" in desk.missing:
        return desk.list_records(query.types, query.scopes, query.status, size, token)
    return desk.browse(query, size, token)
