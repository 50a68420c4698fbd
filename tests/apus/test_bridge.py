"""The protocol: framing, order, cancelling, limits, and how the process begins and ends."""

from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from store.apus.bridge import MOST_HELD, WORKERS
from store.apus.lines import LIMIT
from store.local import LocalDesk
from tests.apus.client import PROVIDER, Client, Failed, Gone, memory, owner
from tests.cli.test_startup import DATABASE, WIRE

REMEMBER = {"caller": owner(), "tool": {"agentId": "main"}}


def refused(client: Client, method: str, **params: Any) -> Failed:
    with pytest.raises(Failed) as raised:
        client.call(method, **params)
    return raised.value


def test_the_greeting_says_what_there_is(bridge: Client) -> None:
    greeting = bridge.greeting
    assert greeting["protocol"] == 1
    assert greeting["name"] == "memory-inbox"
    assert greeting["capabilities"] == {
        "sources": ["memory"],
        "pagination": True,
        "candidates": ["trigger", "project"],
        "projectFilter": True,
    }
    names = [tool["name"] for tool in greeting["tools"]]
    assert names == ["memory_remember", "memory_forget", "memory_search"]
    assert greeting["persistence"] == ["memory_remember"]
    assert greeting["lookup"] == ["memory_search"]
    assert all(tool["parameters"]["type"] == "object" for tool in greeting["tools"])
    said = json.dumps([tool["description"] for tool in greeting["tools"]])
    assert "memory.remember" not in said
    assert "Look something up in memory." in said


def test_greeting_touches_no_store(tmp_path: Path) -> None:
    client = Client(tmp_path / "deep" / "inbox.db")
    assert client.close() == 0
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_answered_before_the_greeting(path: Path) -> None:
    client = Client(path, greet=False)
    assert refused(client, "health", caller=owner()).code == -32600
    assert refused(client, "initialize", protocol=2, providerId=PROVIDER).code == -32602
    assert refused(client, "initialize", protocol=1).code == -32602
    client.call("initialize", protocol=1, providerId=PROVIDER)
    assert refused(client, "initialize", protocol=1, providerId="other").code == -32600
    assert client.call("health", caller=owner())["status"] == "ready"
    assert client.close() == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"health","params":{"a":NaN}}', -32700),
        (b"[" * 100_000, -32700),
        (b"", -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"id":1,"method":"health"}', -32600),
        (b'{"jsonrpc":"2.0","id":"one","method":"health"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"health"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"health"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"health","params":[]}', -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"health"}]', -32600),
        (b'"' + b"x" * LIMIT + b'"', -32005),
    ],
)
def test_a_line_that_is_no_request_is_told_and_the_next_one_answered(
    bridge: Client, line: bytes, code: int
) -> None:
    bridge.write_line(line + b"\n")
    with pytest.raises(Failed) as raised:
        bridge.answer(None)
    assert raised.value.code == code
    assert bridge.call("health", caller=owner())["status"] == "ready"


def test_an_unknown_method_is_told_and_an_unknown_notice_is_not(bridge: Client) -> None:
    assert refused(bridge, "approve", id="x").code == -32601
    bridge.write({"jsonrpc": "2.0", "method": "hello"})
    bridge.write({"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": [1]}})
    bridge.write({"jsonrpc": "2.0", "method": "$/cancel"})
    assert bridge.call("health", caller=owner())["status"] == "ready"


def test_requests_overlap_and_every_one_is_answered(bridge: Client) -> None:
    bridge.call("remember", **REMEMBER, params=memory("Tea"))
    numbers = [bridge.send("health", caller=owner()) for _ in range(50)]
    numbers += [bridge.send("search", caller=owner(), query=f"tea {n}") for n in range(50)]
    for number in numbers:
        assert bridge.answer(number)


def held_up(path: Path) -> sqlite3.Connection:
    """Return a connection that keeps every writer waiting."""
    conn = sqlite3.connect(path, isolation_level=None)
    conn.execute("BEGIN IMMEDIATE")
    return conn


def test_a_cancelled_write_is_not_made(bridge: Client, desk: LocalDesk, path: Path) -> None:
    with closing(held_up(path)) as other:
        number = bridge.send("remember", **REMEMBER, params=memory("Tea"))
        bridge.cancel(number)
        # The bridge has read the notice once it has answered a later request.
        bridge.call("health", caller=owner())
        other.execute("ROLLBACK")
        with pytest.raises(Failed) as raised:
            bridge.answer(number)
    assert (raised.value.code, raised.value.kind) == (-32800, "cancelled")
    assert desk.count().total == 0


