"""A search's cursor: the rest of what was found, so that a sweep neither misses nor repeats anything.

It holds keys and scores, no text, and grants nothing: each page is read anew within what its caller may
read. It needs no memory of this process and outlives it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import struct
from collections.abc import Sequence
from typing import Any

from store.apus.finding import Found
from store.errors import InvalidArgument

_VERSION = 1
_HEAD = struct.Struct(">B8s")  # version, query
_ITEM = struct.Struct(">QH")  # key, score in ten-thousandths
_SUM = 4  # bytes of checksum


def fingerprint(*asked: Any) -> bytes:
    """Return what tells one search from another, whoever asks."""
    return hashlib.blake2s(json.dumps(asked).encode(), digest_size=8).digest()


def encode(query: bytes, rest: Sequence[Found]) -> str:
    """Return the cursor for the rest of a search."""
    body = _HEAD.pack(_VERSION, query)
    body += b"".join(_ITEM.pack(each.pk, round(each.score * 10_000)) for each in rest)
    return base64.urlsafe_b64encode(body + _checksum(body)).rstrip(b"=").decode()


def decode(cursor: str, query: bytes) -> list[Found]:
    """Return the rest of a search.

    Raises:
        InvalidArgument: it is damaged, or another search's.
    """
    try:
        packed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        body, checksum = packed[:-_SUM], packed[-_SUM:]
        version, asked = _HEAD.unpack(body[: _HEAD.size])
        items = list(_ITEM.iter_unpack(body[_HEAD.size :]))
    except (binascii.Error, ValueError, struct.error):
        raise InvalidArgument("the cursor is not one of this provider's") from None
    if version != _VERSION or checksum != _checksum(body):
        raise InvalidArgument("the cursor is not one of this provider's")
    if asked != query:
        raise InvalidArgument("the cursor belongs to another search")
    return [Found(pk, score / 10_000) for pk, score in items]


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2s(body, digest_size=_SUM, person=b"apuscurs").digest()
