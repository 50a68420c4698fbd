"""Looking again: what happened in the store since the list was read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from store.errors import NotFound
from store.provider import Desk
from store.records import Claim, Counts, Decision, JournalEntry, Record, RecordStatus
from tui.claiming import claims_of_others
from tui.filters import Filter
from tui.lists import read_page
from tui.paging import FetchedPage, Key, PageRequest
from tui.rows import Row, key_of

JOURNAL_LINES = 500
COMPARED_PAGES = 4  # of 500 drafts, where a provider keeps no journal
MOST_LINES = 10_000  # of the journal, looked back over; after more than that the list is read anew

_WORDS = {
    Decision.APPROVE: "was approved elsewhere",
    Decision.REJECT: "was rejected elsewhere",
    Decision.WITHDRAW: "was withdrawn",
}


@dataclass(frozen=True, slots=True)
class News:
    """What a look found.

    Args:
        seq: the last line of the journal.
        chosen: the filter under which rows were looked for.
        changed: drafts that were touched, as they are now.
        gone: drafts that are none any more, with a few words each.
        fresh: rows newer than all that were known, newest first.
        counts: under the filter; None when nothing happened.
        overrun: so much happened that the list is better read anew.
        claims: what other reviewers are about to decide.
    """

    seq: int
    chosen: Filter
    changed: tuple[Record, ...] = ()
    gone: Mapping[str, str] = field(default_factory=dict)
    fresh: tuple[Row, ...] = ()
    counts: Counts | None = None
    overrun: bool = False
    claims: tuple[Claim, ...] = ()


def look(
    desk: Desk,
    since: int | None,
    known: Callable[[Key], bool],
    marked: Collection[str],
    chosen: Filter,
    status: RecordStatus | None,
    clock: Callable[[], datetime],
) -> News:
    """Find out what came, changed and went.

    Args:
        since: the last line of the journal that was seen; None looks at the marked drafts only.
        known: tells whether a row is in the list; called from this thread.
        marked: ids of drafts with a mark.

    Raises:
        SourceUnavailable: the store is away; the next look may find it.
    """
    if "history" in desk.missing:
        return _compare(desk, since, known, marked, chosen, status, clock)
    newest, lines = _journal(desk, since)
    claims = claims_of_others(desk)
    if newest == since:
        return News(newest, chosen, claims=claims)
    if len(lines) >= MOST_LINES:
        return News(newest, chosen, overrun=True, claims=claims)
    words = {line.id: _WORDS.get(line.decision, "is gone") for line in reversed(lines)}
    watched = set(marked) if since is None else set()
    watched.update(id for id in words if id in marked or known((id, RecordStatus.PENDING)))
    changed, gone = _drafts(desk, watched, words)
    fresh = () if since is None else _fresh(desk, known, chosen, status, clock)
    counts = desk.count(chosen.query(status))
    return News(newest, chosen, changed, gone, fresh, counts, claims=claims)


def newest_line(desk: Desk) -> int:
    """Return the number of the journal's last line; 0 where there is none, or no journal."""
    last = () if "history" in desk.missing else desk.history(limit=1)
    return last[0].seq if last else 0


def _compare(
    desk: Desk,
    since: int | None,
    known: Callable[[Key], bool],
    marked: Collection[str],
    chosen: Filter,
    status: RecordStatus | None,
    clock: Callable[[], datetime],
) -> News:
    """Find out the same without a journal: by reading the newest drafts and comparing."""
    drafts: dict[str, Record] = {}
    token = ""
    for _ in range(COMPARED_PAGES):
        page = desk.list_records(status=RecordStatus.PENDING, page_size=500, page_token=token)
        drafts |= {record.id: record for record in page.records}
        token = page.next_page_token
        if not token:
            break
    gone = {id: "is gone" for id in marked if id not in drafts} if not token else {}
    changed = tuple(r for r in drafts.values() if r.id in marked or known(key_of(r)))
    fresh = () if since is None else _fresh(desk, known, chosen, status, clock)
    return News(0, chosen, changed, gone, fresh, desk.count(chosen.query(status)))


def _journal(desk: Desk, since: int | None) -> tuple[int, list[JournalEntry]]:
    """Return the number of the last line, and the lines after one that was seen, newest first."""
    newest = newest_line(desk)
    lines: list[JournalEntry] = []
    before: int | None = None
    while since is not None and newest > since and len(lines) < MOST_LINES:
        page = desk.history(limit=JOURNAL_LINES, before=before)
        lines += (line for line in page if line.seq > since)
        if len(page) < JOURNAL_LINES or page[-1].seq <= since:
            break
        before = page[-1].seq
    return newest, lines


def _drafts(
    desk: Desk, ids: Iterable[str], words: dict[str, str]
) -> tuple[tuple[Record, ...], dict[str, str]]:
    """Return drafts as they are now, and a few words for those that are none any more."""
    records: list[Record] = []
    gone: dict[str, str] = {}
    for id in ids:
        try:
            records.append(desk.review(id, RecordStatus.PENDING).record)
        except NotFound:
            gone[id] = words.get(id, "is gone")
    return tuple(records), gone


def _fresh(
    desk: Desk,
    known: Callable[[Key], bool],
    chosen: Filter,
    status: RecordStatus | None,
    clock: Callable[[], datetime],
) -> tuple[Row, ...]:
    """Return the rows that are newer than all known ones."""
    fresh: list[Row] = []
    token = ""
    for number in count():
        page: FetchedPage = read_page(desk, chosen, status, PageRequest(0, number, token), clock())
        for row in page.rows:
            if known(row.key):
                return tuple(fresh)
            fresh.append(row)
        token = page.next_token
        if not token:
            break
    return tuple(fresh)
