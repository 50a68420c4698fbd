"""Manners of a plugin process: its output, its signals, and when it ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import NoReturn

ORPHAN_GRACE = 2.0  # seconds between the end of the broker stream and the end of this process
_POLL = 1.0  # seconds between two looks at the parent


def guard_stdout() -> int:
    """Send whatever prints to stderr; returns a descriptor of the real stdout for the handshake.

    A single stray byte before the handshake line ends the launch, and one after it confuses the host.
    """
    real = os.dup(1)
    os.dup2(2, 1)
    return real


class Ending:
    """That the process is to end, decided once, by whoever comes first."""

    def __init__(self) -> None:
        self._decided = threading.Event()
        self._lock = threading.Lock()
        self.code = 0
        self.reason = ""

    def ask(self, reason: str, code: int = 0) -> None:
        """Decide that the process ends; later decisions change nothing."""
        with self._lock:
            if not self._decided.is_set():
                self.reason, self.code = reason, code
                self._decided.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the end is decided; False when it was not within so many seconds."""
        return self._decided.wait(seconds)

    @property
    def decided(self) -> bool:
        """Whether the process is about to end."""
        return self._decided.is_set()


def ignore_interrupts() -> None:
    """Ctrl-C in the host's terminal reaches this process too, and is the host's to decide."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def hold_signals(*numbers: signal.Signals) -> None:
    """Keep signals waiting for `heed_signals`; to be called before any thread is started.

    A handler would do for a program of one thread. Here the main thread waits on a lock, and a signal that
    comes just before it falls asleep would not wake it.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)


def heed_signals(ending: Ending, *numbers: signal.Signals) -> None:
    """End cleanly at one of these signals, which are held."""

    def wait() -> None:
        ending.ask(signal.Signals(signal.sigwait(numbers)).name)

    threading.Thread(target=wait, name="signals", daemon=True).start()


class OrphanWatch:
    """End the process once its host is gone.

    The end of the broker stream is the quick sign; the parent's process id is the sure one, for a host
    that died before it opened the stream.
    """

    def __init__(self, ending: Ending, parent: int) -> None:
        self._ending = ending
        self._parent = parent
        self._lost = threading.Event()
        self._found = threading.Event()

    def start(self) -> None:
        """Begin to look at the parent, on a thread of its own."""
        threading.Thread(target=self._watch, name="orphan-watch", daemon=True).start()

    def host_left(self) -> None:
        """The broker stream ended: give a Shutdown, or a host that attaches again, a moment."""
        self._found.clear()
        if not self._lost.is_set():
            self._lost.set()
            threading.Thread(target=self._give_up, name="orphan-grace", daemon=True).start()

    def host_came(self) -> None:
        """A broker stream began."""
        self._lost.clear()
        self._found.set()

    def _give_up(self) -> None:
        if not self._found.wait(ORPHAN_GRACE) and self._lost.is_set():
            self._ending.ask("the host is gone")

    def _watch(self) -> None:
        while not self._ending.wait(_POLL):
            if os.getppid() != self._parent:
                self._ending.ask("the parent process is gone")


def leave(code: int) -> NoReturn:
    """End the process now: threads that still work would hold a normal exit for seconds."""
    sys.stderr.flush()
    os._exit(code)
