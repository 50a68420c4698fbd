"""What an agent wrote while its host flushed its context: a retry of the flush writes nothing again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from store.audience import Audience
from store.clock import DAY
from store.tables import flush

_KEPT = 30 * DAY  # a host retries within minutes

_FIND = select(flush.c.record_id).where(
    flush.c.agent_id == bindparam("agent_id"),
    flush.c.flush == bindparam("flush"),
    flush.c.content == bindparam("content"),
)
_KEEP = insert(flush)
_DROP = delete(flush).where(flush.c.at < bindparam("before"))


class Flush:
    """One write of one flush.

    Args:
        flush_id: the host's name of the flush, the same for all its retries.
        arguments: of memory_remember: the kind and the text say what is the same, the title does not.
    """

    def __init__(self, audience: Audience, flush_id: str, arguments: Mapping[str, Any]) -> None:
        written = [*astuple(audience), *(arguments[name] for name in ("type", "scope", "content"))]
        self._key = {
            "agent_id": audience.agent_id,
            "flush": hashlib.sha256(flush_id.encode()).hexdigest(),
            "content": hashlib.sha256(json.dumps(written).encode()).hexdigest(),
        }

    def earlier(self, conn: Connection) -> str | None:
        """Return the id of what this flush has written already with this text, whatever became of it."""
        found: str | None = conn.execute(_FIND, self._key).scalar()
        return found

    def note(self, conn: Connection, record_id: str, now: int) -> None:
        """Keep that it was written, in the transaction that writes it."""
        conn.execute(_DROP, {"before": now - _KEPT})
        conn.execute(_KEEP, {**self._key, "record_id": record_id, "at": now})
