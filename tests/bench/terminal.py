"""A program on a terminal of its own, and when its bytes come."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from types import TracebackType

_ROWS, _COLUMNS = 40, 120
_PATIENCE = 60.0  # seconds for what must come
_QUIET = 0.3  # seconds without a byte: nothing more is drawn


class Terminal:
    """A program that was started on a pseudo terminal of 120 by 40 cells.

    Args:
        command: what to run.
        environment: added to this process's.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self.started = perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
        )
        os.close(theirs)
        self.seen = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it at once: how it ends is not measured."""
        self._process.kill()
        self._process.wait()
        os.close(self._own)

    def wait_for(self, text: bytes) -> float:
        """Read until a text was drawn; return when, in seconds since the start."""
        while text not in self.seen:
            if not self._read(_PATIENCE):
                raise TimeoutError(f"{text!r} was not drawn; the last was {self.seen[-300:]!r}")
        return perf_counter() - self.started

    def settle(self) -> float:
        """Read until it draws no more; return when its last bytes came, in seconds since the start."""
        last = perf_counter()
        while self._read(_QUIET):
            last = perf_counter()
        return last - self.started

    def press(self, key: bytes, pause: float) -> float:
        """Press a key and go on reading for a pause in seconds.

        Returns:
            Seconds until its first byte.
        """
        begin = perf_counter()
        os.write(self._own, key)
        first = pause
        while (left := begin + pause - perf_counter()) > 0:
            if self._read(left) and first == pause:
                first = perf_counter() - begin
        return first

    def resident(self) -> float:
        """Return the memory that only it holds and its share of the rest, in MB.

        Pss of /proc/PID/smaps_rollup: https://docs.kernel.org/filesystems/proc.html.
        """
        lines = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text("ascii").splitlines()
        (held,) = (int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        return held / 1024

    def _read(self, patience: float) -> bool:
        """Read what comes within some seconds; tell whether anything did."""
        ready, _, _ = select.select([self._own], [], [], patience)
        if not ready:
            return False
        try:
            read = os.read(self._own, 65536)
        except OSError as error:  # how Linux says that the other end is closed
            raise EOFError(f"it ended: {self.seen[-300:]!r}") from error
        self.seen = (self.seen + read)[-200_000:]
        return bool(read)
