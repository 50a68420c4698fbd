"""Lines of a pipe, read by a thread of their own, so that whoever waits for one can be cancelled."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import BinaryIO

_log = logging.getLogger(__name__)


class Lines:
    """The lines of a file as they come, for ``async for``; to be made where the event loop runs.

    Args:
        file: is read to its end, one line ahead at most.
        limit: bytes of a line; a longer one is left out, and that is logged.
    """

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Queue[bytes] = asyncio.Queue(1)
        # A daemon: it waits for input that may never come, and would hold the end of the process.
        threading.Thread(target=self._read, name="input", daemon=True).start()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        line = await self._ready.get()
        if not line:
            raise StopAsyncIteration
        return line.decode("utf-8", "replace")

    def _read(self) -> None:
        with suppress(RuntimeError, CancelledError):  # the loop has ended: nobody reads any more
            for line in bounded(self._file, self._limit):
                self._hand_over(line)
            self._hand_over(b"")

    def _hand_over(self, line: bytes) -> None:
        waiting = self._ready.put(line)
        try:
            asyncio.run_coroutine_threadsafe(waiting, self._loop).result()
        except RuntimeError:
            waiting.close()
            raise


def bounded(file: BinaryIO, limit: int) -> Iterator[bytes]:
    """Yield the lines of a file that are no longer than a limit, their ends included."""
    while line := file.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        _log.warning("a message of more than %d bytes was left out", limit)
        while line and not line.endswith(b"\n"):
            line = file.readline(limit)
