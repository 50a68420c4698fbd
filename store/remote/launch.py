"""Launch a plugin as an agent's host does, and wait for its handshake.

The plugin gets the little environment that a host gives it, and what the command itself sets
(``NAME=VALUE`` words before the program, as a shell has them).
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from render.visible import visible
from store.errors import InvalidArgument, SourceUnavailable
from store.plugin.handshake import APP_VERSION, COOKIE_NAME, COOKIE_VALUE, CORE_VERSION
from store.remote.connection import Connection
from store.wire.channel import target

HANDSHAKE_SECONDS = 30.0
_PASSED_ON = ("PATH", "HOME", "TMPDIR", "OTEL_RESOURCE_ATTRIBUTES")
_TAIL = 12  # lines of stderr that an error repeats
_WIDTH = 300  # characters of each
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_LEAVING = 3.0  # seconds between Shutdown and SIGTERM, and between that and SIGKILL


class Child:
    """A launched plugin process; its output is read to the end, so that it never blocks on a full pipe."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._tail: deque[str] = deque(maxlen=_TAIL)
        self._first: list[bytes] = []
        self._spoken = threading.Event()
        self._readers = [
            threading.Thread(target=read, daemon=True)
            for read in (self._read_stdout, self._read_stderr)
        ]
        for reader in self._readers:
            reader.start()

    def first_line(self, seconds: float) -> bytes | None:
        """Return the first line of stdout; empty when that ended without one, None when time is up."""
        if not self._spoken.wait(seconds):
            return None
        return self._first[0] if self._first else b""

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def last_words(self) -> str:
        """Return how it stands with the process, and the end of its stderr, fit to be shown."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)  # stderr closes a moment before the exit code is there
        code = self._process.poll()
        state = "it still runs" if code is None else f"it ended with {_ending(code)}"
        if code is not None:
            self._readers[1].join(1)
        said = "\n".join(self._tail)
        return f"{state}; on stderr it said:\n{said}" if said else f"{state} and said nothing"

    def leave(self) -> None:
        """See the process end: by itself, else by a signal, else by one that it cannot refuse."""
        for urge in (self._process.terminate, self._process.kill):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LEAVING)
                return
            urge()
        self._process.wait()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()

    def _read_stdout(self) -> None:
        assert self._process.stdout  # noqa: S101 -- a pipe
        if line := self._process.stdout.readline(4096):
            self._first.append(line)
        self._spoken.set()
        for _ in self._process.stdout:
            pass  # the host of a plugin that prints is a patient one

    def _read_stderr(self) -> None:
        assert self._process.stderr  # noqa: S101 -- a pipe
        for line in self._process.stderr:
            shown = visible(line.decode("utf-8", "replace").rstrip("\r\n"))
            self._tail.append(str(shown[:_WIDTH]))


@dataclass(frozen=True, slots=True)
class Handshake:
    """What a good first line says: where the plugin listens, as a name for gRPC."""

    target: str


def launch(words: Sequence[str], seconds: float = HANDSHAKE_SECONDS) -> Connection:
    """Start a plugin and connect to it.

    Args:
        words: assignments for its environment, the program, its arguments.
        seconds: until it must have spoken.

    Raises:
        SourceUnavailable: it does not start, dies, stays silent, or says something else than a handshake.
    """
    assignments, command = _split(words)
    child = Child(_start(command, _environment(assignments)))
    try:
        line = child.first_line(seconds)
        if line is None:
            raise SourceUnavailable(
                f"{command[0]} said nothing for {seconds:g} seconds; {child.last_words()}"
            )
        if not line:
            raise SourceUnavailable(
                f"{command[0]} closed its output before it said where it listens; {child.last_words()}"
            )
        handshake = read_handshake(line)
    except BaseException:
        child.kill()
        raise
    return Connection(handshake.target, child)


def read_handshake(line: bytes) -> Handshake:
    """Return what a first line says.

    Raises:
        SourceUnavailable: it is no handshake, or of a kind that cannot be spoken here.
    """
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    fields = text.split("|")
    if len(fields) < 5 or not fields[0].isdecimal():
        shown = str(visible(text[:_WIDTH]))
        raise SourceUnavailable(
            f"the first line of its output is no handshake: {shown}",
            hint="A plugin may write nothing else to its standard output.",
        )
    core, app, network, address, protocol = fields[:5]
    if core != str(CORE_VERSION) or app != str(APP_VERSION):
        raise SourceUnavailable(
            f"it speaks version {core}.{app} of the protocol, here it is {CORE_VERSION}.{APP_VERSION}"
        )
    if protocol != "grpc" or network not in ("unix", "tcp"):
        raise SourceUnavailable(f"it speaks {protocol[:20]} over {network[:20]}, not gRPC")
    if len(fields) > 5 and fields[5]:
        raise SourceUnavailable("it wants TLS, which is not spoken here")
    return Handshake(target(address) if network == "unix" else address)


def _split(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    assignments: dict[str, str] = {}
    rest = list(words)
    while rest and _ASSIGNMENT.match(rest[0]):
        name, _, value = rest.pop(0).partition("=")
        assignments[name] = value
    if not rest:
        raise InvalidArgument("there is no program to launch", hint="As in exec:memory-inbox.")
    return assignments, rest


def _environment(assignments: dict[str, str]) -> dict[str, str]:
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {
        **passed,
        **assignments,
        COOKIE_NAME: COOKIE_VALUE,
        "PLUGIN_PROTOCOL_VERSIONS": str(APP_VERSION),
    }


def _start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 -- what the operator asked for
            [os.path.expanduser(command[0]), *command[1:]],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise SourceUnavailable(
            f"{command[0]} cannot be started: {said}",
            hint="Give the path of a memory provider's program.",
        ) from error


def _ending(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
