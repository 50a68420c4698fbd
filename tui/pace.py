"""How fast a sitting goes: decisions a minute, pauses left out."""

from __future__ import annotations

from datetime import datetime, timedelta

PAUSE = timedelta(minutes=2)
"""Time between two decisions counts up to this: who is away longer is not slow."""


class Pace:
    """Follows how many drafts are decided.

    Args:
        decided: how many were, when the sitting began.
    """

    def __init__(self, began: datetime, decided: int = 0) -> None:
        self._before = decided
        self._last = began
        self._worked = timedelta()
        self.decisions = 0
        """Drafts decided in this sitting, those left out that were undone."""

    def note(self, decided: int, now: datetime) -> None:
        """Take note of how many drafts are decided now, applied ones with them."""
        self._worked += min(max(now - self._last, timedelta()), PAUSE)
        self._last = now
        self.decisions = max(decided - self._before, 0)

    @property
    def minutes(self) -> float:
        """Minutes of work."""
        return self._worked.total_seconds() / 60

    @property
    def per_minute(self) -> float | None:
        """Decisions a minute; None before there is anything to tell it from."""
        return self.decisions / self.minutes if self.decisions and self.minutes else None

    def minutes_for(self, drafts: int) -> float | None:
        """Return how many minutes more drafts take at this pace; None while it is unknown."""
        return drafts / self.per_minute if self.per_minute else None
