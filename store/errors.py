"""The MemoryError family: one class a category of the contract, with a title for people.

Each error says what happened (``str(error)``) and, in ``hint``, how to mend it. ``title`` is what a
dialog or the first line on stderr shows. Categories map to gRPC codes in the wire package only.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar


class ErrorCategory(StrEnum):
    """Categories of `memory.v1.MemoryErrorCategory`, lower case."""

    NOT_FOUND = "not_found"
    INVALID_TYPE = "invalid_type"
    INVALID_SCOPE = "invalid_scope"
    RATIFICATION_UNSUPPORTED = "ratification_unsupported"
    BUDGET_EXCEEDED = "budget_exceeded"
    SOURCE_UNAVAILABLE = "source_unavailable"
    UNKNOWN = "unknown"


class MemoryError(Exception):
    """A failure that callers of a provider are told about.

    Args:
        message: what happened, for people; never a path's secrets, never record text.
        hint: what to do about it; empty when there is nothing to do.
    """

    category: ClassVar[ErrorCategory] = ErrorCategory.UNKNOWN
    title: ClassVar[str] = "Something went wrong"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class NotFound(MemoryError):
    """No record, draft or trash item has this id."""

    category = ErrorCategory.NOT_FOUND
    title = "Not found"

    @classmethod
    def record(cls, id: str) -> NotFound:
        """Return the error for an id that names no record."""
        shown = id if len(id) <= 100 else f"{id[:99]}…"
        return cls(f"no record has the id {shown!r}" if id else "the id is empty")


class InvalidType(MemoryError):
    """A memory type that the contract does not have."""

    category = ErrorCategory.INVALID_TYPE
    title = "Invalid type"


class InvalidScope(MemoryError):
    """A scope that the contract does not have."""

    category = ErrorCategory.INVALID_SCOPE
    title = "Invalid scope"


class RatificationUnsupported(MemoryError):
    """Approve and reject where ratification is switched off."""

    category = ErrorCategory.RATIFICATION_UNSUPPORTED
    title = "Ratification is off"


class BudgetExceeded(MemoryError):
    """There are candidates, but the smallest is larger than the token budget."""

    category = ErrorCategory.BUDGET_EXCEEDED
    title = "Budget too small"

    def __init__(self, message: str, *, smallest: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.smallest = smallest

    @classmethod
    def of(cls, budget: int, smallest: int) -> BudgetExceeded:
        """Return the error for a budget that not even the smallest candidate fits, both in tokens."""
        return cls(
            f"no memory fits {budget} tokens; the smallest has {smallest}",
            smallest=smallest,
            hint=f"Allow {smallest} tokens or more.",
        )


class SourceUnavailable(MemoryError):
    """The database is locked, unreachable or on a failing disk; the same call may work later."""

    category = ErrorCategory.SOURCE_UNAVAILABLE
    title = "The store cannot be reached"
    retryable = True


class Collided(SourceUnavailable):
    """The database gave up this transaction in favour of another one; nothing of it was done."""


class ReadOnly(MemoryError):
    """The store was opened so that nothing can be written; nothing was changed."""

    title = "Nothing may be written"


class Conflict(MemoryError):
    """The draft is no longer what the operator looked at; nothing was changed."""

    title = "Changed since you looked"


class Claimed(Conflict):
    """Somebody else is about to decide the draft; nothing was changed."""

    title = "Claimed by somebody else"


class InvalidArgument(MemoryError):
    """An argument that no retry will make right: a page token, a page size, an empty text."""

    title = "That does not work"


class StoreTooNew(MemoryError):
    """The database was written by a newer version; it was left untouched."""

    title = "The store is from a newer version"


class NotOffered(MemoryError):
    """An operator's extra that this provider does not have."""

    title = "This provider does not offer that"
