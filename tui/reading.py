"""What the lists ask of a desk. Plain functions: they run in jobs, and in tests without an app."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from itertools import count

from store.errors import NotFound, SourceUnavailable
from store.provider import Desk
from store.records import RecordStatus, Review
from tui.cards import is_flagged, node_of
from tui.failures import describe_failure
from tui.filters import Filter
from tui.lists import AnyKey, browse, find_review, read_page
from tui.live import look
from tui.messages import (
    ListRead,
    LookedAgain,
    LookFailed,
    PageFetched,
    ReviewRead,
    ReviewsRead,
    RowsFlagged,
    SecretsUnmasked,
)
from tui.paging import FetchedPage, Key, PageRequest


def read_flags(
    desk: Desk, chosen: Filter, status: RecordStatus | None, request: PageRequest
) -> RowsFlagged:
    """Look at the texts of a page for warnings; takes about a millisecond a record."""
    page = browse(desk, chosen.query(status), request.size, request.token)
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
    review = find_review(desk, key)
    return ReviewRead(key, review, node_of(review, clock()))


def unmask(review: Review, now: datetime) -> SecretsUnmasked:
    """Lay a card out once more, with its secrets to be read."""
    return SecretsUnmasked(review, node_of(review, now, secrets_shown=True))


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


def read_all(desk: Desk, keys: Sequence[AnyKey], clock: Callable[[], datetime]) -> ReviewsRead:
    """Read several reviews that belong together, in order.

    Raises:
        NotFound: one of them is no longer there.
    """
    return ReviewsRead(tuple(read_review(desk, key, clock) for key in keys))


def look_again(
    desk: Desk,
    since: int | None,
    known: Callable[[Key], bool],
    marked: Collection[str],
    chosen: Filter,
    status: RecordStatus | None,
    clock: Callable[[], datetime],
) -> LookedAgain | LookFailed:
    """Find out what came, changed and went, as `tui.live.look` does."""
    try:
        return LookedAgain(look(desk, since, known, marked, chosen, status, clock))
    except SourceUnavailable as error:
        return LookFailed(describe_failure(error, "looking for new drafts"))
