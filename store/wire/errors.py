"""Failures on the wire: a category decides the code, two details say the rest.

The details ride in the trailer ``grpc-status-details-bin`` as a `google.rpc.Status`:
`memory.v1.MemoryError`, then `google.rpc.ErrorInfo`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from store.errors import (
    BudgetExceeded,
    ErrorCategory,
    InvalidScope,
    InvalidType,
    MemoryError,
    NotFound,
    NotOffered,
    RatificationUnsupported,
    SourceUnavailable,
)
from store.wire.gen.pluggableharness.memory.v1 import error_pb2

DOMAIN = "memory.pluggableharness.dev"
TRAILER = "grpc-status-details-bin"
# A trailer over 8 KB fails the whole call at the other end, and a message is in it three times.
LONGEST_MESSAGE = 600

CODES = {
    ErrorCategory.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    ErrorCategory.INVALID_TYPE: grpc.StatusCode.INVALID_ARGUMENT,
    ErrorCategory.INVALID_SCOPE: grpc.StatusCode.INVALID_ARGUMENT,
    ErrorCategory.RATIFICATION_UNSUPPORTED: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorCategory.BUDGET_EXCEEDED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    ErrorCategory.SOURCE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    ErrorCategory.UNKNOWN: grpc.StatusCode.INTERNAL,
}
_CLASSES: dict[ErrorCategory, type[MemoryError]] = {
    cls.category: cls
    for cls in (NotFound, InvalidType, InvalidScope, RatificationUnsupported, SourceUnavailable)
}
# What a code alone says, from a peer that sends no details. A budget or type cannot be told from it.
_BY_CODE: dict[grpc.StatusCode, tuple[type[MemoryError], str]] = {
    grpc.StatusCode.NOT_FOUND: (NotFound, "there is no such record"),
    grpc.StatusCode.UNAVAILABLE: (SourceUnavailable, "the provider cannot be reached"),
    grpc.StatusCode.DEADLINE_EXCEEDED: (SourceUnavailable, "the provider took too long"),
    grpc.StatusCode.UNIMPLEMENTED: (NotOffered, "the provider does not have this call"),
}


class Failure(NamedTuple):
    """A failed call's status: what `grpc.ServicerContext.abort_with_status` takes."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, bytes], ...]


def wire_text(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """Return a text that fits a protobuf string: no lone surrogates, cut to so many UTF-8 bytes."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= longest:
        return encoded.decode()
    return encoded[: longest - 3].decode("utf-8", "ignore") + "…"


def said_by(error: MemoryError) -> str:
    """Return what an error says, its hint included, short and clean enough for the wire."""
    said = f"{error}. {error.hint}" if error.hint else str(error)
    return wire_text(said or error.title)


def to_failure(error: MemoryError) -> Failure:
    """Return the status of an error."""
    message = said_by(error)
    number = error_pb2.MemoryErrorCategory.Value(f"MEMORY_ERROR_CATEGORY_{error.category.name}")
    ours = error_pb2.MemoryError(category=number, message=message, retryable=error.retryable)
    info = error_details_pb2.ErrorInfo(
        reason=error.category.value,
        domain=DOMAIN,
        metadata={"retryable": "true" if error.retryable else "false"},
    )
    code = CODES[error.category]
    # grpcio pairs the number with its name in the value of a code.
    status = status_pb2.Status(code=code.value[0], message=message)
    status.details.extend([_packed(ours), _packed(info)])
    return Failure(code, message, ((TRAILER, status.SerializeToString()),))


def from_call(error: grpc.RpcError) -> MemoryError:
    """Return what a failed call of ours meant; the details win over the code."""
    code = error.code()
    said = error.details() or code.name.lower()
    for detail in _details(error):
        told = error_pb2.MemoryError()
        if detail.Is(told.DESCRIPTOR) and detail.Unpack(told):
            return _told(told)
        info = error_details_pb2.ErrorInfo()
        if detail.Is(info.DESCRIPTOR) and detail.Unpack(info) and info.domain == DOMAIN:
            return _error(_category(info.reason), said)
    kind, meaning = _BY_CODE.get(code, (MemoryError, "the call failed"))
    return kind(f"{meaning}: {said}")


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


def _told(told: error_pb2.MemoryError) -> MemoryError:
    known = told.category in error_pb2.MemoryErrorCategory.values()
    name = error_pb2.MemoryErrorCategory.Name(told.category) if known else ""
    word = name.removeprefix("MEMORY_ERROR_CATEGORY_").lower()
    return _error(_category(word), told.message or word)


def _category(word: str) -> ErrorCategory:
    try:
        return ErrorCategory(word)
    except ValueError:
        return ErrorCategory.UNKNOWN


def _error(category: ErrorCategory, message: str) -> MemoryError:
    if category is ErrorCategory.BUDGET_EXCEEDED:
        return BudgetExceeded(message, smallest=0)  # the number is in the message only
    return _CLASSES.get(category, MemoryError)(message)


def _details(error: grpc.RpcError) -> list[any_pb2.Any]:
    """Return a failed call's details; none when the trailer is missing or damaged."""
    trailers = cast("Iterable[tuple[str, str | bytes]]", error.trailing_metadata() or ())
    for key, value in trailers:
        if key == TRAILER and isinstance(value, bytes):
            try:
                return list(status_pb2.Status.FromString(value).details)
            except DecodeError:
                return []
    return []
