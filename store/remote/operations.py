"""The protocol's twelve operations, each one call to the provider at the other end."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from google.protobuf.message import Message

from render.tree import Node
from store.errors import MemoryError, NotFound, NotOffered
from store.records import (
    Capabilities,
    MemoryScope,
    MemoryType,
    MutationEvent,
    NewRecord,
    Origin,
    Page,
    Producer,
    RecallRequest,
    Record,
    RecordResult,
    RecordStatus,
)
from store.remote.connection import Connection
from store.revisions import bound_by, revision_of
from store.wire import convert, enums, offers
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from store.wire.structs import to_struct
from store.wire.trees import from_tree

_SERVICE = "/pluggableharness.memory.v1.MemoryService/"
_AT_ONCE = 64  # calls on their way

Answer = TypeVar("Answer", bound=Message)


class Operations:
    """A provider over the wire, see `store.provider.MemoryProvider`.

    The wire has neither origins nor revisions. What is written from here is bound as the provider binds
    its host's writes; revisions are made here from what was read, the text under a pending revision
    included.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._offer: Capabilities | None = None
        self._lock = threading.Lock()

    def describe(self) -> Producer:
        """See `MemoryProvider.describe`; a provider that does not say has no name."""
        try:
            answer = self._call("Describe", pb.DescribeRequest(), pb.DescribeResponse)
        except NotOffered:
            return Producer(name="", version="", source="")
        return offers.from_producer(answer.producer)

    def get_capabilities(self) -> Capabilities:
        """See `MemoryProvider.get_capabilities`."""
        request = pb.GetCapabilitiesRequest()
        answer = self._call("GetCapabilities", request, pb.GetCapabilitiesResponse)
        offer = offers.from_capabilities(answer.capabilities)
        with self._lock:
            self._offer = offer
        return offer

    @property
    def ratified(self) -> bool:
        """Whether what agents write waits for an operator there."""
        return (self._offer or self.get_capabilities()).ratification_supported

    def configure(self, config: Mapping[str, object]) -> None:
        """See `MemoryProvider.configure`."""
        request = pb.ConfigureRequest(config=to_struct(config))
        self._call("Configure", request, pb.ConfigureResponse)
        self.get_capabilities()

    def recall(self, request: RecallRequest) -> tuple[Record, ...]:
        """See `MemoryProvider.recall`; free text has no field on the wire and is not sent."""
        answer = self._call("Recall", convert.to_recall(request), pb.RecallResponse)
        return tuple(with_revision(convert.from_record(record)) for record in answer.records)

    def record(self, new: NewRecord, origin: Origin = Origin()) -> RecordResult:
        """See `MemoryProvider.record`; summary, aliases and times are not sent."""
        answer = self._call("Record", convert.to_new(new), pb.RecordResponse)
        return convert.from_result(answer.result)

    def update_record(
        self, id: str, content: str, title: str | None = None, origin: Origin = Origin()
    ) -> RecordResult:
        """See `MemoryProvider.update_record`."""
        request = pb.UpdateRecordRequest(id=id, title=title, content=convert.to_blocks(content))
        answer = self._call("UpdateRecord", request, pb.UpdateRecordResponse)
        return convert.from_result(answer.result)

    def delete_record(self, id: str, origin: Origin = Origin()) -> bool:
        """See `MemoryProvider.delete_record`."""
        request = pb.DeleteRecordRequest(id=id)
        return self._call("DeleteRecord", request, pb.DeleteRecordResponse).result.deleted

    def list_records(
        self,
        types: Sequence[MemoryType] = (),
        scopes: Sequence[MemoryScope] = (),
        status: RecordStatus | None = None,
        page_size: int = 0,
        page_token: str = "",
    ) -> Page:
        """See `MemoryProvider.list_records`; each draft's canonical record is looked for as well."""
        page = self.plain_page(types, scopes, status, page_size, page_token)
        drafts = [record.id for record in page.records if record.pending]
        bases = self._canonical(drafts)
        return replace(
            page, records=tuple(with_revision(each, bases.get(each.id)) for each in page.records)
        )

    def plain_page(
        self,
        types: Sequence[MemoryType] = (),
        scopes: Sequence[MemoryScope] = (),
        status: RecordStatus | None = None,
        page_size: int = 0,
        page_token: str = "",
    ) -> Page:
        """Return a page as the wire has it: without revisions, and without telling drafts from them.

        Raises:
            MemoryError: the next page would be this one again, so that reading all would never end.
        """
        request = pb.ListRecordsRequest(
            type_filter=[enums.type_number(type) for type in types],
            scope_filter=[enums.scope_number(scope) for scope in scopes],
            status_filter=enums.status_number(status) if status else None,
            page_size=page_size,
            page_token=page_token,
        )
        answer = self._call("ListRecords", request, pb.ListRecordsResponse)
        if page_token and answer.next_page_token == page_token:
            raise MemoryError(
                "the provider's list does not end: a page names itself as the next one"
            )
        records = tuple(convert.from_record(record) for record in answer.records)
        return Page(records, answer.next_page_token)

    def get_record(self, id: str) -> Record:
        """See `MemoryProvider.get_record`."""
        answer = self._call("GetRecord", pb.GetRecordRequest(id=id), pb.GetRecordResponse)
        return with_revision(convert.from_record(answer.record))

    def render(self, event: MutationEvent) -> Node:
        """See `MemoryProvider.render`."""
        request = pb.RenderRequest(
            payload=convert.to_event(event), schema_version=convert.EVENT_VERSION
        )
        return from_tree(self._call("Render", request, pb.RenderResponse).tree)

    def send_approval(self, id: str) -> RecordResult:
        """Have whatever waits under an id approved; whoever calls this has compared it."""
        answer = self._call(
            "ApproveRecord", pb.ApproveRecordRequest(id=id), pb.ApproveRecordResponse
        )
        return convert.from_result(answer.result)

    def send_rejection(self, id: str) -> bool:
        """Have whatever waits under an id discarded; whoever calls this has compared it."""
        answer = self._call("RejectRecord", pb.RejectRecordRequest(id=id), pb.RejectRecordResponse)
        return answer.result.deleted

    def _canonical(self, ids: Sequence[str]) -> dict[str, Record]:
        """Return those of some ids that have a canonical record, asked for many at once."""
        found: dict[str, Record] = {}
        for start in range(0, len(ids), _AT_ONCE):
            asked = [
                self._connection.begin(
                    f"{_SERVICE}GetRecord", pb.GetRecordRequest(id=id), pb.GetRecordResponse
                )
                for id in ids[start : start + _AT_ONCE]
            ]
            for pending in asked:
                try:
                    record = convert.from_record(pending.result().record)
                except NotFound:
                    continue  # decided or withdrawn since it was listed
                if not record.pending:
                    found[record.id] = with_revision(record)
        return found

    def _call(self, method: str, request: Message, kind: type[Answer]) -> Answer:
        try:
            return self._connection.call(f"{_SERVICE}{method}", request, kind)
        except ValueError as error:  # grpc's word for a channel that was closed
            raise MemoryError("the connection to the provider was closed") from error


def with_revision(record: Record, base: Record | None = None) -> Record:
    """Return a record with the revision of what was read of it.

    Args:
        base: the canonical record under a pending revision, with its own revision.
    """
    under = base.revision if base and record.pending else ""
    seen = (record.id, record.type, record.scope, record.title, "", record.content, under)
    bound = bound_by(record.session_id, record.project_root, record.provenance)
    revision = revision_of(*seen, bound)
    return replace(record, revision=revision, is_revision=bool(under))
