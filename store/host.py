"""The provider over a store of our own, as hosts and agents get it; the operator's is in `store.local`."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from render.tree import Node
from store import capabilities, checks
from store.checks import record_id
from store.clock import Clock, from_micros, now
from store.errors import InvalidArgument, MemoryError, RatificationUnsupported, SourceUnavailable
from store.location import Location, resolve
from store.records import (
    Capabilities,
    MemoryScope,
    MemoryType,
    MutationEvent,
    NewRecord,
    Origin,
    Page,
    Producer,
    Recalled,
    RecallRequest,
    Record,
    RecordFilter,
    RecordResult,
    RecordStatus,
)
from store.retrying import retried
from store.served import Served
from store.sessions import Sessions

_CLEARED_AT_EXIT = 20_000  # entries: up to these, rewriting the index takes well under a second

if TYPE_CHECKING:  # opening is what costs: a command that only describes must not pay for it
    from sqlalchemy import Connection

    from store.engine import Database
    from store.journal import Moment
    from store.tokens import TokenCounter

MERGE_EVERY = 4  # records


class LocalProvider:
    """A memory provider over a store, opened at the first call that needs it.

    Args:
        location: path or URL, see `store.location.resolve`; also a `Location`.
        counter: who counts tokens for Recall; the exact fallback when None.
        clock: gives the present in microseconds.
        content_limit: the longest text taken, in UTF-8 bytes; as the operator has set it when None.
        read_only: nothing will be written, not even an upgrade.

    With ratification configured off, the pending half of the store is not there for this provider: what
    it writes is canonical at once, and drafts of other hosts on the same store are neither listed, nor
    got, updated, deleted or recalled. The setting is this process's own and is not kept in the store.
    """

    def __init__(
        self,
        location: str | Location | None = None,
        *,
        counter: TokenCounter | None = None,
        clock: Clock = now,
        content_limit: int | None = None,
        read_only: bool = False,
    ) -> None:
        self.sessions = Sessions()
        self._given = location
        self._counter = counter
        self.clock = clock
        if content_limit is not None:
            self.content_limit = content_limit
        self.read_only = read_only
        self._config = capabilities.Configuration()
        self._open: Database | None = None
        self._closed = False
        self._lock = threading.RLock()
        self._recorded = itertools.count(1)
        self._served = Served(self.keep_served)

    @property
    def database(self) -> Database:
        """The store, opened and brought up to date if it was not yet, or if its file is another now."""
        if self._open is None or self._open.lost:
            with self._lock:
                if self._closed:
                    raise SourceUnavailable("the store was closed")
                if self._open is not None and self._open.lost:
                    self._open.close()
                    self._open = None
                if self._open is None:
                    self._open = open_database(self._location(self._config), self.read_only)
        return self._open

    @cached_property
    def content_limit(self) -> int:
        """The longest text that is taken, in UTF-8 bytes; see `store.settings.text_limit`."""
        from store.settings import text_limit

        return text_limit()

    @property
    def ratified(self) -> bool:
        """Whether what agents write waits for an operator."""
        return self._config.ratification

    def describe(self) -> Producer:
        """See `MemoryProvider.describe`."""
        return capabilities.describe()

    def get_capabilities(self) -> Capabilities:
        """See `MemoryProvider.get_capabilities`."""
        return capabilities.capabilities(self._config)

    def configure(self, config: Mapping[str, object]) -> None:
        """Take a configuration; nothing of it holds when an error is raised.

        Raises:
            InvalidArgument: an attribute is unknown or not of its type, or ratification is to be off
                while drafts wait.
        """
        wanted = capabilities.parse(config)
        location = self._location(wanted)
        with self._lock:
            before = self._open
            database = before if before is not None and before.location == location else None
            if not wanted.ratification:
                database = database or open_database(location, self.read_only)
                try:
                    self._switch_off(database, wanted)
                except BaseException:
                    if database is not before:
                        database.close()
                    raise
            if before is not None and database is not before:
                self.keep_served()
                before.close()
            self._open, self._config = database, wanted

    def _switch_off(self, database: Database, wanted: capabilities.Configuration) -> None:
        from store import journal, listing
        from store.records import Decision

        with database.writing() as conn:
            waiting = listing.count(conn, RecordFilter()).pending
            if waiting:
                raise InvalidArgument(
                    f"ratification cannot be switched off: drafts waiting for a decision: {waiting}",
                    hint="Decide them first.",
                )
            if self._config.ratification:
                moment = self.moment(wanted.reviewer)
                journal.append(conn, Decision.CONFIGURE, "", moment, detail="ratification off")

    def _location(self, config: capabilities.Configuration) -> Location:
        if isinstance(self._given, Location):
            return self._given if not config.store else resolve(config.store, config.store_password)
        return resolve(config.store or self._given, config.store_password)

    def recall(self, request: RecallRequest) -> tuple[Record, ...]:
        """See `MemoryProvider.recall`."""
        self.sessions.note(request.session_id, request.working_directory)
        ancestors = self.sessions.lineage(request.session_id)[1:]
        pending = request.include_pending and self.ratified
        asked = replace(request, ancestors=ancestors, include_pending=pending)
        given = self.recalled(asked).given[: request.most]
        self.note_served([each.record.id for each in given], request.session_id)
        return tuple(replace(each.record, relevance_score=each.score) for each in given)

    def note_served(self, ids: Sequence[str], *readers: str) -> None:
        """Note what a session was given, so that its drafts can be told from it; see `store.served`."""
        if ids and any(readers) and not self.read_only:
            self._served.note(readers, ids, self.clock())

    def keep_served(self) -> None:
        """Write down what was noted; where that fails, only this process knows of it."""
        from store import served

        database, notes = self._open, self._served.notes()
        if database is None or database.lost or not notes:
            return
        with suppress(MemoryError):
            with database.writing() as conn:
                served.keep(conn, notes)
            self._served.kept(notes)

    def _echo_of(self, content: str, reader: str, id: str = "") -> str:
        """Return what a text repeats of what its writer was given; ``id`` is of the record that gets it."""
        from store import served
        from store.reader import reader_of

        if not reader or not self.ratified:
            return ""
        with self.database.reading() as conn:
            notes = self._served.notes()
            return served.echo_of(reader_of(conn), content, reader, notes, self.clock(), id)

    def recalled(self, request: RecallRequest) -> Recalled:
        """Return what the store holds for a complete request; see `store.recall.recall`."""
        from store.recall import recall

        with self.database.reading() as conn:
            return recall(conn, request, self.token_counter(), from_micros(self.clock()))

    def token_counter(self) -> TokenCounter:
        """Return who counts tokens for Recall."""
        from store.tokens import FallbackCounter

        return self._counter or FallbackCounter()

    @retried
    def record(self, new: NewRecord, origin: Origin = Origin()) -> RecordResult:
        """See `MemoryProvider.record`."""
        from store import search, writes

        status = RecordStatus.PENDING if self.ratified else RecordStatus.CANONICAL
        checks.new_record(new, self.content_limit)
        bound = checks.origin(self.sessions.bind(origin, new.scope, self._config.project_root))
        echo = self._echo_of(new.content, bound.reader or bound.session_id)
        with self.database.writing() as conn:
            result = writes.write(conn, new, bound, status, self.written(bound), echo)
            if next(self._recorded) % MERGE_EVERY == 0:
                search.keep_merged(conn)
            return result

    @retried
    def update_record(
        self, id: str, content: str, title: str | None = None, origin: Origin = Origin()
    ) -> RecordResult:
        """See `MemoryProvider.update_record`."""
        from store import writes

        checks.content(content, self.content_limit)
        only = self.sessions.only()
        checks.origin(origin)
        reader = origin.reader or origin.session_id or (only.id if only else "")
        echo = self._echo_of(content, reader, record_id(id))
        with self.destroying() as conn:
            moment = self.written(origin)
            return writes.update_text(
                conn,
                *(record_id(id), content, title, origin, moment),
                ratified=self.ratified,
                echo=echo,
            )

    @retried
    def delete_record(self, id: str, origin: Origin = Origin()) -> bool:
        """See `MemoryProvider.delete_record`; a revision that waits under the id is withdrawn too."""
        from store import trash

        with self.destroying() as conn:
            trash.delete_entries(conn, record_id(id), self.written(origin), drafts=self.ratified)
        return True

    def list_records(
        self,
        types: Sequence[MemoryType] = (),
        scopes: Sequence[MemoryScope] = (),
        status: RecordStatus | None = None,
        page_size: int = 0,
        page_token: str = "",
    ) -> Page:
        """See `MemoryProvider.list_records`."""
        return self.page(RecordFilter(tuple(types), tuple(scopes), status), page_size, page_token)

    def page(self, query: RecordFilter, size: int, token: str) -> Page:
        """Return one page; see `store.listing.page`."""
        from store import listing

        if not self.ratified:
            if query.status is RecordStatus.PENDING:
                return Page(())
            query = replace(query, status=RecordStatus.CANONICAL)
        with self.database.reading() as conn:
            return listing.page(conn, query, size, token)

    def get_record(self, id: str) -> Record:
        """See `MemoryProvider.get_record`."""
        from store import listing

        with self.database.reading() as conn:
            return listing.get(conn, record_id(id), drafts=self.ratified)

    @retried
    def approve_record(self, id: str, revision: str | None = None, by: str = "") -> RecordResult:
        """See `MemoryProvider.approve_record`; NotFound when nothing waits under the id."""
        from store import ratify

        self._require_ratification()
        with self.database.writing() as conn:
            moment = self.moment(by)
            self.check_claim(conn, record_id(id), moment)
            return ratify.approve(conn, record_id(id), revision, moment)

    @retried
    def reject_record(self, id: str, revision: str | None = None, by: str = "") -> bool:
        """See `MemoryProvider.reject_record`; NotFound when nothing waits under the id."""
        from store import ratify

        self._require_ratification()
        with self.destroying() as conn:
            moment = self.moment(by)
            self.check_claim(conn, record_id(id), moment)
            ratify.reject(conn, record_id(id), revision, moment)
        return True

    def check_claim(self, conn: Connection, id: str, moment: Moment) -> None:
        """Refuse what another reviewer has claimed; nobody has, over a wire that knows no claims."""

    def _require_ratification(self) -> None:
        if not self.ratified:
            raise RatificationUnsupported(
                "this provider is configured without ratification: nothing waits for a decision"
            )

    def render(self, event: MutationEvent) -> Node:
        """See `MemoryProvider.render`."""
        from store.cards import draw

        with self.database.reading() as conn:
            moment = from_micros(self.clock())
            return draw(conn, event, moment, ratified=self.ratified)

    @contextmanager
    def destroying(self) -> Iterator[Connection]:
        """Write, and see to it that texts which end with it leave the disk as well."""
        from store import fts5

        with self.database.writing(scrub=True) as conn:
            yield conn
            fts5.note_words_left(conn)

    def close(self) -> None:
        """Release the database, cleared of the words of what was destroyed."""
        with self._lock:
            self._closed = True
            self._served.stop()
            if self._open is None:
                return
            self.keep_served()
            if not self.read_only:
                _clear_index(self._open)
            self._open.close()
            self._open = None

    def moment(self, by: str) -> Moment:
        """Return now, and who decides: ``by``, else the configured reviewer."""
        from store.journal import Moment

        name = by or self._config.reviewer or "host"
        return Moment(self.clock(), checks.text("the reviewer's name", name))

    def written(self, origin: Origin) -> Moment:
        """Return now, and who writes: never the reviewer, where the origin does not say."""
        from store.journal import Moment

        return Moment(self.clock(), checks.origin(origin).recorded_by or "agent")


def _clear_index(database: Database) -> None:
    """Rewrite the index without left-over words, where that takes no longer than people wait at an exit."""
    from store import fts5

    with suppress(MemoryError):
        with database.reading() as conn:
            if not fts5.words_left(conn):
                return
        _rewrite_index(database)


def _rewrite_index(database: Database) -> None:
    from store import listing, search

    with database.writing(scrub=True) as conn:
        if listing.count(conn, RecordFilter()).total <= _CLEARED_AT_EXIT:
            search.purge_index(conn)


def open_database(location: Location, read_only: bool) -> Database:
    """Open a store and bring it up to date; raises as `store.schema.prepare`."""
    from store.engine import Database
    from store.schema import prepare

    database = Database(location, read_only=read_only)
    try:
        prepare(database)
    except BaseException:
        database.close()
        raise
    return database
