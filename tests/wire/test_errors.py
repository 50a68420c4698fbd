"""Each failure has the code of its category and says the rest in two details."""

from __future__ import annotations

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from store import errors
from store.wire.errors import LONGEST_MESSAGE, Failure, from_call, to_failure, wire_text
from store.wire.gen.pluggableharness.memory.v1 import error_pb2

Code = grpc.StatusCode
CASES = [
    (errors.NotFound.record("x"), Code.NOT_FOUND, "not_found", False),
    (errors.InvalidType("t"), Code.INVALID_ARGUMENT, "invalid_type", False),
    (errors.InvalidScope("s"), Code.INVALID_ARGUMENT, "invalid_scope", False),
    (
        errors.RatificationUnsupported("r"),
        Code.FAILED_PRECONDITION,
        "ratification_unsupported",
        False,
    ),
    (errors.BudgetExceeded("b", smallest=7), Code.RESOURCE_EXHAUSTED, "budget_exceeded", False),
    (errors.SourceUnavailable("u"), Code.UNAVAILABLE, "source_unavailable", True),
    (errors.Conflict("c"), Code.INTERNAL, "unknown", False),
    (errors.InvalidArgument("a"), Code.INTERNAL, "unknown", False),
    (errors.MemoryError("m"), Code.INTERNAL, "unknown", False),
]


class FailedCall(grpc.RpcError):
    """A failed call as a client sees it."""

    def __init__(self, failure: Failure) -> None:
        self._failure = failure

    def code(self) -> grpc.StatusCode:
        return self._failure.code

    def details(self) -> str:
        return self._failure.details

    def trailing_metadata(self):  # type: ignore[no-untyped-def]
        return self._failure.trailing_metadata


@pytest.mark.parametrize(("error", "code", "reason", "retryable"), CASES, ids=lambda it: str(it))
def test_category_code_and_both_details(
    error: errors.MemoryError, code: grpc.StatusCode, reason: str, retryable: bool
) -> None:
    failure = to_failure(error)
    ((key, trailer),) = failure.trailing_metadata
    assert (failure.code, key) == (code, "grpc-status-details-bin")
    status = status_pb2.Status.FromString(trailer)
    assert (status.code, status.message) == (code.value[0], failure.details)
    ours, info = error_pb2.MemoryError(), error_details_pb2.ErrorInfo()
    assert len(status.details) == 2
    assert status.details[0].Unpack(ours)
    assert status.details[1].Unpack(info)
    name = error_pb2.MemoryErrorCategory.Name(ours.category)
    assert (name, ours.retryable) == (f"MEMORY_ERROR_CATEGORY_{reason.upper()}", retryable)
    assert (info.reason, info.domain) == (reason, "memory.pluggableharness.dev")
    assert dict(info.metadata) == {"retryable": str(retryable).lower()}


@pytest.mark.parametrize("error", [case[0] for case in CASES], ids=str)
def test_the_client_reads_the_category_back(error: errors.MemoryError) -> None:
    read = from_call(FailedCall(to_failure(error)))
    assert (read.category, read.retryable, str(read)) == (
        error.category,
        error.retryable,
        str(error),
    )


def test_a_hint_goes_along() -> None:
    assert to_failure(errors.MemoryError("no luck", hint="Try harder.")).details == (
        "no luck. Try harder."
    )


def test_a_long_or_broken_message_still_fits_a_trailer() -> None:
    """A peer drops a call whose trailers are over 8 KB: the caller would not learn what was wrong."""
    failure = to_failure(errors.NotFound("\ud800" + "漢" * 100_000))
    assert len(failure.details.encode()) <= LONGEST_MESSAGE
    assert failure.details.startswith("?漢")
    assert failure.details.endswith("…")
    assert len(failure.trailing_metadata[0][1]) < 4096
    assert wire_text("ß" * 9, longest=10) == "ßßß…"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (Code.NOT_FOUND, errors.NotFound),
        (Code.UNAVAILABLE, errors.SourceUnavailable),
        (Code.DEADLINE_EXCEEDED, errors.SourceUnavailable),
        (Code.UNIMPLEMENTED, errors.NotOffered),
        (Code.DATA_LOSS, errors.MemoryError),
    ],
)
def test_a_peer_without_details_is_read_by_its_code(
    code: grpc.StatusCode, expected: type[errors.MemoryError]
) -> None:
    for trailers in ((), (("grpc-status-details-bin", b"\xff\xff"),)):
        assert type(from_call(FailedCall(Failure(code, "said", trailers)))) is expected


def test_error_info_alone_is_enough() -> None:
    failure = to_failure(errors.InvalidScope("s"))
    status = status_pb2.Status.FromString(failure.trailing_metadata[0][1])
    del status.details[0]
    alone = ((failure.trailing_metadata[0][0], status.SerializeToString()),)
    assert isinstance(
        from_call(FailedCall(failure._replace(trailing_metadata=alone))), errors.InvalidScope
    )


def test_a_category_of_a_newer_contract_is_unknown() -> None:
    told = error_pb2.MemoryError(category=99, message="odd")  # type: ignore[arg-type]
    failure = to_failure(errors.MemoryError("odd"))
    status = status_pb2.Status.FromString(failure.trailing_metadata[0][1])
    status.details[0].Pack(told)
    newer = ((failure.trailing_metadata[0][0], status.SerializeToString()),)
    read = from_call(FailedCall(failure._replace(trailing_metadata=newer)))
    assert (type(read), str(read)) == (errors.MemoryError, "odd")
