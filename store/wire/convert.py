"""Records, requests and results as messages, and back. Total both ways for what the contract has.

What the wire has no field for (summary, revision, bindings) is left out on the way there and empty on
the way back. What the contract does not allow is refused here, before a provider sees it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from google.protobuf import timestamp_pb2
from google.protobuf.message import DecodeError

from store.errors import InvalidArgument
from store.records import (
    MutationEvent,
    NewRecord,
    Provenance,
    RecallRequest,
    Record,
    RecordResult,
)
from store.wire import enums
from store.wire.gen.pluggableharness.content.v1 import content_pb2
from store.wire.gen.pluggableharness.event.v1 import event_pb2
from store.wire.gen.pluggableharness.memory.v1 import record_pb2, service_pb2
from store.wire.gen.pluggableharness.model.v1 import model_pb2

EVENT_VERSION = "1"  # schema version of MemoryMutationEvent payloads
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_blocks(text: str) -> list[content_pb2.ContentBlock]:
    """Return a text as content: always one text block, the empty text too."""
    return [content_pb2.ContentBlock(text=content_pb2.TextBlock(text=text))]


def from_blocks(blocks: Iterable[content_pb2.ContentBlock]) -> str:
    """Return content as a text: the blocks put together in order, nothing between them.

    Raises:
        InvalidArgument: a block is anything but text; dropping it would lose what somebody meant to keep.
    """
    return "".join(_text(block, number) for number, block in enumerate(blocks, 1))


def _text(block: content_pb2.ContentBlock, number: int) -> str:
    kind = block.WhichOneof("block")
    if kind != "text":
        raise InvalidArgument(f"content block {number} is {kind or 'of an unknown kind'}, not text")
    return block.text.text


def to_timestamp(time: datetime) -> timestamp_pb2.Timestamp:
    """Return an aware datetime as a Timestamp, exact to the microsecond."""
    micros = (time - _EPOCH) // timedelta(microseconds=1)
    seconds, rest = divmod(micros, 1_000_000)
    return timestamp_pb2.Timestamp(seconds=seconds, nanos=rest * 1000)


def from_timestamp(stamp: timestamp_pb2.Timestamp) -> datetime:
    """Return a Timestamp as an aware UTC datetime, nanoseconds cut to microseconds.

    Raises:
        InvalidArgument: the time is outside of the years 1 to 9999, or its nanoseconds are no fraction.
    """
    if not 0 <= stamp.nanos < 1_000_000_000:
        raise InvalidArgument(f"{stamp.nanos} nanoseconds are no fraction of a second")
    try:
        return _EPOCH + timedelta(seconds=stamp.seconds, microseconds=stamp.nanos // 1000)
    except OverflowError:
        raise InvalidArgument("a time outside of the years 1 to 9999") from None


def to_record(record: Record) -> record_pb2.MemoryRecord:
    """Return a record as a message."""
    provenance = record.provenance
    return record_pb2.MemoryRecord(
        id=record.id,
        type=enums.type_number(record.type),
        scope=enums.scope_number(record.scope),
        title=record.title,
        content=to_blocks(record.content),
        tokens=record.tokens,
        status=enums.status_number(record.status),
        links=record.links,
        created_at=to_timestamp(record.created_at),
        updated_at=to_timestamp(record.updated_at),
        provenance=record_pb2.Provenance(
            source_session_id=provenance.source_session_id,
            source_turn_id=provenance.source_turn_id,
            recorded_by=provenance.recorded_by,
        ),
        relevance_score=record.relevance_score,
    )


def from_record(message: record_pb2.MemoryRecord) -> Record:
    """Return a message as a record; times that are unset read as the epoch.

    Raises:
        InvalidType, InvalidScope, InvalidArgument: the message holds what the contract does not have.
    """
    came_from = message.provenance
    turn = came_from.source_turn_id if came_from.HasField("source_turn_id") else None
    score = message.relevance_score if message.HasField("relevance_score") else None
    return Record(
        id=message.id,
        type=enums.type_word(message.type),
        scope=enums.scope_word(message.scope),
        title=message.title,
        content=from_blocks(message.content),
        tokens=message.tokens,
        status=enums.status_word(message.status),
        links=tuple(message.links),
        created_at=from_timestamp(message.created_at),
        updated_at=from_timestamp(message.updated_at),
        provenance=Provenance(came_from.source_session_id, turn, came_from.recorded_by),
        relevance_score=score,
    )


def to_new(new: NewRecord) -> service_pb2.RecordRequest:
    """Return a new record as a request."""
    return service_pb2.RecordRequest(
        type=enums.type_number(new.type),
        scope=enums.scope_number(new.scope),
        id=new.id,
        title=new.title,
        content=to_blocks(new.content),
    )


def from_new(request: service_pb2.RecordRequest) -> NewRecord:
    """Return a request as a new record; an empty id suggests nothing.

    Raises:
        InvalidType, InvalidScope, InvalidArgument: as for `from_record`.
    """
    return NewRecord(
        type=enums.type_word(request.type),
        scope=enums.scope_word(request.scope),
        title=request.title,
        content=from_blocks(request.content),
        id=request.id or None,
    )


def to_result(result: RecordResult) -> record_pb2.RecordResult:
    """Return what a write answers with as a message."""
    return record_pb2.RecordResult(id=result.id, status=enums.status_number(result.status))


def from_result(message: record_pb2.RecordResult) -> RecordResult:
    """Return a message as what a write answers with; InvalidArgument for an unknown status."""
    return RecordResult(message.id, enums.status_word(message.status))


def to_recall(request: RecallRequest) -> service_pb2.RecallRequest:
    """Return a recall request as a message; its free-text query has no field there."""
    return service_pb2.RecallRequest(
        session_id=request.session_id,
        turn_id=request.turn_id,
        token_budget=request.token_budget,
        model_target=model_pb2.ModelTarget(id=request.model),
        files_touched=request.files_touched,
        working_directory=request.working_directory,
        type_filter=[enums.type_number(type) for type in request.types],
        scope_filter=[enums.scope_number(scope) for scope in request.scopes],
        include_pending=request.include_pending,
    )


def from_recall(message: service_pb2.RecallRequest) -> RecallRequest:
    """Return a message as a recall request; InvalidType or InvalidScope for an unknown filter."""
    return RecallRequest(
        token_budget=message.token_budget,
        session_id=message.session_id,
        turn_id=message.turn_id,
        model=message.model_target.id,
        files_touched=tuple(message.files_touched),
        working_directory=message.working_directory,
        types=enums.type_words(message.type_filter),
        scopes=enums.scope_words(message.scope_filter),
        include_pending=message.include_pending,
    )


def to_event(event: MutationEvent) -> bytes:
    """Return a memory event as the payload that Emit takes and Render gets."""
    message = event_pb2.MemoryMutationEvent(
        record_id=event.record_id, content=to_blocks(event.content), attributes=event.attributes
    )
    return message.SerializeToString()


def from_event(payload: bytes) -> MutationEvent:
    """Return a payload as a memory event.

    Raises:
        InvalidArgument: the bytes are no such event, or its content is not text.
    """
    try:
        message = event_pb2.MemoryMutationEvent.FromString(payload)
    except DecodeError:
        raise InvalidArgument("the payload is no memory event") from None
    return MutationEvent(message.record_id, from_blocks(message.content), dict(message.attributes))
