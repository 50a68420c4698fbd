"""Random and mutated requests never kill the server, never leak, and change nothing when they fail.

``FUZZ_REQUESTS=100000`` sends so many. What once failed is kept in `fuzz_seeds.txt` and sent again.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from google.rpc import status_pb2  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.plugin import handshake
from store.wire.gen.pluggableharness.memory.v1 import error_pb2
from store.wire.gen.pluggableharness.tool.v1 import call_pb2
from store.wire.gen.pluggableharness.tool.v1 import service_pb2 as tool_pb
from tests.wire.fuzzing import METHODS, Method, requests
from tests.wire.host import MEMORY, Host
from tests.wire.test_process import PLUGIN, Process

AT_ONCE = 25
REQUESTS = int(os.environ.get("FUZZ_REQUESTS", "1000"))
SEEDS = Path(__file__).parent / "fuzz_seeds.txt"  # lines of a method's path and a request in hex
REFUSALS = {
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.INTERNAL,
}


@dataclass
class Target:
    """A launched plugin, and its store seen from outside."""

    process: Process
    host: Host
    store: sqlite3.Connection
    sent: int = 0

    def changes(self) -> int:
        """Return how many lines the journal has: every change writes one."""
        (count,) = self.store.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()
        return int(count)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    home = tmp_path_factory.mktemp("home")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": os.getcwd(),
        handshake.COOKIE_NAME: handshake.COOKIE_VALUE,
    }
    # Should a request ever name a place, it is below this one.
    process = Process(PLUGIN, environment, home)
    host = process.host()
    host.record("Alpha")
    path = home / ".local" / "share" / "agent" / "memory" / "inbox.db"
    store = sqlite3.connect(path, isolation_level=None)
    target = Target(process, host, store)
    yield target
    store.close()
    assert process.shut_down() == 0
    out, err = process.rest()
    assert out == ""
    assert "Traceback" not in err
    assert "unexpectedly" not in err
    print(f"{target.sent} requests", file=sys.stderr)


@settings(
    max_examples=max(1, REQUESTS // AT_ONCE),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(requests(), min_size=AT_ONCE, max_size=AT_ONCE))
def test_no_request_does_harm(target: Target, asked: list[tuple[Method, bytes]]) -> None:
    for method, request in asked:
        _try(target, method, request)
    assert target.process.popen.poll() is None
    assert target.host.raw(MEMORY, "Describe", b"")


@pytest.mark.parametrize("line", SEEDS.read_text("ascii").splitlines())
def test_what_once_did_harm_does_so_no_more(target: Target, line: str) -> None:
    path, request = line.split()
    (method,) = (method for method in METHODS if method.path == path)
    _try(target, method, bytes.fromhex(request))


def _try(target: Target, method: Method, request: bytes) -> None:
    target.sent += 1
    before = target.changes()
    try:
        if not _send(target.host, method, request):
            assert target.changes() == before, f"{method.name} failed and changed something"
    except AssertionError as error:
        error.add_note(f"keep it in {SEEDS.name}: {method.path} {request.hex()}")
        raise


def _send(host: Host, method: Method, request: bytes) -> bool:
    """Send a request, check that the answer keeps to the contract, and return whether it succeeded."""
    try:
        if method.streams:
            call = host.channel.unary_stream(method.path, None, None)
            answers = list(call(request, timeout=30))
            (event,) = (tool_pb.InvokeResponse.FromString(each).event for each in answers)
            return _heed(event)
        method.answer.FromString(host.raw(method.service, method.name, request))
    except grpc.RpcError as error:
        _check(error, method)
        return False
    return True


def _heed(event: call_pb2.ToolEvent) -> bool:
    if event.WhichOneof("event") == "result":
        return True
    assert event.error.category not in (
        call_pb2.TOOL_ERROR_CATEGORY_UNSPECIFIED,
        call_pb2.TOOL_ERROR_CATEGORY_UNKNOWN,
    ), event
    _clean(event.error.message)
    return False


def _check(error: grpc.RpcError, method: Method) -> None:
    if error.code() is grpc.StatusCode.UNIMPLEMENTED:
        assert (method.name, "tool" in method.service) == ("Describe", True)
        return
    assert error.code() in REFUSALS, error
    trailers = dict(error.trailing_metadata())  # type: ignore[arg-type, var-annotated]
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    ours = error_pb2.MemoryError()
    assert status.details[0].Unpack(ours)
    assert len(status.details) == 2
    _clean(ours.message)


def _clean(message: str) -> None:
    """An answer says what was wrong, and nothing of how this program is made."""
    assert message
    for leak in ("Traceback", ".py", "unexpectedly", "sqlalchemy", "object at 0x"):
        assert leak not in message
