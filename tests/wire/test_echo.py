"""A transformed payload is the one that came, to the byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from store.wire.echo import delimited, field_bytes
from store.wire.gen.pluggableharness.hook.v1 import payload_pb2, service_pb2


@given(st.binary(max_size=300), st.binary(max_size=300), st.integers(3, 2**29 - 1))
def test_a_field_is_cut_out_as_it_was(content: bytes, other: bytes, number: int) -> None:
    message = b"\x10\x02" + delimited(number, other) + delimited(1, content) + b"\x5d\0\0\0\0"
    assert field_bytes(message, 1) == content


@given(st.binary(max_size=200))
def test_any_bytes_are_scanned_or_refused(message: bytes) -> None:
    try:
        found = field_bytes(message, 1)
    except ValueError:
        return
    assert found is None or found in message or len(found) <= len(message)


def test_the_echo_is_what_protobuf_reads_as_the_same_field() -> None:
    """Unknown fields and their place among the known ones are kept; a split field is merged."""
    newer = (
        b"\xfa\x3e\x02hi"
        + payload_pb2.HookPayload(
            session_end=payload_pb2.SessionEndPayload(session_id="s")
        ).SerializeToString()
    )
    request = delimited(1, newer) + b"\x10\x02"
    assert service_pb2.DispatchHookRequest.FromString(request).payload.session_end.session_id == "s"
    answer = delimited(2, delimited(1, field_bytes(request, 1) or b""))
    read = service_pb2.DispatchHookResponse.FromString(answer)
    assert read.WhichOneof("outcome") == "transform"
    assert (
        read.transform.payload.SerializeToString(deterministic=True) != newer
    )  # order is lost there
    assert newer in answer
    assert field_bytes(delimited(1, b"a") + delimited(1, b"b"), 1) == b"ab"


def test_an_absent_field_is_none() -> None:
    assert field_bytes(b"\x10\x02", 1) is None
