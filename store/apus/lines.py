"""JSON by lines over two descriptors: bounded on the way in, whole on the way out."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from store.apus.failures import NoJson, TooLarge

LIMIT = 8 * 1024 * 1024  # bytes of a line, either way
_CHUNK = 1 << 16


def lines(descriptor: int) -> Iterator[bytes | None]:
    """Yield lines without their ends until the descriptor ends; None for one that was too long.

    What stands after the last line end is no line: whoever wrote it did not finish.
    """
    held = bytearray()
    skipping = False
    while chunk := os.read(descriptor, _CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            if skipping or len(held) + len(part) > LIMIT:
                yield None
            else:
                yield bytes(held + part)
            held.clear()
            skipping = False
        if skipping or len(held) + len(rest) > LIMIT:
            held.clear()
            skipping = True
        else:
            held += rest


def parse(line: bytes) -> Any:
    """Return the JSON of a line; NoJson for anything else, NaN and the like included."""
    try:
        return json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise NoJson("the line is no JSON") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


class Writer:
    """Writes lines, each whole, from several threads."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, message: Mapping[str, Any]) -> None:
        """Write a message.

        Raises:
            TooLarge: it is longer than a line may be; nothing was written.
            OSError: nobody reads any more.
        """
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        data = text.encode("utf-8", "replace") + b"\n"
        if len(data) > LIMIT:
            raise TooLarge("the answer is longer than a line may be; ask for less")
        with self._lock:
            view = memoryview(data)
            while view:
                view = view[os.write(self._descriptor, view) :]
