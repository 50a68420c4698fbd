"""The plugin as a process: its first line, its silence, its end, and what it leaves behind."""

from __future__ import annotations

import grp
import json
import os
import select
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from store.plugin import handshake, sockets
from store.plugin.process import Ending, OrphanWatch
from store.wire.gen.grpc.health.v1 import health_pb2
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from tests.wire.host import MEMORY, Host
from tui import main as entry

PLUGIN = [sys.executable, "-c", "import sys; from tui.main import main; sys.exit(main())"]
TOOLS = [
    sys.executable,
    "-c",
    "import sys; from store.plugin.launch import serve_tools as s; sys.exit(s())",
]
Launch = Callable[..., "Process"]


class Process:
    """A launched plugin, its first line read."""

    def __init__(
        self, command: list[str], environment: dict[str, str], directory: Path | None = None
    ) -> None:
        self.popen = subprocess.Popen(
            command,
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.popen.stdout
        self.line = self.popen.stdout.readline().decode()

    @property
    def path(self) -> Path:
        return Path(self.line.split("|")[3])

    def host(self) -> Host:
        return Host(self.path)

    def shut_down(self) -> int:
        host = self.host()
        host.raw("plugin.GRPCController", "Shutdown", b"")
        host.close()
        return self.popen.wait(10)

    def rest(self) -> tuple[str, str]:
        """Return what else was written to stdout, and all of stderr."""
        out, err = self.popen.communicate(timeout=10)
        return out.decode(), err.decode()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """No more than a host gives."""
    (tmp_path / "home").mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        handshake.COOKIE_NAME: handshake.COOKIE_VALUE,
    }


@pytest.fixture
def launch(environment: dict[str, str]) -> Iterator[Launch]:
    running: list[Process] = []

    def start(command: list[str] = PLUGIN, **more: str) -> Process:
        running.append(Process(command, environment | more))
        return running[-1]

    yield start
    for process in running:
        process.popen.terminate()  # not killed: that would leave the socket's directory behind
        process.rest()


def test_the_first_line_is_the_handshake_and_nothing_follows(launch: Launch) -> None:
    process = launch()
    assert process.line == f"1|1|unix|{process.path}|grpc|\n"
    assert stat.S_IMODE(process.path.parent.stat().st_mode) == 0o700
    assert process.shut_down() == 0
    assert process.rest() == ("", "")
    assert not process.path.parent.exists()


def test_a_host_that_multiplexes_is_told_no(launch: Launch) -> None:
    process = launch(PLUGIN_MULTIPLEX_GRPC="true")
    assert process.line.endswith("|grpc||false\n")


def test_the_cookie_is_the_same_at_both_doors() -> None:
    assert (entry.COOKIE_NAME, entry.COOKIE_VALUE) == (
        handshake.COOKIE_NAME,
        handshake.COOKIE_VALUE,
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({handshake.COOKIE_NAME: "wrong"}, "an agent's host starts it"),
        ({"PLUGIN_CLIENT_CERT": "-----BEGIN CERTIFICATE-----"}, "AutoMTLS"),
        ({"PLUGIN_UNIX_SOCKET_DIR": "/nonexistent"}, "cannot listen on /nonexistent"),
        ({"PLUGIN_UNIX_SOCKET_GROUP": "no-such-group"}, "no-such-group"),
    ],
)
def test_what_cannot_be_served_is_said_on_stderr(
    launch: Launch, change: dict[str, str], said: str
) -> None:
    process = launch(TOOLS, **change)
    assert process.line == ""
    _, err = process.rest()
    assert said in err
    assert "Traceback" not in err
    assert process.popen.returncode == 1


def test_a_host_may_choose_the_sockets_directory_and_group(launch: Launch, sockets: Path) -> None:
    group = grp.getgrgid(os.getgid()).gr_name
    process = launch(PLUGIN_UNIX_SOCKET_DIR=str(sockets), PLUGIN_UNIX_SOCKET_GROUP=group)
    assert process.path.parent == sockets
    assert stat.S_IMODE(process.path.stat().st_mode) == 0o660
    assert process.path.stat().st_gid == os.getgid()
    assert process.shut_down() == 0
    assert list(sockets.iterdir()) == []


