"""A plugin under faults: hosts that crash or do not read, locks, kills, and a store that is taken away."""

from __future__ import annotations

import fcntl
import os
import random
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import grpc
import pytest

from store import engine
from store.doctor import examine
from store.local import LocalDesk, open_desk
from store.location import resolve
from store.plugin import handshake, sockets
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from store.wire.structs import to_struct
from tests.wire.host import MEMORY, Host
from tests.wire.test_process import PLUGIN, TOOLS


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """What a host gives, with a temporary directory that nothing else uses."""
    with tempfile.TemporaryDirectory(prefix="mi-", dir="/tmp") as short:
        yield {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "TMPDIR": short,
            "MEMORY_INBOX_STORE": str(tmp_path / "private" / "inbox.db"),
            handshake.COOKIE_NAME: handshake.COOKIE_VALUE,
        }


def launched(environment: dict[str, str]) -> tuple[subprocess.Popen[bytes], Host]:
    popen = subprocess.Popen(
        PLUGIN, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert popen.stdout
    return popen, Host(popen.stdout.readline().decode().split("|")[3])


def shut_down(popen: subprocess.Popen[bytes], host: Host) -> None:
    host.raw("plugin.GRPCController", "Shutdown", b"")
    host.close()
    popen.communicate(timeout=20)


# Hosts that are gone, or do not read.


@pytest.mark.parametrize("command", [PLUGIN, TOOLS])
def test_a_host_that_died_before_the_handshake_finds_nothing_left(
    command: list[str], environment: dict[str, str]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for stderr in (subprocess.PIPE, writer):
        ran = subprocess.run(command, env=environment, stdout=writer, stderr=stderr, timeout=30)
        assert ran.returncode == 1
        assert b"Traceback" not in (ran.stderr or b"")
    os.close(writer)
    assert os.listdir(environment["TMPDIR"]) == []


def test_no_stdout_at_all_is_said_in_a_line(environment: dict[str, str]) -> None:
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *PLUGIN]
    ran = subprocess.run(shell, env=environment, stderr=subprocess.PIPE, timeout=30)
    assert ran.returncode == 1
    assert b"stdout or stderr is closed" in ran.stderr
    assert b"Traceback" not in ran.stderr


def test_calls_are_answered_though_nobody_reads_stderr(environment: dict[str, str]) -> None:
    popen, host = launched(environment)
    assert popen.stderr
    size = fcntl.fcntl(popen.stderr, fcntl.F_SETPIPE_SZ, 4096)
    calls = size // 100  # each logs a line of more than a hundred bytes
    for number in range(calls):
        request = pb.RecordRequest(type=1, scope=2, title=f"In no project {number}")  # type: ignore[arg-type]
        host.raw(MEMORY, "Record", request.SerializeToString())
    host.raw("plugin.GRPCController", "Shutdown", b"")
    host.close()
    assert popen.wait(20) == 0
    lines = popen.stderr.read()
    popen.communicate()
    assert lines.startswith(b"{")
    assert len(lines) <= size


def test_a_plugin_killed_in_mid_call_loses_nothing_that_it_acknowledged(
    environment: dict[str, str],
) -> None:
    seeded = random.Random(20261201)
    path = environment["MEMORY_INBOX_STORE"]
    acknowledged: set[str] = set()
    for run in range(5):
        popen, host = launched(environment)
        kill_at = seeded.randrange(2, 40)

        def call(number: int, run: int = run, host: Host = host) -> str | None:
            try:
                return host.record(f"Run {run} number {number}", f"word{run}x{number}")
            except grpc.RpcError:
                return None

        with ThreadPoolExecutor(8) as pool:
            answers = [pool.submit(call, number) for number in range(60)]
            answers[kill_at].result()
            popen.kill()
            acknowledged |= {id for answer in answers if (id := answer.result())}
        host.close()
        popen.communicate()
    with closing(open_desk(path)) as desk:
        assert all(desk.get_record(id).id == id for id in acknowledged)
        whole = desk.count().total
        assert whole >= len(acknowledged)
    assert examine(resolve(path)) == []


def test_what_a_killed_plugin_left_is_removed_by_a_later_one(environment: dict[str, str]) -> None:
    left = []
    for _ in range(3):
        popen, host = launched(environment)
        left.append(Path(host.path).parent)
        host.close()
        if len(left) < 3:
            popen.kill()
            popen.communicate()
            assert left[-1].exists()
    kept, taken, live = left
    for directory in (taken, live):
        os.utime(directory, (0, 0))
    other = kept.with_name("memory-inbox-notes")
    other.mkdir()
    os.utime(other, (0, 0))
    place = sockets.choose(environment)
    place.sweep()
    assert [each.exists() for each in (kept, taken, live, other)] == [True, False, True, True]
    place.clear()
    shut_down(popen, Host(live / "plugin.sock"))


# Calls that are given up, and stores that are locked or taken away.


def test_a_call_with_no_time_is_whole_or_not_there(host: Host, desk: LocalDesk) -> None:
    done = {host.record("Before")}
    for number in range(100):
        request = pb.RecordRequest(type=1, scope=1, title=f"Hasty {number}")  # type: ignore[arg-type]
        try:
            answer = host.raw(MEMORY, "Record", request.SerializeToString(), 0.001)
            done.add(pb.RecordResponse.FromString(answer).result.id)
        except grpc.RpcError as error:
            assert error.code() in (  # noqa: PT017
                grpc.StatusCode.DEADLINE_EXCEEDED,
                grpc.StatusCode.CANCELLED,
            )
    assert host.record("After")
    assert all(desk.get_record(id) for id in done)
    assert examine(desk.database.location) == []


def test_calls_to_a_locked_store_fail_in_their_time_and_may_be_made_again(
    host: Host, store_path: Path, desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.2)
    host.record("Before")

    def call(number: int) -> grpc.RpcError | str:
        try:
            return host.record(f"Locked {number}")
        except grpc.RpcError as error:
            return error

    with closing(sqlite3.connect(store_path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(64) as pool:
            answers = list(pool.map(call, range(64)))
        holder.execute("ROLLBACK")
    assert {getattr(answer, "code", str)() for answer in answers} == {grpc.StatusCode.UNAVAILABLE}
    assert "another program is writing" in answers[0].details()  # type: ignore[union-attr]
    assert desk.count().total == 1
    host.record("Again")


def test_a_store_deleted_under_a_plugin_costs_one_call(host: Host, store_path: Path) -> None:
    host.record("Before")
    for file in store_path.parent.glob("inbox.db*"):
        file.unlink()
    with pytest.raises(grpc.RpcError) as error:
        host.record("Into nowhere")
    assert error.value.code() is grpc.StatusCode.UNAVAILABLE
    after = host.record("After")
    with closing(open_desk(str(store_path))) as desk:
        assert desk.get_record(after).title == "After"
        assert desk.count().total == 1


def test_another_store_in_mid_call_gets_each_write_into_one_of_the_two(
    host: Host, store_path: Path
) -> None:
    other = store_path.with_name("other.db")
    paths = [str(other), str(store_path)]

    def call(number: int) -> str | None:
        try:
            return host.record(f"Number {number}")
        except grpc.RpcError as error:
            assert error.code() is grpc.StatusCode.UNAVAILABLE  # noqa: PT017
            return None

    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(call, range(200))
        for path in paths * 5:
            host.call(MEMORY, pb.ConfigureRequest(config=to_struct({"store": path})))
        acknowledged = [id for id in answers if id]
    total = 0
    for path in paths:
        with closing(open_desk(path)) as desk:
            total += desk.count().total
        assert examine(resolve(path)) == []
    assert total == len(acknowledged)
