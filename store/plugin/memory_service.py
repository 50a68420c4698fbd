"""`memory.v1.MemoryService`: each call turned into an operation of the provider, and back."""

from __future__ import annotations

from collections.abc import Mapping

from render.tree import Text, TextStyle
from store.errors import InvalidArgument
from store.plugin.backend import Backend
from store.plugin.calls import Call, Method
from store.records import MutationEvent, Origin
from store.wire import convert, enums, offers
from store.wire.gen.pluggableharness.memory.v1 import record_pb2
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from store.wire.structs import from_struct
from store.wire.trees import to_tree

_ORIGIN = Origin(recorded_by="host")


class MemoryService:
    """All twelve calls. Approving and rejecting are the operator's; the host asks them for no model."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._provider = backend.provider

    @property
    def methods(self) -> Mapping[str, Method]:
        """All methods, by name."""
        return {
            "Describe": (pb.DescribeRequest, self.describe),
            "GetCapabilities": (pb.GetCapabilitiesRequest, self.get_capabilities),
            "Configure": (pb.ConfigureRequest, self.configure),
            "Recall": (pb.RecallRequest, self.recall),
            "Record": (pb.RecordRequest, self.record),
            "UpdateRecord": (pb.UpdateRecordRequest, self.update_record),
            "DeleteRecord": (pb.DeleteRecordRequest, self.delete_record),
            "ApproveRecord": (pb.ApproveRecordRequest, self.approve_record),
            "RejectRecord": (pb.RejectRecordRequest, self.reject_record),
            "ListRecords": (pb.ListRecordsRequest, self.list_records),
            "GetRecord": (pb.GetRecordRequest, self.get_record),
            "Render": (pb.RenderRequest, self.render),
        }

    def describe(self, request: pb.DescribeRequest, call: Call) -> pb.DescribeResponse:
        """Say who serves."""
        return pb.DescribeResponse(producer=offers.to_producer(self._provider.describe()))

    def get_capabilities(
        self, request: pb.GetCapabilitiesRequest, call: Call
    ) -> pb.GetCapabilitiesResponse:
        """Say what is offered."""
        offer = offers.to_capabilities(self._provider.get_capabilities())
        return pb.GetCapabilitiesResponse(capabilities=offer)

    def configure(self, request: pb.ConfigureRequest, call: Call) -> pb.ConfigureResponse:
        """Take the configuration; from here on the store may be opened."""
        self._provider.configure(from_struct(request.config))
        self._backend.open_soon()
        return pb.ConfigureResponse()

    def recall(self, request: pb.RecallRequest, call: Call) -> pb.RecallResponse:
        """Return what a turn gets."""
        found = self._provider.recall(convert.from_recall(request))
        return pb.RecallResponse(records=[convert.to_record(record) for record in found])

    def record(self, request: pb.RecordRequest, call: Call) -> pb.RecordResponse:
        """Write a new record."""
        result = self._provider.record(convert.from_new(request), _ORIGIN)
        return pb.RecordResponse(result=convert.to_result(result))

    def update_record(self, request: pb.UpdateRecordRequest, call: Call) -> pb.UpdateRecordResponse:
        """Replace a text."""
        title = request.title if request.HasField("title") else None
        text = convert.from_blocks(request.content)
        result = self._provider.update_record(request.id, text, title, _ORIGIN)
        return pb.UpdateRecordResponse(result=convert.to_result(result))

    def delete_record(self, request: pb.DeleteRecordRequest, call: Call) -> pb.DeleteRecordResponse:
        """Move a record to the trash, or withdraw a draft."""
        deleted = self._provider.delete_record(request.id, _ORIGIN)
        return pb.DeleteRecordResponse(result=record_pb2.DeleteResult(deleted=deleted))

    def approve_record(
        self, request: pb.ApproveRecordRequest, call: Call
    ) -> pb.ApproveRecordResponse:
        """Ratify a draft. The wire does not say which revision was looked at: clients compare first."""
        result = self._provider.approve_record(request.id)
        return pb.ApproveRecordResponse(result=convert.to_result(result))

    def reject_record(self, request: pb.RejectRecordRequest, call: Call) -> pb.RejectRecordResponse:
        """Discard a draft."""
        deleted = self._provider.reject_record(request.id)
        return pb.RejectRecordResponse(result=record_pb2.DeleteResult(deleted=deleted))

    def list_records(self, request: pb.ListRecordsRequest, call: Call) -> pb.ListRecordsResponse:
        """Return a page; a status filter of the unspecified value is none."""
        page = self._provider.list_records(
            enums.type_words(request.type_filter),
            enums.scope_words(request.scope_filter),
            enums.status_word(request.status_filter) if request.status_filter else None,
            request.page_size,
            request.page_token,
        )
        records = [convert.to_record(record) for record in page.records]
        return pb.ListRecordsResponse(records=records, next_page_token=page.next_page_token)

    def get_record(self, request: pb.GetRecordRequest, call: Call) -> pb.GetRecordResponse:
        """Return one record."""
        record = self._provider.get_record(request.id)
        return pb.GetRecordResponse(record=convert.to_record(record))

    def render(self, request: pb.RenderRequest, call: Call) -> pb.RenderResponse:
        """Draw a memory event."""
        event = read_event(request.payload, request.schema_version)
        tree = event if isinstance(event, Text) else self._provider.render(event)
        return pb.RenderResponse(tree=to_tree(tree))


def read_event(payload: bytes, version: str) -> MutationEvent | Text:
    """Return a payload as a memory event, or the notice to show for one that cannot be read."""
    if version != convert.EVENT_VERSION:
        return notice(
            f"This memory event has the form {version!r}, which this version cannot read."
        )
    try:
        return convert.from_event(payload)
    except InvalidArgument as error:
        return notice(f"This memory event cannot be read: {error}.")


def notice(text: str) -> Text:
    """Return a plain notice."""
    return Text(text, TextStyle.WARNING)
