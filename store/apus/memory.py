"""The store as the tools of one session see it: what it may read, and what is its own to change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from store.agents.provider import AgentProvider
from store.apus.policy import Reach, Viewer
from store.audience import Audience
from store.errors import NotFound
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
    Scored,
)

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement


class SessionMemory:
    """A `store.agents.provider.Memory` for one call.

    Args:
        audience: for whom it writes.
        reach: what it may read; None where the host grants nothing.

    One that may read nothing only adds. Another changes what was written for the same audience, and an
    owner's also what is nobody's: an update is a draft that shows an operator what it would change. Nothing
    else is named to it, not even in answer to a title that is taken.
    """

    def __init__(self, provider: AgentProvider, audience: Audience, reach: Reach | None) -> None:
        self._provider = provider
        self._audience = audience
        self._reach = reach

    @property
    def reads(self) -> bool:
        """Whether it may read anything."""
        return self._reach is not None

    def get_capabilities(self) -> Capabilities:
        """See `Memory.get_capabilities`."""
        return self._provider.get_capabilities()

    def recall(self, request: RecallRequest) -> tuple[Record, ...]:
        """Return what matches a query best, within a budget; see `store.apus.finding` for the scores."""
        from store.apus import finding, hits
        from store.apus.sight import Wanted
        from store.reader import reader_of
        from store.recall import filled, some_of, texts_of
        from store.turn import roots_of

        if self._reach is None:
            return ()
        roots = roots_of(request.working_directory) or None
        wanted = Wanted(request.types, request.scopes, roots)
        with self._provider.database.reading() as conn:
            read = reader_of(conn)
            scores = {
                each.pk: each.score
                for each in finding.find(read, self._reach, request.query, wanted)
            }
            found = hits.records(read, self._reach, list(scores), wanted)
        ranked = [Scored(record, scores[pk]) for pk, record in found.items()]
        tokens = self._provider.token_counter().count(texts_of(ranked), request.model)
        given = some_of(filled(ranked, tokens, request.token_budget)).given[: request.most]
        self._provider.note_served(
            [each.record.id for each in given], request.session_id, *self._reach.readers
        )
        return tuple(replace(each.record, relevance_score=each.score) for each in given)

    def record(self, new: NewRecord, origin: Origin = Origin()) -> RecordResult:
        """See `Memory.record`."""
        return self._provider.record(new, replace(origin, audience=self._audience))

    def update_record(
        self, id: str, content: str, title: str | None = None, origin: Origin = Origin()
    ) -> RecordResult:
        """See `Memory.update_record`; NotFound for what is not this session's to change."""
        with self._provider.database.writing():
            self.get_record(id)
            return self._provider.update_record(id, content, title, origin)

    def delete_record(self, id: str, origin: Origin = Origin()) -> bool:
        """See `Memory.delete_record`; NotFound for what is not this session's to change."""
        with self._provider.database.writing():
            self.get_record(id)
            return self._provider.delete_record(id, origin)

    def get_record(self, id: str) -> Record:
        """Return a record that is this session's to change; NotFound for every other."""
        found = self._provider.get_record(id)
        if not self._is_own(found.audience, found.scope):
            raise NotFound.record(id)
        return found

    def look_up(self, id: str, origin: Origin) -> Record:
        """See `Removals.look_up`: of this session's own to change."""
        return self.get_record(id)

    def propose_removal(self, id: str, reason: str, origin: Origin = Origin()) -> RecordResult:
        """See `Removals.propose_removal`; NotFound for what is not this session's to change."""
        with self._provider.database.writing():
            self.get_record(id)
            return self._provider.propose_removal(id, reason, origin)

    def find(self, id: str) -> Record | None:
        """See `Memory.find`."""
        try:
            return self.get_record(id)
        except NotFound:
            return None

    def near(
        self, title: str, type: MemoryType, scope: MemoryScope, id: str
    ) -> tuple[NearMatch, ...]:
        """Return what is much like something about to be written, of what is this session's to change."""
        from store.near import find_near

        if self._reach is None:
            return ()
        with self._provider.database.reading() as conn:
            return find_near(conn, title, type, scope, id=id, among=self._own())

    def _is_own(self, audience: Audience | None, scope: MemoryScope) -> bool:
        if self._reach is None:
            return False
        if audience is None:
            return self._corrects_nobodys and scope is not MemoryScope.SESSION
        return audience == self._audience

    def _own(self) -> ColumnElement[bool]:
        from store.entries import audience_columns
        from store.tables import record

        own = [record.c[name] == value for name, value in audience_columns(self._audience).items()]
        mine = own[0] & own[1] & own[2]
        if not self._corrects_nobodys:
            return mine
        return mine | ((record.c.agent_id == "") & (record.c.scope != MemoryScope.SESSION.value))

    @property
    def _corrects_nobodys(self) -> bool:
        return self._reach is not None and self._reach.viewer is Viewer.OWNER
