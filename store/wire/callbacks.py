"""Requests to the host's callback service."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf import timestamp_pb2

from store.records import MutationEvent
from store.wire.convert import EVENT_VERSION, to_blocks, to_event
from store.wire.gen.pluggableharness.kernel.v1 import callback_pb2
from store.wire.gen.pluggableharness.log.v1 import log_pb2
from store.wire.gen.pluggableharness.model.v1 import model_pb2
from store.wire.logline import LogLine
from store.wire.structs import to_struct


def to_count(text: str, model: str) -> callback_pb2.CountTokensRequest:
    """Return the question how many tokens a text is; without a model, the host's own counts."""
    ref = model_pb2.ModelRef(id=model) if model else None
    return callback_pb2.CountTokensRequest(content=to_blocks(text), model_ref=ref)


def from_count(answer: bytes) -> int:
    """Return the tokens that a host counted; never less than none."""
    return max(callback_pb2.CountTokensResult.FromString(answer).count, 0)


def to_emit(session_id: str, kind: str, event: MutationEvent) -> callback_pb2.EmitRequest:
    """Return the request to store a memory event.

    Args:
        kind: ``memory_write``, ``memory_update`` or ``memory_delete``.
    """
    return callback_pb2.EmitRequest(
        session_id=session_id,
        kind=callback_pb2.EventKind.Value(f"EVENT_KIND_{kind.upper()}"),
        schema_version=EVENT_VERSION,
        payload=to_event(event),
    )


def to_log(lines: Iterable[LogLine]) -> callback_pb2.LogRequest:
    """Return a batch of log lines; they belong to no session."""
    return callback_pb2.LogRequest(entries=[_to_entry(line) for line in lines])


def _to_entry(line: LogLine) -> log_pb2.LogEntry:
    seconds, fraction = divmod(line.seconds, 1)
    return log_pb2.LogEntry(
        level=log_pb2.LogLevel.Value(f"LOG_LEVEL_{line.level.upper()}"),
        logger=line.logger,
        message=line.message,
        fields=to_struct(line.fields),
        time=timestamp_pb2.Timestamp(seconds=int(seconds), nanos=int(fraction * 1_000_000_000)),
    )
