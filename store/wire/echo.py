"""Hand a hook's payload back byte for byte, whatever a newer host has put in it.

Decoding and encoding again keeps unknown fields but not their place among the known ones. So the bytes
of the field are cut out of the request as they came. Format: protobuf's encoding of length-delimited
fields, <https://protobuf.dev/programming-guides/encoding/>.
"""

from __future__ import annotations

_VARINT, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5


def field_bytes(message: bytes, number: int) -> bytes | None:
    """Return the content of a message-typed field, None when it is absent.

    A field that occurs more than once is joined: that is how readers merge messages.

    Raises:
        ValueError: the bytes are no protobuf message.
    """
    found: list[bytes] = []
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        length, at = _length(message, at, tag & 7)
        if at + length > len(message):
            raise ValueError("a field ends after its message")
        if tag >> 3 == number and tag & 7 == _DELIMITED:
            found.append(message[at : at + length])
        at += length
    return b"".join(found) if found else None


def delimited(number: int, content: bytes) -> bytes:
    """Return one length-delimited field with its tag."""
    return _to_varint(number << 3 | _DELIMITED) + _to_varint(len(content)) + content


def _length(message: bytes, at: int, kind: int) -> tuple[int, int]:
    """Return how many bytes a field's content takes, and where it begins."""
    if kind == _VARINT:
        return _varint(message, at)[1] - at, at
    if kind == _DELIMITED:
        return _varint(message, at)
    if kind in (_FIXED64, _FIXED32):
        return (8 if kind == _FIXED64 else 4), at
    raise ValueError(f"wire type {kind} is not used in proto3")


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            raise ValueError("a number ends after its message")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError("a number of more than ten bytes")


def _to_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
