"""Calling the host back: counts, events and logs, and doing without a host."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest

from store.errors import SourceUnavailable
from store.plugin.broker import Broker
from store.plugin.callback import STREAM, Callback
from store.records import MutationEvent
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from store.wire.gen.pluggableharness.model.v1 import model_pb2
from store.wire.logline import LogLine
from tests.wire.conftest import Serve
from tests.wire.host import Attached, Host


def recall(host: Host, model: str = "m1", budget: int = 10_000) -> dict[str, int]:
    request = pb.RecallRequest(token_budget=budget, model_target=model_pb2.ModelTarget(id=model))
    records = host.memory(request, pb.RecallResponse).records
    return {record.id: record.tokens for record in records}


def test_the_host_counts_and_is_asked_once_for_a_text_and_model(host: Host, sockets: Path) -> None:
    host.attach(sockets)
    host.approved("One", "abc")
    host.approved("Two", "abcdef")
    assert recall(host) == {"one": 1003, "two": 1006}
    assert sorted(host.callbacks.counted) == [("abc", "m1"), ("abcdef", "m1")]
    assert recall(host) == {"one": 1003, "two": 1006}
    assert len(host.callbacks.counted) == 2
    assert recall(host, "m2") == {"one": 1003, "two": 1006}
    assert len(host.callbacks.counted) == 4


def test_counts_outlive_the_process(serve: Serve, sockets: Path) -> None:
    first = serve()
    first.attach(sockets)
    first.approved("One", "abc")
    recall(first)
    second = serve()
    (sockets / "second").mkdir()
    second.attach(sockets / "second")
    assert recall(second) == {"one": 1003}
    assert not second.callbacks.counted


def test_without_a_host_counts_are_the_hosts_own_estimate(host: Host) -> None:
    host.approved("One", "abcde")
    assert recall(host) == {"one": 2}


def test_an_estimate_is_not_kept_as_the_hosts_count(host: Host, sockets: Path) -> None:
    host.approved("One", "abcde")
    assert recall(host) == {"one": 2}
    host.attach(sockets)
    host.callbacks.refuse = True
    assert recall(host) == {"one": 2}
    host.callbacks.refuse = False
    assert recall(host) == {"one": 1005}


def test_counts_that_cannot_be_kept_are_used_all_the_same(
    host: Host, sockets: Path, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recall only reads: another program that writes for long must not make it fail."""
    monkeypatch.setattr("store.engine.BUSY_SECONDS", 0.05)
    host.attach(sockets)
    host.approved("One", "abc")
    with sqlite3.connect(store_path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert recall(host) == {"one": 1003}
        other.execute("ROLLBACK")
    assert recall(host) == {"one": 1003}
    assert len(host.callbacks.counted) == 2


def test_a_host_that_attaches_anew_starts_with_a_clean_table(host: Host, sockets: Path) -> None:
    """The address of the first attachment no longer answers; the second one's does."""
    first = host.attach(sockets)
    host.approved("One", "abc")
    assert recall(host) == {"one": 1003}
    first.end()
    second = host.attach(sockets)
    assert recall(host, "m2") == {"one": 1003}
    assert second is not first


def test_a_host_on_another_stream_is_not_called(host: Host, sockets: Path) -> None:
    host.approved("One", "abcde")
    attached = host.attach(sockets, number=2)
    attached.tell(STREAM, "127.0.0.1:1", network="tcp")
    attached.tell(STREAM, str(sockets / "callback0.sock"))
    assert recall(host) == {"one": 1005}


class Line:
    """A callback line of its own, with the broker in hand."""

    def __init__(self) -> None:
        self.broker = Broker()
        self.callback = Callback(self.broker)


@pytest.fixture
def line() -> Line:
    return Line()


def test_nobody_attached_is_found_out_once(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def wait_for(number: int, seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(line.broker, "wait_for", wait_for)
    for _ in range(3):
        with pytest.raises(SourceUnavailable):
            line.callback.count(["x"], "")
        assert not line.callback.emit("s", "memory_write", MutationEvent("id", "x"))
    assert len(waits) == 1


def connected(callback: Callback) -> bool:
    return callback.connected


def test_a_failed_dial_is_not_tried_again(line: Line, tmp_path: Path) -> None:
    """Until the host attaches anew."""
    attachment = line.broker.attach()
    line.broker.learn(attachment, STREAM, "unix", str(tmp_path / "nobody.sock"))
    assert not connected(line.callback)
    line.callback.touch()
    assert connected(line.callback)
    with pytest.raises(SourceUnavailable):
        line.callback.count(["x"], "")
    assert not connected(line.callback)
    line.callback.touch()
    assert not connected(line.callback)
    again = line.broker.attach()
    line.broker.learn(again, STREAM, "unix", str(tmp_path / "nobody.sock"))
    line.callback.touch()
    assert connected(line.callback)
    line.callback.close()


def test_logs_reach_the_host_in_batches_with_all_six_levels(host: Host, sockets: Path) -> None:
    broker = Broker()
    attached = Attached(host.channel, host.callbacks, sockets / "log.sock", STREAM)
    broker.learn(broker.attach(), STREAM, "unix", str(sockets / "log.sock"))
    callback = Callback(broker)
    levels = ["trace", "debug", "info", "warn", "error", "fatal"]
    lines = [LogLine(level, "me", f"it is {level}", 1.25, {"n": 1}) for level in levels]
    assert not callback.log(lines)  # nothing has called us yet: the host may not serve
    callback.touch()
    assert callback.log(lines)
    (request,) = host.callbacks.logged
    assert [entry.level for entry in request.entries] == [1, 2, 3, 4, 5, 6]
    assert request.entries[0].message == "it is trace"
    assert (request.entries[0].time.seconds, request.entries[0].time.nanos) == (1, 250_000_000)
    assert request.entries[0].fields.fields["n"].number_value == 1
    callback.close()
    attached.end()


def test_a_host_that_takes_no_log_is_not_told_so_in_the_log(
    host: Host, sockets: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broker = Broker()
    attached = Attached(host.channel, host.callbacks, sockets / "log.sock", STREAM)
    broker.learn(broker.attach(), STREAM, "unix", str(sockets / "log.sock"))
    callback = Callback(broker)
    callback.touch()
    host.callbacks.refuse = True
    with caplog.at_level(logging.DEBUG, "store"):
        assert not callback.log([LogLine("info", "me", "x", 0.0)])
        before = caplog.text
        assert not callback.emit("s", "memory_write", MutationEvent("id", "x"))
        assert "did not take Emit" in caplog.text.removeprefix(before)
        assert "Log" not in caplog.text
    callback.close()
    attached.end()


def test_the_broker_forgets_what_an_older_stream_told() -> None:
    broker = Broker()
    first = broker.attach()
    broker.learn(first, 1, "unix", "/old")
    second = broker.attach()
    broker.learn(first, 1, "unix", "/older")
    assert broker.known(1) is None
    broker.learn(second, 1, "unix", "/new")
    assert broker.known(1) == (second, "/new")
    assert (broker.detach(first), broker.current) == (False, second)
    assert (broker.detach(second), broker.current) == (True, None)
    assert broker.wait_for(1, 0.0) is None