def test_an_id_that_is_under_way_is_not_taken_twice(
    bridge: Client, desk: LocalDesk, path: Path
) -> None:
    with closing(held_up(path)) as other:
        number = bridge.send("remember", **REMEMBER, params=memory("Tea"))
        again = {"jsonrpc": "2.0", "id": number, "method": "health", "params": {"caller": owner()}}
        bridge.write(again)
        with pytest.raises(Failed) as raised:
            bridge.answer(number)
        assert raised.value.code == -32600
        other.execute("ROLLBACK")
    assert bridge.answer(number)["details"]["outcome"] == "created"


def outcome(client: Client, number: int) -> str:
    try:
        return str(client.answer(number)["details"]["outcome"])
    except Failed as error:
        return error.kind


def test_beyond_what_is_held_requests_are_turned_away(
    bridge: Client, desk: LocalDesk, path: Path
) -> None:
    with closing(held_up(path)) as other:
        arguments = [memory(f"Word{n} of {'x' * n}", create_new=True) for n in range(MOST_HELD)]
        held = [bridge.send("remember", **REMEMBER, params=each) for each in arguments]
        turned = refused(bridge, "health", caller=owner())
        assert (turned.code, turned.kind) == (-32004, "unavailable")
        for number in held[WORKERS:]:
            bridge.cancel(number)
        other.execute("ROLLBACK")
        ended = [outcome(bridge, number) for number in held]
    assert set(ended) == {"created", "cancelled"}
    assert desk.count().pending == ended.count("created")
    assert bridge.call("health", caller=owner())["status"] == "ready"


def test_a_locked_store_is_unavailable_and_names_no_path(path: Path, desk: LocalDesk) -> None:
    client = Client(path)
    with closing(held_up(path)):
        failed = refused(client, "remember", **REMEMBER, params=memory("Tea"))
    assert (failed.code, failed.kind) == (-32004, "unavailable")
    assert str(path.parent) not in failed.message
    assert client.close() == 0


def test_a_store_that_cannot_be_opened_is_told_without_its_path(tmp_path: Path) -> None:
    path = tmp_path / "inbox.db"
    path.write_bytes(b"not a database, but long enough to be taken for one" * 100)
    client = Client(path)
    assert client.call("health", caller=owner())["status"] == "unavailable"
    failed = refused(client, "search", caller=owner(), query="tea")
    assert str(tmp_path) not in failed.message
    assert client.close() == 0
    assert str(tmp_path) not in client.said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_cleanly_after_what_is_under_way(
    path: Path, desk: LocalDesk, number: int
) -> None:
    client = Client(path)
    client.call("health", caller=owner())
    with closing(held_up(path)) as other:
        sent = client.send("remember", **REMEMBER, params=memory("Tea"))
        # Once this is answered, the write has been taken.
        client.call("health", caller=owner())
        client.process.send_signal(number)
        other.execute("ROLLBACK")
        assert client.answer(sent)["details"]["outcome"] == "created"
    assert client.process.wait(30) == 0
    assert desk.count().pending == 1
    client.close()


def test_interrupts_are_the_hosts(bridge: Client) -> None:
    bridge.process.send_signal(signal.SIGINT)
    assert bridge.call("health", caller=owner())["status"] == "ready"


def test_shutdown_is_answered_then_the_process_ends(path: Path) -> None:
    client = Client(path)
    assert client.call("shutdown") == {}
    assert client.process.wait(30) == 0
    client.close()
    with pytest.raises(Gone):
        client.call("health", caller=owner())


def test_a_host_that_dies_in_a_call_leaves_nothing_half_written(
    path: Path, desk: LocalDesk
) -> None:
    client = Client(path)
    client.call("health", caller=owner())
    with closing(held_up(path)) as other:
        client.send("remember", **REMEMBER, params=memory("Tea"))
        client.call("health", caller=owner())
        assert client.process.stdin is not None
        client.process.stdin.close()
        other.execute("ROLLBACK")
        assert client.process.wait(30) == 0
    assert desk.count().total in (0, 1)
    with desk.database.reading() as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def test_a_request_without_its_line_end_is_none(path: Path, desk: LocalDesk) -> None:
    client = Client(path)
    request = {"jsonrpc": "2.0", "id": 99, "method": "remember"}
    request |= {"params": {**REMEMBER, "params": memory("Tea")}}
    client.write_line(json.dumps(request).encode())
    assert client.close() == 0
    assert desk.count().total == 0


def test_the_greeting_waits_for_no_database() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from store.apus.methods import Methods; m = Methods('/x/y.db', None);"
        "m.initialize({'protocol': 1, 'providerId': 'p'}); print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert not loaded & {*DATABASE, *WIRE, "textual", "typer"}
