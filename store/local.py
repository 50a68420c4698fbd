"""The operator's desk over a store of our own: all that a provider does, and deciding, editing, the trash.

Nothing that serves a model may import this module; `store.host` is for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from store import checks, claims, fts5, journal, listing, ratify, review, trash, waiting, writes
from store.checks import record_id
from store.clock import from_micros, to_micros
from store.errors import NotOffered
from store.host import LocalProvider as LocalProvider
from store.journal import Moment
from store.listening import Listener
from store.location import Location
from store.near import find_near
from store.provider import Desk
from store.queue import Queue
from store.recall import preview
from store.reclass import reclassify
from store.records import (
    Claim,
    Counts,
    Hit,
    JournalEntry,
    LinkClass,
    LinkEntry,
    MemoryScope,
    MemoryType,
    NearMatch,
    NewRecord,
    Origin,
    Page,
    Recalled,
    RecallRequest,
    Record,
    RecordFilter,
    RecordResult,
    RecordStatus,
    Review,
    TrashItem,
)
from store.retrying import retried
from store.reviewer import this_user
from store.search import purge_index, search

if TYPE_CHECKING:
    from sqlalchemy import Connection


def open_desk(
    location: str | Location | None = None, *, reviewer: str = "", read_only: bool = False
) -> LocalDesk:
    """Open a store for its operator, at once.

    Args:
        location: path or URL, see `store.location.resolve`.
        reviewer: who is named in the journal; the user of this process when empty.
        read_only: nothing will be written; the store must exist and be up to date.

    Raises:
        MemoryError: as `store.schema.prepare`.
    """
    desk = LocalDesk(location, read_only=read_only)
    desk.reviewer = reviewer or this_user()
    desk.open()
    return desk


def own(desk: Desk) -> LocalDesk:
    """Return the desk of a store of our own; NotOffered for another provider's.

    Folders of memories are imported into a store and kept in step with one.
    """
    if not isinstance(desk, LocalDesk):
        raise NotOffered(
            "folders are imported into a store, and another provider has its own ways",
            hint="Leave --provider out to open yours.",
        )
    return desk


_WRITING = (
    *("record", "update_record", "delete_record", "approve_record", "reject_record"),
    *("write", "edit", "reclassify", "unapprove", "restore", "purge", "claim", "release"),
)


class LocalDesk(LocalProvider):
    """A store as its operator sees it; see `store.provider.Desk` for what is not documented here."""

    reviewer = "operator"
    _listener: Listener | None = None

    @property
    def missing(self) -> Mapping[str, str]:
        """Nothing is missing, unless nothing may be written."""
        return dict.fromkeys(_WRITING, "the store is open read-only") if self.read_only else {}

    def open(self) -> None:
        """Open the store now, and destroy what was in the trash for its time."""
        with self.database.reading() as conn:
            expired = trash.expired(conn, self.clock())
        if expired and not self.read_only:
            with self.destroying() as conn:
                moment = self.moment("")
                trash.purge(conn, moment, before=moment.now - trash.KEPT)

    def moment(self, by: str) -> Moment:
        """Return now, and who acts: ``by``, else the reviewer at this desk."""
        return super().moment(by or self.reviewer)

    def note_served(self, ids: Sequence[str], *readers: str) -> None:
        """Note nothing: what an operator looks at was given to no session."""

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make all that is written within one transaction: all of it holds, or nothing.

        A write that fails inside undoes itself alone, if its error is caught inside. Other writers
        wait meanwhile, so a batch should take well under a second.
        """
        with self.database.writing():
            yield

    def check_claim(self, conn: Connection, id: str, moment: Moment) -> None:
        """Refuse to decide what another reviewer has claimed; see `store.claims.require_free`."""
        claims.require_free(conn, id, moment)

    @retried
    @retried
    def claim(self, ids: Sequence[str], *, take_over: bool = False) -> tuple[Claim, ...]:
        """See `Desk.claim`; in steps, so that others can write between them."""
        refused: list[Claim] = []
        for first in range(0, len(ids), claims.STEP):
            with self.database.writing() as conn:
                some = ids[first : first + claims.STEP]
                refused += claims.take(conn, some, self.moment(""), take_over=take_over)
        return tuple(refused)

    @retried
    @retried
    def release(self, ids: Sequence[str]) -> None:
        """See `Desk.release`."""
        for first in range(0, len(ids), claims.STEP):
            with self.database.writing() as conn:
                claims.release(conn, ids[first : first + claims.STEP], self.reviewer)

    def claims(self) -> tuple[Claim, ...]:
        """See `Desk.claims`."""
        with self.database.reading() as conn:
            return claims.of_others(conn, self.reviewer)

    def listen(self, on_change: Callable[[], object]) -> Listener | None:
        """See `Desk.listen`: a server tells, a file does not."""
        if self.database.location.path is not None:
            return None
        self._listener = Listener(self.database, on_change)
        return self._listener

    def close(self) -> None:
        """See `Desk.close`."""
        if self._listener is not None:
            self._listener.close()
        super().close()

    def browse(self, query: RecordFilter, page_size: int = 0, page_token: str = "") -> Page:
        """See `Desk.browse`."""
        return self.page(query, page_size, page_token)

    def count(self, query: RecordFilter | None = None) -> Counts:
        """See `Desk.count`."""
        with self.database.reading() as conn:
            return listing.count(conn, query or RecordFilter())

    def queue(self) -> Queue:
        """See `Desk.queue`."""
        with self.database.reading() as conn:
            return waiting.queue(conn, self.clock())

    def search(
        self, text: str, query: RecordFilter = RecordFilter(), limit: int = 20
    ) -> tuple[Hit, ...]:
        """See `Desk.search`."""
        with self.database.reading() as conn:
            return search(conn, text, query, limit)

    def review(self, id: str, status: RecordStatus | None = None) -> Review:
        """See `Desk.review`."""
        with self.database.reading() as conn:
            return review.review(conn, record_id(id), status)

    def preview_recall(self, request: RecallRequest) -> Recalled:
        """See `Desk.preview_recall`."""
        with self.database.reading() as conn:
            return preview(conn, request, self.token_counter(), from_micros(self.clock()))

    def preview_decided(self, request: RecallRequest, approved: Sequence[str]) -> Recalled:
        """See `Desk.preview_decided`."""
        with self.database.reading() as conn:
            now = from_micros(self.clock())
            return preview(conn, request, self.token_counter(), now, approved)

    @retried
    def write(
        self, new: NewRecord, origin: Origin, status: RecordStatus = RecordStatus.CANONICAL
    ) -> RecordResult:
        """See `Desk.write`."""
        checks.new_record(new, self.content_limit)
        with self.database.writing() as conn:
            moment = self.moment(checks.origin(origin).recorded_by)
            return writes.write(conn, new, origin, status, moment)

    @retried
    def edit(
        self,
        id: str,
        revision: str,
        *,
        content: str | None = None,
        title: str | None = None,
        by: str = "",
    ) -> Record:
        """See `Desk.edit`."""
        if content is not None:
            checks.content(content, self.content_limit)
        with self.destroying() as conn:
            return writes.edit(conn, record_id(id), revision, content, title, self.moment(by))

    @retried
    def reclassify(
        self,
        id: str,
        revision: str,
        *,
        type: MemoryType | None = None,
        scope: MemoryScope | None = None,
        project_root: str = "",
        by: str = "",
    ) -> Record:
        """See `Desk.reclassify` and `store.reclass`."""
        with self.database.writing() as conn:
            moment = self.moment(by)
            return reclassify(conn, record_id(id), revision, type, scope, project_root, moment)

    @retried
    def unapprove(self, id: str, by: str = "") -> RecordResult:
        """See `Desk.unapprove` and `store.ratify.unapprove`."""
        with self.database.writing() as conn:
            return ratify.unapprove(conn, record_id(id), self.moment(by))

    def links(
        self, classes: Iterable[LinkClass] = (), limit: int = 500, after: str = ""
    ) -> tuple[LinkEntry, ...]:
        """See `Desk.links` and `store.review.links`."""
        with self.database.reading() as conn:
            return review.links(conn, classes, limit, after)

    def backlinks(self, id: str) -> tuple[LinkEntry, ...]:
        """See `Desk.backlinks`."""
        with self.database.reading() as conn:
            return review.backlinks(conn, record_id(id))

    def near(
        self, title: str, type: MemoryType, scope: MemoryScope, limit: int = 5, except_id: str = ""
    ) -> tuple[NearMatch, ...]:
        """See `Desk.near`."""
        with self.database.reading() as conn:
            return find_near(conn, title, type, scope, limit=limit, except_id=except_id)

    def history(
        self, id: str | None = None, limit: int = 100, before: int | None = None
    ) -> tuple[JournalEntry, ...]:
        """See `Desk.history`."""
        with self.database.reading() as conn:
            return journal.history(conn, id, limit, before)

    def trash(self, limit: int = 500) -> tuple[TrashItem, ...]:
        """See `Desk.trash`."""
        with self.database.reading() as conn:
            return trash.listing(conn, limit)

    @retried
    def restore(self, id: str, by: str = "") -> RecordResult:
        """See `Desk.restore`."""
        with self.database.writing() as conn:
            return trash.restore(conn, record_id(id), self.moment(by))

    @retried
    def purge(self, before: datetime | None = None) -> int:
        """See `Desk.purge`."""
        with self.database.writing(scrub=True) as conn:
            limit = None if before is None else to_micros(before)
            destroyed = trash.purge(conn, self.moment(""), limit)
            if destroyed or fts5.words_left(conn):
                purge_index(conn)
        return destroyed
