"""What a failure is to the plugin: a JSON-RPC error whose message has no text of a record and no path."""

from __future__ import annotations

from typing import Any

from store.agents.calls import Cancelled
from store.errors import (
    BudgetExceeded,
    Conflict,
    InvalidArgument,
    InvalidScope,
    InvalidType,
    MemoryError,
    NotFound,
    RatificationUnsupported,
    SourceUnavailable,
    StoreTooNew,
)


class PermissionDenied(MemoryError):
    """The host's authority does not reach that far."""

    title = "Not allowed"


class TooLarge(MemoryError):
    """A request or an answer is longer than a line may be."""

    title = "Too large"


class NotRequest(MemoryError):
    """A line that is no request, or one that may not come now."""

    title = "Not a request"


class NoMethod(MemoryError):
    """A method that there is not."""

    title = "No such method"


class NoJson(MemoryError):
    """A line that is no JSON."""

    title = "Not JSON"


class Overloaded(MemoryError):
    """More requests wait than are held; the same one may work later."""

    title = "Too busy"


# Class, code, kind, and whether its own words may go out: some name the store's path.
_KINDS: tuple[tuple[type[Exception], int, str, bool], ...] = (
    (NoJson, -32700, "invalid_argument", True),
    (NotRequest, -32600, "invalid_argument", True),
    (NoMethod, -32601, "invalid_argument", True),
    (Cancelled, -32800, "cancelled", False),
    (PermissionDenied, -32001, "permission_denied", True),
    (NotFound, -32002, "not_found", True),
    (Conflict, -32003, "conflict", True),
    (Overloaded, -32004, "unavailable", True),
    (SourceUnavailable, -32004, "unavailable", False),
    (StoreTooNew, -32004, "unavailable", False),
    (TooLarge, -32005, "too_large", True),
    (BudgetExceeded, -32602, "invalid_argument", True),
    (InvalidArgument, -32602, "invalid_argument", True),
    (InvalidType, -32602, "invalid_argument", True),
    (InvalidScope, -32602, "invalid_argument", True),
    (RatificationUnsupported, -32603, "internal", True),
)


def failure(error: Exception) -> dict[str, Any]:
    """Return an exception as a JSON-RPC error object."""
    for kind, code, word, spoken in _KINDS:
        if isinstance(error, kind):
            return {"code": code, "message": _words(error, spoken), "data": {"kind": word}}
    title = error.title if isinstance(error, MemoryError) else "Something went wrong"
    return {"code": -32603, "message": title, "data": {"kind": "internal"}}


def _words(error: Exception, spoken: bool) -> str:
    if not isinstance(error, MemoryError):
        return "Cancelled"
    if not spoken:
        return error.title
    return f"{error}. {error.hint}" if error.hint else str(error)
