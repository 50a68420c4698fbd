"""What is told of a tool's write: the events that a host keeps and draws."""

from __future__ import annotations

from store.records import MutationEvent, NewRecord, Record, RecordResult


def written(new: NewRecord, result: RecordResult) -> MutationEvent:
    """Return the event that tells of a write."""
    return _event(
        result.id,
        new.content,
        type=new.type.value,
        scope=new.scope.value,
        status=result.status.value,
        title=new.title,
    )


def deleted(record: Record) -> MutationEvent:
    """Return the event that tells of a record's end."""
    return _event(
        record.id,
        "",
        type=record.type.value,
        scope=record.scope.value,
        status=record.status.value,
        title=record.title,
    )


def _event(id: str, content: str, **attributes: str) -> MutationEvent:
    return MutationEvent(id, content, attributes)
