"""Times as the store keeps them: whole microseconds since the epoch, UTC."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

Clock: TypeAlias = Callable[[], int]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = 86_400_000_000  # µs
_MICROSECOND = timedelta(microseconds=1)


def now() -> int:
    """Return the present in microseconds."""
    return time.time_ns() // 1000


def to_micros(moment: datetime) -> int:
    """Return a moment in microseconds, exactly; a naive one counts as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return microseconds as an aware UTC datetime, exactly."""
    return EPOCH + timedelta(0, 0, micros)
