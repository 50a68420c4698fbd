"""The seam that the app, the command line and the plugin server know: what a provider can be asked.

`MemoryProvider` is the protocol's twelve operations. `Desk` adds what an operator needs and the wire has
not; a remote provider emulates these or lists them in `missing`. Both are synchronous and safe to
call from several threads. Every method raises only the `MemoryError` family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from render.tree import Node
from store.queue import Queue
from store.records import (
    Capabilities,
    Claim,
    Counts,
    Hit,
    JournalEntry,
    LinkClass,
    LinkEntry,
    MemoryScope,
    MemoryType,
    MutationEvent,
    NearMatch,
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
    Review,
    TrashItem,
)


class MemoryProvider(Protocol):
    """The operations of `pluggableharness.memory.v1.MemoryService`."""

    def describe(self) -> Producer:
        """Say who serves, without opening the store."""
        ...

    def get_capabilities(self) -> Capabilities:
        """Say what is offered under the present configuration, without opening the store."""
        ...

    def configure(self, config: Mapping[str, object]) -> None:
        """Take configuration attributes; InvalidArgument names each unknown or ill-typed one."""
        ...

    def recall(self, request: RecallRequest) -> tuple[Record, ...]:
        """Return whole records in rank order whose tokens fit the budget; BudgetExceeded if none fits."""
        ...

    def record(self, new: NewRecord, origin: Origin = Origin()) -> RecordResult:
        """Write a new record, pending while ratification is on; a taken id gets the next suffix."""
        ...

    def update_record(
        self, id: str, content: str, title: str | None = None, origin: Origin = Origin()
    ) -> RecordResult:
        """Replace a text: of a draft in place, of a canonical record as a pending revision."""
        ...

    def delete_record(self, id: str, origin: Origin = Origin()) -> bool:
        """Move a canonical record to the trash, or withdraw a draft."""
        ...

    def list_records(
        self,
        types: Sequence[MemoryType] = (),
        scopes: Sequence[MemoryScope] = (),
        status: RecordStatus | None = None,
        page_size: int = 0,
        page_token: str = "",
    ) -> Page:
        """Return a keyset page, newest first; 0 means 50, more than 500 means 500."""
        ...

    def get_record(self, id: str) -> Record:
        """Return the canonical record of an id, else its draft."""
        ...

    def approve_record(self, id: str, revision: str | None = None, by: str = "") -> RecordResult:
        """Make a draft canonical; Conflict when ``revision`` is given and is no longer current."""
        ...

    def reject_record(self, id: str, revision: str | None = None, by: str = "") -> bool:
        """Discard a draft for good; Conflict as in `approve_record`."""
        ...

    def render(self, event: MutationEvent) -> Node:
        """Draw a memory event: a review card for a pending record."""
        ...


class Listening(Protocol):
    """A line on which a store tells that something was written."""

    @property
    def hears(self) -> bool:
        """Whether the line stands now; while it does not, looking is the only way to know."""
        ...

    def close(self) -> None:
        """Stop listening."""
        ...


class Desk(MemoryProvider, Protocol):
    """A provider as an operator sees it. No door that a model can reach holds one."""

    @property
    def missing(self) -> Mapping[str, str]:
        """Names of the methods below that are not offered, each with the reason."""
        ...

    def browse(self, query: RecordFilter, page_size: int = 0, page_token: str = "") -> Page:
        """List as `list_records`, filtered by text as well."""
        ...

    def count(self, query: RecordFilter | None = None) -> Counts:
        """Count what a filter matches; everything when None."""
        ...

    def queue(self) -> Queue:
        """Return what waits by age, type and writer, and what became of the latest drafts."""
        ...

    def search(
        self, text: str, query: RecordFilter = RecordFilter(), limit: int = 20
    ) -> tuple[Hit, ...]:
        """Return the best matches first: records with all words, or with any if none has all.

        Of a sentence (five words or more) no word is needed in particular; what says most of it comes first.
        """
        ...

    def review(self, id: str, status: RecordStatus | None = None) -> Review:
        """Return all that a decision needs; the pending entry of an id unless ``status`` says otherwise."""
        ...

    def preview_recall(self, request: RecallRequest) -> Recalled:
        """Recall with what was dropped and the parts of each score; never BudgetExceeded."""
        ...

    def preview_decided(self, request: RecallRequest, approved: Sequence[str]) -> Recalled:
        """Preview what recall would give if the drafts of some ids were approved, and no others."""
        ...

    def write(
        self, new: NewRecord, origin: Origin, status: RecordStatus = RecordStatus.CANONICAL
    ) -> RecordResult:
        """Record as the operator, canonical at once unless asked for a draft."""
        ...

    def edit(
        self,
        id: str,
        revision: str,
        *,
        content: str | None = None,
        title: str | None = None,
        by: str = "",
    ) -> Record:
        """Change a draft's or a canonical record's text in place, checked against the revision seen.

        The pending entry of an id is edited if there is one. Returns it with its new revision.
        """
        ...

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
        """Give a record another type or scope under its id, checked against the revision seen.

        As deleting it and recording it again, in one step: links and provenance stay. ``project_root`` binds
        project scope where the record does not say its project.
        """
        ...

    def unapprove(self, id: str, by: str = "") -> RecordResult:
        """Take the last approval of a record back: to a draft again, or to the text it replaced."""
        ...

    def links(
        self, classes: Iterable[LinkClass] = (), limit: int = 500, after: str = ""
    ) -> tuple[LinkEntry, ...]:
        """Return links of these classes (all when empty), ordered by source id and line."""
        ...

    def backlinks(self, id: str) -> tuple[LinkEntry, ...]:
        """Return the links that resolve to a record."""
        ...

    def near(
        self, title: str, type: MemoryType, scope: MemoryScope, limit: int = 5, except_id: str = ""
    ) -> tuple[NearMatch, ...]:
        """Return records of the type and scope whose id or title is much alike."""
        ...

    def history(
        self, id: str | None = None, limit: int = 100, before: int | None = None
    ) -> tuple[JournalEntry, ...]:
        """Return journal lines, newest first; ``before`` is a ``seq`` to page on from."""
        ...

    def trash(self, limit: int = 500) -> tuple[TrashItem, ...]:
        """Return what was deleted and can be restored, newest first."""
        ...

    def restore(self, id: str, by: str = "") -> RecordResult:
        """Bring the last deleted record of an id back, under the next free suffix if the id is taken."""
        ...

    def purge(self, before: datetime | None = None) -> int:
        """Destroy trash deleted before a time (all of it when None); returns how many."""
        ...

    def claim(self, ids: Sequence[str], *, take_over: bool = False) -> tuple[Claim, ...]:
        """Claim drafts for the reviewer at this desk, or renew his claims, for `store.records.CLAIM_SECONDS`.

        Approving and rejecting a draft that another reviewer has claimed is refused (`Claimed`) until
        the claim expires. What is no draft any more is passed over.

        Args:
            take_over: also those on which somebody else's claim has expired.

        Returns:
            The claims of others that stand in the way; of all other drafts the claim is the reviewer's now.
        """
        ...

    def release(self, ids: Sequence[str]) -> None:
        """Give the reviewer's own claims on drafts up."""
        ...

    def claims(self) -> tuple[Claim, ...]:
        """Return the claims of other reviewers, expired ones too."""
        ...

    def listen(self, on_change: Callable[[], object]) -> Listening | None:
        """Call back, from another thread, when somebody has written; None where nothing tells of that.

        Waits for nothing: a line that cannot be had now is tried again and again. Ends with the desk.
        """
        ...

    def close(self) -> None:
        """Release the database; the provider may not be used afterwards."""
        ...