def test_a_temporary_directory_with_a_long_name_is_passed_over(
    launch: Launch, tmp_path: Path
) -> None:
    """A socket's path must be short, or it cannot be bound."""
    long = tmp_path / ("x" * 120)
    long.mkdir()
    process = launch(TMPDIR=str(long))
    assert not process.path.is_relative_to(long)
    assert process.host().raw(MEMORY, "Describe", b"")


def test_without_any_environment_it_still_starts() -> None:
    """A host may pass nothing at all: the password database gives the home."""
    process = Process(PLUGIN, {handshake.COOKIE_NAME: handshake.COOKIE_VALUE})
    assert process.host().raw(MEMORY, "Describe", b"")
    assert process.shut_down() == 0
    process.rest()


def test_the_host_finds_it_healthy(launch: Launch) -> None:
    host = launch().host()
    for service in ("plugin", ""):
        request = health_pb2.HealthCheckRequest(service=service).SerializeToString()
        answer = host.raw("grpc.health.v1.Health", "Check", request)
        status = health_pb2.HealthCheckResponse.FromString(answer).status
        assert status == health_pb2.HealthCheckResponse.SERVING


def test_launched_and_closed_it_leaves_nothing(launch: Launch, environment: dict[str, str]) -> None:
    """A host that looks for a binary's category launches it again and again."""
    for command in (PLUGIN, TOOLS):
        for _ in range(3):
            process = launch(command)
            assert process.shut_down() == 0
            assert not process.path.exists()
    assert list(Path(environment["HOME"]).iterdir()) == []


def test_describing_and_asking_for_capabilities_leaves_nothing_either(
    launch: Launch, environment: dict[str, str]
) -> None:
    process = launch()
    host = process.host()
    host.raw(MEMORY, "Describe", b"")
    host.raw(MEMORY, "GetCapabilities", b"")
    assert process.shut_down() == 0
    assert list(Path(environment["HOME"]).iterdir()) == []


def test_nothing_heavy_is_loaded_before_the_handshake(environment: dict[str, str]) -> None:
    """Neither the app, nor the database, nor protobuf."""
    command = [sys.executable, "-X", "importtime", *PLUGIN[1:]]
    process = Process(command, environment)
    before = _until_handshake(process)
    assert "grpc" in before
    assert not before & {"textual", "rich", "typer", "sqlmodel", "sqlalchemy", "sqlite3"}
    assert not {name for name in before if name.startswith("google")}
    process.shut_down()
    assert "store.recall" not in before


def _until_handshake(process: Process) -> set[str]:
    """Return the modules imported until the handshake was read: stderr is in the order of imports."""
    names: set[str] = set()
    assert process.popen.stderr
    for line in process.popen.stderr:
        name = line.decode().rpartition("|")[2].strip()
        names.add(name)
        if (
            name == "store.plugin.plugin"
        ):  # the last one that is needed; the rest is loaded behind it
            break
    return names


def test_interrupts_are_the_hosts_business(launch: Launch) -> None:
    """Ctrl-C in the host's terminal goes to the whole group; the plugin still answers after it."""
    process = launch()
    os.killpg(process.popen.pid, signal.SIGINT)
    assert process.host().raw(MEMORY, "Describe", b"")
    process.popen.send_signal(signal.SIGTERM)
    assert process.popen.wait(10) == 0
    assert not process.path.exists()


HOST = """
import os, subprocess, sys, time
plugin = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
print(plugin.pid, plugin.stdout.readline().decode(), end="", flush=True)
time.sleep(600)
"""


def test_it_does_not_outlive_its_host(environment: dict[str, str]) -> None:
    process = Process([sys.executable, "-c", HOST, *PLUGIN], environment)
    pid = int(process.line.split()[0])
    path = Path(process.line.split("|")[3])
    watch = os.pidfd_open(pid)
    assert path.exists()
    process.popen.kill()
    process.rest()
    assert select.select([watch], [], [], 20)[0]
    os.close(watch)
    assert not path.exists()


