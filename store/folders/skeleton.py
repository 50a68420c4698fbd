"""A file of several memories without its memories: what lies between them, and where they were.

Kept so that the file can be put together again from its records, and only from those: the text of one
that was rejected is in none of this.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from store.folders.entry import Entry


def cut(data: bytes, entries: Iterable[Entry]) -> bytes:
    """Return the skeleton of a file: a JSON line of segments, then the bytes of those that are nobody's."""
    spans = sorted((begin, end, entry.part) for entry in entries for begin, end in entry.spans)
    segments: list[tuple[str | None, int]] = []
    between: list[bytes] = []
    at = 0
    for begin, end, part in spans:
        if begin > at:
            segments.append((None, begin - at))
            between.append(data[at:begin])
        segments.append((part, end - begin))
        at = end
    if at < len(data):
        segments.append((None, len(data) - at))
        between.append(data[at:])
    return json.dumps(segments).encode() + b"\n" + b"".join(between)


def fill(skeleton: bytes, parts: Mapping[str, bytes]) -> bytes | None:
    """Return the file with its entries back in place; None when one is missing or has another size."""
    listed, _, between = skeleton.partition(b"\n")
    rest = dict(parts)
    out: list[bytes] = []
    for part, size in json.loads(listed or b"[]"):
        if part is None:
            out.append(between[:size])
            between = between[size:]
        elif part not in rest or len(rest[part]) < size:
            return None
        else:
            out.append(rest[part][:size])
            rest[part] = rest[part][size:]
    return b"".join(out)
