"""The command over HTTP: whom it serves, and that it serves them as over stdio."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import anyio
import httpx2
import pytest

from store.errors import InvalidArgument, SourceUnavailable
from store.local import LocalDesk
from store.mcp.token import token_of
from tests.mcp.clients import (
    BASIC,
    COMMAND,
    HANDSHAKE,
    MODERN,
    TOKEN,
    Served,
    environment,
    failure,
    over_http,
    result,
    roots,
    serving_http,
)

eras = pytest.mark.parametrize("mode", [HANDSHAKE, MODERN])
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "by hand", "version": "1"},
    },
}
ACCEPT = "application/json, text/event-stream"


@pytest.fixture
def served(store: Path) -> Iterator[Served]:
    with serving_http(store) as served:
        yield served


def post(served: Served, **headers: str) -> httpx2.Response:
    """Send a request that would be answered, with these headers instead of the right ones."""
    right = {
        "Authorization": f"Bearer {TOKEN}",
        "Host": f"127.0.0.1:{served.port}",
        "Accept": ACCEPT,
    }
    sent = {name: value for name, value in {**right, **headers}.items() if value}
    with httpx2.Client(trust_env=False) as client:
        return client.post(served.url, json=HELLO, headers=sent)


@eras
async def test_a_client_remembers_and_finds_over_http(
    served: Served, desk: LocalDesk, tmp_path: Path, mode: str
) -> None:
    project = roots(f"file://{tmp_path}/ours")
    async with over_http(served, mode, list_roots_callback=project) as client:
        kept = result(await client.call_tool("remember", {**BASIC, "scope": "project"}))
        [draft] = desk.list_records().records
        assert draft.project_root == f"{tmp_path}/ours"
        assert draft.provenance.recorded_by == "mcp:test client/1.2.3"
        desk.approve_record(kept["id"], draft.revision)
        assert result(await client.call_tool("search", {"query": "commits"}))["count"] == 1


async def test_clients_at_the_same_time_are_told_apart(
    served: Served, desk: LocalDesk, tmp_path: Path
) -> None:
    async def write(name: str) -> None:
        place = roots(f"file://{tmp_path}/{name}")
        async with over_http(served, list_roots_callback=place) as client:
            for part in "first", "second":
                words = {**BASIC, "title": f"{name} {part}", "scope": "project"}
                await client.call_tool("remember", {**words, "create_new": True})

    async with anyio.create_task_group() as tasks:
        for name in ("alpha", "beta", "gamma"):
            tasks.start_soon(write, name)
    written = {(r.title.split()[0], r.project_root) for r in desk.list_records().records}
    assert written == {(name, f"{tmp_path}/{name}") for name in ("alpha", "beta", "gamma")}
    assert desk.count().total == 6
    assert len({record.session_id for record in desk.list_records().records}) == 3


async def test_a_session_memory_needs_a_session(served: Served) -> None:
    session = {**BASIC, "scope": "session"}
    async with over_http(served, HANDSHAKE) as client:
        assert result(await client.call_tool("remember", session))["outcome"] == "created"
    async with over_http(served, MODERN) as client:
        assert "no session" in failure(await client.call_tool("remember", session))


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN],
)
def test_nobody_is_served_without_the_token(served: Served, authorization: str) -> None:
    answer = post(served, Authorization=authorization)
    assert (answer.status_code, answer.text) == (401, "A token is needed.")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1"]
)
def test_no_other_name_leads_here(served: Served, host: str) -> None:
    assert post(served, Host=host.format(port=served.port)).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"]
)
def test_no_page_of_a_browser_is_served(served: Served, origin: str) -> None:
    assert post(served, Origin=origin.format(port=served.port)).status_code == 403


def test_this_machine_is_served_under_either_name(served: Served) -> None:
    assert post(served).status_code == 200
    assert post(served, Host=f"localhost:{served.port}").status_code == 200
    assert post(served, Origin=f"http://127.0.0.1:{served.port}").status_code == 200


def test_only_the_loopback_interface_is_listened_on(served: Served) -> None:
    with socket.socket() as elsewhere:
        elsewhere.settimeout(5)
        # All of 127.0.0.0/8 is this machine: one that listens everywhere would answer here too.
        with pytest.raises(ConnectionRefusedError):
            elsewhere.connect(("127.0.0.2", served.port))


def test_a_request_beyond_all_bounds_is_refused(served: Served) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": ACCEPT}
    with httpx2.Client(trust_env=False) as client:
        answer = client.post(served.url, content=b" " * 9_000_000, headers=headers)
    assert answer.status_code == 413


async def test_a_client_that_dies_leaves_the_server_to_the_others(
    served: Served, desk: LocalDesk
) -> None:
    with socket.create_connection(("127.0.0.1", served.port)) as dying:
        dying.sendall(
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
            f"Authorization: Bearer {TOKEN}\r\nContent-Length: 1000\r\n\r\n{{".encode()
        )
    async with over_http(served) as client:
        assert result(await client.call_tool("remember", BASIC))["outcome"] == "created"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_it_cleanly(store: Path, number: signal.Signals) -> None:
    with serving_http(store) as served:
        async with over_http(served) as client:
            await client.call_tool("remember", BASIC)
        served.process.send_signal(number)
        out, err = served.process.communicate(timeout=60)
        assert (served.process.returncode, out, err) == (0, "", "")
    assert not list(store.parent.glob("*-wal"))


def test_a_port_that_is_taken_is_said(store: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = subprocess.run(
            [*COMMAND, "mcp", "--http", str(taken.getsockname()[1])],
            env=environment(store, MEMORY_INBOX_MCP_TOKEN=TOKEN),
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "cannot be listened on" in ran.stderr


def test_a_token_is_made_where_there_is_none_and_then_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "token"
    made = token_of({}, path)
    assert len(made) >= 43
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert token_of({}, path) == made
    assert token_of({}, tmp_path / "other") != made
    assert token_of({"MEMORY_INBOX_MCP_TOKEN": TOKEN}, path) == TOKEN


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_token_that_others_can_read_is_none(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "token"
    path.write_text(TOKEN)
    path.chmod(mode)
    with pytest.raises(InvalidArgument, match="others can read"):
        token_of({}, path)


@pytest.mark.parametrize(
    "text", ["", "short", "x" * 1025, "with a space in it", "ünïcödé-token-here"]
)
def test_what_is_no_token_is_refused_and_not_quoted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "token"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(InvalidArgument, match="no token") as caught:
        token_of({}, path)
    assert not text or text not in str(caught.value)


def test_a_token_file_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "pipe", 0o600)
    for place in ("link", "."):
        with pytest.raises((SourceUnavailable, InvalidArgument)):
            token_of({}, tmp_path / place)
    with pytest.raises(InvalidArgument, match="not a file"):
        token_of({}, tmp_path / "pipe")


def test_the_token_is_not_in_the_arguments_nor_told(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "token"
    options = ("--token-file", str(path))
    with serving_http(store, *options, MEMORY_INBOX_MCP_TOKEN="") as served:
        token = path.read_text().strip()
        shown = Path(f"/proc/{served.process.pid}/cmdline").read_bytes()
        assert token.encode() not in shown
        assert post(served, Authorization=f"Bearer {token}").status_code == 200
        served.process.terminate()
        assert served.process.communicate(timeout=60) == ("", "")
