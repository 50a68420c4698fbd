"""An operator's desk over another provider: what the wire has, and what can be made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn, TypeVar

from store.errors import BudgetExceeded, Conflict, NotFound, NotOffered
from store.queue import Queue, queue_of
from store.records import (
    Claim,
    Counts,
    Hit,
    Impact,
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
    Scored,
    TrashItem,
)
from store.remote.operations import Operations, with_revision

if TYPE_CHECKING:
    from store.remote.snapshot import Snapshot, Snapshots

MISSING = {
    "reclassify": "the protocol cannot give a record another type or scope",
    "unapprove": "the protocol cannot take an approval back",
    "history": "the protocol does not say what was decided",
    "trash": "the protocol does not show what was deleted",
    "restore": "the protocol cannot bring back what was deleted",
    "preview_decided": "the protocol recalls with all drafts or with none",
    "purge": "the protocol does not show what was deleted",
    "claim": "the protocol does not say who is deciding",
    "release": "the protocol does not say who is deciding",
    "claims": "the protocol does not say who is deciding",
}
Answer = TypeVar("Answer")
_SWEEP = 500  # records a page when everything is read
_SHORTEST = 8  # matches for which a page is worth handing out before it is full


class RemoteProvider(Operations):
    """A desk over the wire; see `store.provider.Desk` for what is not documented here.

    What an operator looked at is compared with what is there immediately before it is approved or
    rejected: the wire's own calls do not say which revision is meant.
    """

    @property
    def missing(self) -> Mapping[str, str]:
        """What the wire has no call for, nor anything to make it of."""
        return MISSING

    def introduce(self, reviewer: str) -> None:
        """Do what a host does after a launch: ask what is offered, then configure.

        Args:
            reviewer: who decides here; sent if the provider has such an attribute.
        """
        offered = {attribute.name for attribute in self.get_capabilities().config_schema}
        self.configure({"reviewer": reviewer} if reviewer and "reviewer" in offered else {})

    def browse(self, query: RecordFilter, page_size: int = 0, page_token: str = "") -> Page:
        """See `Desk.browse`; filtered by text here, so a page may be short before the last one."""
        if not query.text.strip():
            return self.list_records(query.types, query.scopes, query.status, page_size, page_token)
        from store.remote.snapshot import matches

        size = min(page_size or 50, 500)
        found: list[Record] = []
        # What is still missing is all that is asked for: nothing that was read is thrown away, and the
        # provider's own token is where the next page goes on.
        while True:
            page = self.list_records(
                query.types, query.scopes, query.status, size - len(found), page_token
            )
            found += [record for record in page.records if matches(record, query)]
            page_token = page.next_page_token
            if not page_token or size - len(found) < max(1, min(_SHORTEST, size // 4)):
                return Page(tuple(found), page_token)

    def count(self, query: RecordFilter | None = None) -> Counts:
        """See `Desk.count`; the trash cannot be counted."""
        return self._snapshot().count(query or RecordFilter())

    def queue(self) -> Queue:
        """See `Desk.queue`; what became of drafts is not told."""
        return queue_of(self._snapshot().records, datetime.now(UTC))

    def search(
        self, text: str, query: RecordFilter = RecordFilter(), limit: int = 20
    ) -> tuple[Hit, ...]:
        """See `Desk.search`."""
        return self._snapshot().search(text, query, limit)

    def review(self, id: str, status: RecordStatus | None = None) -> Review:
        """See `Desk.review`; the text that a revision was written against is not known."""
        record, base = self._entries(id, status)
        snapshot = self._snapshot()
        links = snapshot.links(record)
        return Review(
            record=record,
            base=base,
            links=links,
            backlinks=self.backlinks(id),
            near=snapshot.near(record.title, record.type, record.scope, 5, id),
            on_approve=Impact(),
            on_reject=Impact(),
            names=tuple(dict.fromkeys((record.id, (base or record).title))),
        )

    def preview_recall(self, request: RecallRequest) -> Recalled:
        """See `Desk.preview_recall`; what was dropped is not told."""
        try:
            found = self.recall(request)
        except BudgetExceeded:
            found = ()
        given = tuple(Scored(record, record.relevance_score or 0.0) for record in found)
        tokens = sum(record.tokens for record in found)
        return Recalled(given, (), tokens, request.token_budget)

    def preview_decided(self, request: RecallRequest, approved: Sequence[str]) -> Recalled:
        """Not offered."""
        _missing("preview_decided")

    def approve_record(self, id: str, revision: str | None = None, by: str = "") -> RecordResult:
        """See `Desk.approve_record`; who approves is whoever the provider is configured for."""
        self._compare(id, revision)
        return self._changed(self.send_approval(id))

    def reject_record(self, id: str, revision: str | None = None, by: str = "") -> bool:
        """See `Desk.reject_record`, and `approve_record`."""
        self._compare(id, revision)
        return self._changed(self.send_rejection(id))

    def record(self, new: NewRecord, origin: Origin = Origin()) -> RecordResult:
        """See `Operations.record`."""
        return self._changed(super().record(new, origin))

    def update_record(
        self, id: str, content: str, title: str | None = None, origin: Origin = Origin()
    ) -> RecordResult:
        """See `Operations.update_record`."""
        return self._changed(super().update_record(id, content, title, origin))

    def delete_record(self, id: str, origin: Origin = Origin()) -> bool:
        """See `Operations.delete_record`."""
        return self._changed(super().delete_record(id, origin))

    def write(
        self, new: NewRecord, origin: Origin, status: RecordStatus = RecordStatus.CANONICAL
    ) -> RecordResult:
        """See `Desk.write`; a draft that is approved at once, if it still is what was written."""
        result = self.record(new, origin)
        if status is RecordStatus.CANONICAL and result.status is RecordStatus.PENDING:
            return self._approve_own(result.id, new.content)
        return result

    def edit(
        self,
        id: str,
        revision: str,
        *,
        content: str | None = None,
        title: str | None = None,
        by: str = "",
    ) -> Record:
        """See `Desk.edit`; a canonical record gets a revision that is approved at once."""
        record, _ = self._entries(id, None)
        _require_same(record, revision)
        text = record.content if content is None else content
        result = self.update_record(id, text, title)
        if not record.pending and result.status is RecordStatus.PENDING:
            self._approve_own(id, text)
        return self._entries(id, record.status)[0]

    def links(
        self, classes: Iterable[LinkClass] = (), limit: int = 500, after: str = ""
    ) -> tuple[LinkEntry, ...]:
        """See `Desk.links`; a broken link reads as wanted, for what once was there is not known."""
        wanted = set(classes) or set(LinkClass)
        found = [
            link
            for link in self._snapshot().all_links
            if link.source_id > after and link.link_class in wanted
        ]
        last = found[limit - 1].source_id if 0 < limit < len(found) else ""
        return tuple(link for at, link in enumerate(found) if at < limit or link.source_id == last)

    def backlinks(self, id: str) -> tuple[LinkEntry, ...]:
        """See `Desk.backlinks`."""
        return tuple(link for link in self._snapshot().all_links if link.resolved_id == id)

    def near(
        self, title: str, type: MemoryType, scope: MemoryScope, limit: int = 5, except_id: str = ""
    ) -> tuple[NearMatch, ...]:
        """See `Desk.near`."""
        return self._snapshot().near(title, type, scope, limit, except_id)

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
        """Not offered: a deletion whose recording fails would lose the record."""
        _missing("reclassify")

    def unapprove(self, id: str, by: str = "") -> RecordResult:
        """Not offered."""
        _missing("unapprove")

    def history(
        self, id: str | None = None, limit: int = 100, before: int | None = None
    ) -> tuple[JournalEntry, ...]:
        """Not offered."""
        _missing("history")

    def trash(self, limit: int = 500) -> tuple[TrashItem, ...]:
        """Not offered."""
        _missing("trash")

    def restore(self, id: str, by: str = "") -> RecordResult:
        """Not offered."""
        _missing("restore")

    def purge(self, before: datetime | None = None) -> int:
        """Not offered."""
        _missing("purge")

    def claim(self, ids: Sequence[str], *, take_over: bool = False) -> tuple[Claim, ...]:
        """Not offered."""
        _missing("claim")

    def release(self, ids: Sequence[str]) -> None:
        """Not offered."""
        _missing("release")

    def claims(self) -> tuple[Claim, ...]:
        """Not offered."""
        _missing("claims")

    def listen(self, on_change: Callable[[], object]) -> None:
        """Return nothing: the protocol does not tell of writes."""

    def close(self) -> None:
        """Hang up, and end a plugin that was launched from here."""
        self._connection.close()

    def _entries(self, id: str, status: RecordStatus | None) -> tuple[Record, Record | None]:
        """Read the entry of an id that is meant, and the canonical record under it if it is a revision."""
        first = self.get_record(id)
        if first.pending:
            if status is RecordStatus.CANONICAL:
                raise NotFound(f"there is no canonical entry with the id {id!r}")
            return first, None
        pending = None if status is RecordStatus.CANONICAL else self._pending(first)
        if pending is None and status is RecordStatus.PENDING:
            raise NotFound(f"there is no pending entry with the id {id!r}")
        return (pending, first) if pending else (first, None)

    def _pending(self, base: Record) -> Record | None:
        """Look for the revision that waits on a canonical record: only lists show it."""
        token = ""
        while True:
            page = self.plain_page((base.type,), (base.scope,), RecordStatus.PENDING, _SWEEP, token)
            for record in page.records:
                if record.id == base.id:
                    return with_revision(record, base)
            token = page.next_page_token
            if not token:
                return None

    def _compare(self, id: str, revision: str | None) -> None:
        if revision is not None:
            _require_same(self._entries(id, RecordStatus.PENDING)[0], revision)

    def _approve_own(self, id: str, content: str) -> RecordResult:
        if self._entries(id, RecordStatus.PENDING)[0].content != content:
            raise Conflict(f"{id!r} was changed by somebody else before it could be approved")
        return self._changed(self.send_approval(id))

    def _snapshot(self) -> Snapshot:
        return self._snapshots.latest()

    @cached_property
    def _snapshots(self) -> Snapshots:
        from store.remote.snapshot import Snapshots

        return Snapshots(self._sweep)

    def _changed(self, answer: Answer) -> Answer:
        """Return what a change was answered with; what was read before it no longer holds."""
        self._snapshots.forget()
        return answer

    def _sweep(self) -> Iterator[Record]:
        token = ""
        while True:
            page = self.plain_page(page_size=_SWEEP, page_token=token)
            yield from page.records
            token = page.next_page_token
            if not token:
                return


def _require_same(record: Record, revision: str) -> None:
    if record.revision != revision:
        raise Conflict(
            f"{record.id!r} is not what you looked at any more; nothing was changed",
            hint="Look at it again, then decide.",
        )


def _missing(name: str) -> NoReturn:
    raise NotOffered(MISSING[name])
