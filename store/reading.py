"""Rows of `record` as the values that readers get, from whatever read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from store.clock import from_micros
from store.errors import MemoryError
from store.records import (
    Audience,
    Echo,
    MemoryScope,
    MemoryType,
    Provenance,
    Record,
    RecordStatus,
)

# What `to_record` reads: the columns of `record`, in order.
COLUMNS = (
    "pk",
    "id",
    "status",
    "type",
    "scope",
    "title",
    "summary",
    "content",
    "tokens",
    "links",
    "content_hash",
    "revision",
    "base_revision",
    "created_at",
    "updated_at",
    "source_session_id",
    "source_turn_id",
    "recorded_by",
    "session_id",
    "project_root",
    "agent_id",
    "conversation_key",
    "conversation_id",
    "removes",
    "echo",
    "rewritten_by",
)

# This runs for every row of every page: by position, and through dicts, it takes a quarter of the time
# that names, enum calls and `json.loads` take.
_STATUSES = {each.value: each for each in RecordStatus}
_TYPES = {each.value: each for each in MemoryType}
_SCOPES = {each.value: each for each in MemoryScope}
_READ_JSON = json.JSONDecoder().raw_decode
_PENDING = RecordStatus.PENDING.value
_provenance = lru_cache(maxsize=1024)(Provenance)
_audience = lru_cache(maxsize=1024)(Audience)


class _Filling:
    """A record whose fields are being set. It becomes one by its class, for their layouts are alike.

    The constructor of a frozen dataclass goes through `object.__setattr__` for each field, six times slower.
    """

    __slots__ = tuple(Record.__slots__)


def to_record(row: Sequence[Any]) -> Record:
    """Return an entry from a row that starts with `COLUMNS`.

    Raises:
        MemoryError: it holds what nothing here writes.
    """
    try:
        return _to_record(row)
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise MemoryError(
            f"the record {str(row[COLUMNS.index('id')])[:100]!r} is damaged",
            hint="Run `memory-inbox doctor`: it tells what is wrong, and what can be mended.",
        ) from error


def _to_record(row: Sequence[Any]) -> Record:
    (
        _pk,
        id,
        status,
        type,
        scope,
        title,
        summary,
        content,
        tokens,
        links,
        _content_hash,
        revision,
        base_revision,
        created_at,
        updated_at,
        source_session_id,
        source_turn_id,
        recorded_by,
        session_id,
        project_root,
        agent_id,
        conversation_key,
        conversation_id,
        removes,
        echo,
        rewritten_by,
        *_further,
    ) = tuple(row)
    created = from_micros(created_at)
    entry: Any = _Filling()
    entry.id = id
    entry.type = _TYPES[type]
    entry.scope = _SCOPES[scope]
    entry.title = title
    entry.content = content
    entry.tokens = tokens
    entry.status = _STATUSES[status]
    entry.links = () if links == "[]" else tuple(_READ_JSON(links)[0])
    entry.created_at = created
    entry.updated_at = created if updated_at == created_at else from_micros(updated_at)
    entry.provenance = _provenance(source_session_id, source_turn_id, recorded_by)
    entry.relevance_score = None
    entry.summary = summary
    entry.revision = revision
    entry.is_revision = status == _PENDING and base_revision is not None
    entry.removes = bool(removes)
    entry.session_id = session_id
    entry.project_root = project_root
    entry.audience = _audience(agent_id, conversation_key, conversation_id) if agent_id else None
    entry.echo = Echo(*_READ_JSON(echo)[0]) if echo else None
    entry.rewritten_by = rewritten_by
    entry.__class__ = Record
    whole: Record = entry
    return whole
