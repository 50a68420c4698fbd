"""The doors of a store as real processes, and what each of them says when the store cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from store.plugin import handshake
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from tests.cli.terminals import on_terminal
from tests.doors.stream import flat, received
from tests.wire.host import Host
from tests.wire.test_process import PLUGIN

COMMAND = [sys.executable, "-m", "tui.main"]
_PATIENCE = 60.0  # seconds until an inbox that says nothing is ended, which then fails the test


@dataclass(frozen=True, slots=True)
class Place:
    """A store, and the limits of whoever opens it.

    Args:
        before: what stands before each command, to run it under a limit.
    """

    store: Path
    home: Path
    before: Sequence[str] = field(default=())

    def environment(self) -> dict[str, str]:
        """Return what each process gets."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "MEMORY_INBOX_STORE": str(self.store),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }


def command_line(place: Place, *arguments: str) -> tuple[int, str, str]:
    """Run a command; return its exit code, and what it wrote to stdout and stderr."""
    ran = subprocess.run(
        [*place.before, *COMMAND, *arguments],
        env=place.environment(),
        input="a text",
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    return ran.returncode, ran.stdout, ran.stderr


def inbox(place: Place, *expected: str) -> str:
    """Open the inbox on a terminal until it shows what is expected; return what it showed, without blanks."""
    timer: threading.Timer | None = None

    def watch(process: subprocess.Popen[bytes], so_far: bytes) -> None:
        nonlocal timer
        if timer is None:
            timer = threading.Timer(_PATIENCE, process.kill)
            timer.start()
        if all(flat(each) in _seen(so_far) for each in expected):
            process.terminate()

    try:
        _, data = on_terminal(
            [*place.before, *COMMAND], place.environment(), watch=watch, columns=160
        )
    finally:
        if timer is not None:
            timer.cancel()
    return _seen(data)


def _seen(data: bytes) -> str:
    text = data.decode("utf-8", errors="ignore")
    return flat("".join(received(text.encode()).texts))


def plugin(place: Place, call: Callable[[Host], object]) -> grpc.RpcError | None:
    """Launch the plugin as a host does, and make a call; return the error that it ended with."""
    with tempfile.TemporaryDirectory(prefix="mi-", dir="/tmp") as short:
        popen = subprocess.Popen(
            [*place.before, *PLUGIN],
            env={
                **place.environment(),
                "TMPDIR": short,
                handshake.COOKIE_NAME: handshake.COOKIE_VALUE,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert popen.stdout
        host = Host(popen.stdout.readline().decode().split("|")[3])
        try:
            call(host)
            return None
        except grpc.RpcError as error:
            return error
        finally:
            host.raw("plugin.GRPCController", "Shutdown", b"")
            host.close()
            popen.communicate(timeout=_PATIENCE)


def record(host: Host) -> object:
    """Have a host record something."""
    return host.record("From a host", "a text")


def list_all(host: Host) -> object:
    """Have a host list what is there."""
    return host.memory(pb.ListRecordsRequest(), pb.ListRecordsResponse)
