"""The provider as tools use it: what agents may do, and nothing of deciding."""

from __future__ import annotations

from typing import Protocol

from store import checks
from store.agents.calls import check_current
from store.checks import record_id
from store.clock import now
from store.errors import NotFound, RatificationUnsupported
from store.host import LocalProvider
from store.location import Location
from store.records import (
    Capabilities,
    MemoryScope,
    MemoryType,
    NearMatch,
    NewRecord,
    Origin,
    RecallRequest,
    Record,
    RecordResult,
)

REASON = 4_000  # bytes of why something is to be forgotten


class Memory(Protocol):
    """All that a tool can ask of a provider; approving and rejecting are no part of it."""

    def get_capabilities(self) -> Capabilities:
        """See `MemoryProvider.get_capabilities`."""
        ...

    def recall(self, request: RecallRequest) -> tuple[Record, ...]:
        """See `MemoryProvider.recall`."""
        ...

    def record(self, new: NewRecord, origin: Origin = Origin()) -> RecordResult:
        """See `MemoryProvider.record`."""
        ...

    def update_record(
        self, id: str, content: str, title: str | None = None, origin: Origin = Origin()
    ) -> RecordResult:
        """See `MemoryProvider.update_record`."""
        ...

    def delete_record(self, id: str, origin: Origin = Origin()) -> bool:
        """See `MemoryProvider.delete_record`."""
        ...

    def get_record(self, id: str) -> Record:
        """See `MemoryProvider.get_record`."""
        ...

    def find(self, id: str) -> Record | None:
        """Return the record of an id, None when there is none."""
        ...

    def near(
        self, title: str, type: MemoryType, scope: MemoryScope, id: str
    ) -> tuple[NearMatch, ...]:
        """Return the records of a type and scope that are much like one about to be written."""
        ...


class Removals(Protocol):
    """What is needed to propose that something be forgotten."""

    def propose_removal(self, id: str, reason: str, origin: Origin = Origin()) -> RecordResult:
        """Propose to forget an approved record; nothing is deleted until a person approves that."""
        ...

    def look_up(self, id: str, origin: Origin) -> Record:
        """Return the memory of an id, or a draft of this writer; NotFound where it may see neither."""
        ...


class OpenMemory(Memory, Removals, Protocol):
    """A `Memory` that also shows a door's caller what is there, and takes proposals to forget."""

    def latest(self, origin: Origin, limit: int) -> tuple[Record, ...]:
        """Return the memories that a reader may see, what was changed last first."""
        ...

    def drafts_of(self, origin: Origin, limit: int) -> tuple[Record, ...]:
        """Return what a writer has waiting for a decision, the newest first."""
        ...


class AgentProvider(LocalProvider):
    """A memory over a store of our own; a write that nobody waits for any more does not begin.

    Of what is an agent's own (`store.audience`) nothing is found, nor told of: its own door knows who may.
    """

    def __init__(self, location: str | Location | None = None) -> None:
        super().__init__(location, clock=_present)

    def find(self, id: str) -> Record | None:
        """See `Memory.find`."""
        try:
            found = self.get_record(id)
        except NotFound:
            return None
        return None if found.audience else found

    def near(
        self, title: str, type: MemoryType, scope: MemoryScope, id: str
    ) -> tuple[NearMatch, ...]:
        """See `Memory.near`."""
        from store.near import find_near
        from store.tables import record

        with self.database.reading() as conn:
            return find_near(conn, title, type, scope, id=id, among=record.c.agent_id == "")

    def propose_removal(self, id: str, reason: str, origin: Origin = Origin()) -> RecordResult:
        """See `OpenMemory.propose_removal` and `store.writes.propose_removal`.

        Raises:
            RatificationUnsupported: nobody would decide on it.
        """
        from store import writes

        if not self.ratified:
            raise RatificationUnsupported("nothing is proposed where nobody decides")
        checks.content(reason, REASON)
        with self.database.writing() as conn:
            moment = self.written(origin)
            return writes.propose_removal(conn, record_id(id), reason, origin, moment)

    def look_up(self, id: str, origin: Origin) -> Record:
        """See `Memory.look_up`."""
        from store.agents import sight

        with self.database.reading() as conn:
            found = sight.look_up(conn, record_id(id), origin)
        if found is None or (found.pending and not self.ratified):
            raise NotFound.record(id)
        self.note_served([found.id], origin.session_id)
        return found

    def latest(self, origin: Origin, limit: int) -> tuple[Record, ...]:
        """See `Memory.latest`."""
        from store.agents import sight

        with self.database.reading() as conn:
            return sight.latest(conn, origin, limit)

    def drafts_of(self, origin: Origin, limit: int) -> tuple[Record, ...]:
        """See `Memory.drafts_of`."""
        from store.agents import sight

        with self.database.reading() as conn:
            return sight.drafts_of(conn, origin, limit) if self.ratified else ()


def _present() -> int:
    """Return now, for a call that is still waited for.

    A provider asks for the time of a write once it holds the write lock: a call that was given up on
    the way there ends here.
    """
    check_current()
    return now()
