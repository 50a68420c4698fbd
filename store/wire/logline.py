"""A log line on its way to the host. No protobuf here: lines are written before that is loaded."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LogLine:
    """A log line.

    Args:
        level: one of the host's six words: trace, debug, info, warn, error, fatal.
        logger: who says it.
        seconds: since the epoch.
        fields: further values, for machines.
    """

    level: str
    logger: str
    message: str
    seconds: float
    fields: dict[str, bool | int | float | str | None] = field(default_factory=dict)