def test_stray_output_goes_to_stderr(environment: dict[str, str]) -> None:
    """Whatever some library prints, the host's pipe of the handshake stays clean."""
    stray = "import os, sys; from store.plugin.process import guard_stdout as g; r = g();"
    code = (
        stray + "print('stray'); sys.stdout.flush(); os.system('echo child'); os.write(r, b'line')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True
    )
    assert ran.stdout == b"line"
    assert ran.stderr == b"stray\nchild\n"


def test_early_logs_are_lines_the_host_can_read(launch: Launch) -> None:
    process = launch()
    host = process.host()
    request = pb.RecordRequest(type=1, scope=2, title="No project")  # type: ignore[arg-type]
    host.raw(MEMORY, "Record", request.SerializeToString())
    assert process.shut_down() == 0
    _, err = process.rest()
    lines = [json.loads(line) for line in err.splitlines()]
    assert [(line["@level"], "no known project" in line["@message"]) for line in lines] == [
        ("warn", True)
    ]


def test_an_end_is_decided_once() -> None:
    ending = Ending()
    assert not ending.wait(0)
    ending.ask("first", 3)
    ending.ask("second", 4)
    assert ending.wait()
    assert (ending.reason, ending.code, ending.decided) == ("first", 3, True)


def test_a_host_that_attaches_again_in_time_is_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.plugin.process.ORPHAN_GRACE", 0.2)
    ending = Ending()
    watch = OrphanWatch(ending, os.getppid())
    watch.host_came()
    watch.host_left()
    watch.host_came()
    assert not ending.wait(0.5)
    watch.host_left()
    assert ending.wait(10)
    assert ending.reason == "the host is gone"


def test_a_parent_that_changed_is_a_host_that_died(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.plugin.process._POLL", 0.01)
    ending = Ending()
    OrphanWatch(ending, parent=-1).start()
    assert ending.wait(10)
    assert ending.reason == "the parent process is gone"


def test_no_directory_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("os.mkdir", refuse)
    with pytest.raises(OSError, match="no temporary directory"):
        sockets.choose({})


def test_the_handshake_line_and_its_refusals() -> None:
    cookie = {handshake.COOKIE_NAME: handshake.COOKIE_VALUE}
    assert handshake.refusal(cookie) is None
    assert "an agent's host" in (handshake.refusal({}) or "")
    assert "AutoMTLS" in (handshake.refusal(cookie | {"PLUGIN_CLIENT_CERT": "x"}) or "")
    assert handshake.line("/x", {}) == "1|1|unix|/x|grpc|\n"
    assert handshake.line("/x", {"PLUGIN_MULTIPLEX_GRPC": "1"}) == "1|1|unix|/x|grpc||false\n"


def test_a_sockets_place_is_its_own_and_cleared(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as short:
        place = sockets.choose({"TMPDIR": short})
        assert place.own_directory
        Path(place.path).touch()
        place.opened()
        place.clear()
        place.clear()
        assert list(Path(short).iterdir()) == []
        given = sockets.choose(
            {"PLUGIN_UNIX_SOCKET_DIR": short, "PLUGIN_UNIX_SOCKET_GROUP": str(os.getgid())}
        )
        Path(given.path).touch()
        given.opened()
        assert stat.S_IMODE(Path(given.path).stat().st_mode) == 0o660
        given.clear()
        assert Path(short).exists()
    long = sockets.choose({"TMPDIR": "/tmp/" + "x" * 120})
    assert len(long.path) <= 100
    long.clear()
    with pytest.raises(OSError, match="no group nobody-at-all"):
        sockets.Place("/tmp", group="nobody-at-all").opened()


def test_control_calls_answer_beside_a_full_pool(host: Host, sockets: Path) -> None:
    """Health and stdio of a server in this process."""
    stdio = host.channel.unary_stream("/plugin.GRPCStdio/StreamStdio", None, None)(b"")
    with pytest.raises(grpc.RpcError) as caught:
        host.raw("grpc.health.v1.Health", "Check", b"\n\x05other")
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    assert host.raw("grpc.health.v1.Health", "Check", b"\n\x06plugin") == b"\x08\x01"
    stdio.cancel()  # type: ignore[no-untyped-call]
    attached = host.attach(sockets)
    assert host.raw("grpc.health.v1.Health", "Check", b"") == b"\x08\x01"
    attached.end()
