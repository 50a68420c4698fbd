"""Log lines: hclog JSON that no host chokes on, and no traceback ever."""

from __future__ import annotations

import json
import logging
import os
import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.plugin.logs import LONGEST, TRACE, HostLog, hclog, install, line_of
from store.wire.logline import LogLine


def record(level: int, message: str, *args: object, **extra: Any) -> logging.LogRecord:
    made = logging.LogRecord("store.x", level, __file__, 1, message, args, extra.pop("exc", None))
    made.__dict__.update(extra)
    return made


@pytest.mark.parametrize(
    ("number", "word", "low"),
    [
        (1, "trace", "trace"),
        (TRACE, "trace", "trace"),
        (logging.DEBUG, "debug", "debug"),
        (logging.INFO, "info", "info"),
        (logging.WARNING, "warn", "warn"),
        (logging.ERROR, "error", "error"),
        (logging.CRITICAL, "fatal", "error"),
    ],
)
def test_levels_are_the_hosts_six_and_hclogs_five(number: int, word: str, low: str) -> None:
    line = line_of(record(number, "x"))
    assert line.level == word
    assert json.loads(hclog(line))["@level"] == low


@given(
    st.builds(
        LogLine,
        st.sampled_from(["trace", "debug", "info", "warn", "error", "fatal"]),
        st.text(),
        st.text(),
        st.floats(0, 4e9),
        st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()),
    )
)
def test_any_line_is_one_line_of_json_with_strings_where_hosts_insist(line: LogLine) -> None:
    """A level, message or time that is no string crashes a host; a field must not take their place."""
    written = hclog(line)
    assert written.endswith(b"\n")
    assert written.count(b"\n") == 1
    read = json.loads(written)
    for name in ("@level", "@message", "@timestamp", "@module"):
        assert isinstance(read[name], str)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", read["@timestamp"])
    assert read["@message"] == line.message


def test_a_message_is_cut_and_cleaned() -> None:
    line = line_of(record(logging.INFO, "\ud800%s", "x" * LONGEST * 2))
    assert line.message.startswith("?x")
    assert len(line.message) == LONGEST
    assert len(hclog(line_of(record(logging.INFO, "\U0001f600" * LONGEST)))) < 2**17


def test_fields_are_plain_values() -> None:
    fields = {"a": 1, "b": float("nan"), "c": object, "d": None, "e": True}
    line = line_of(record(logging.INFO, "x", fields=fields))
    assert line.fields == {"a": 1, "b": "nan", "c": str(object), "d": None, "e": True}


def test_an_error_is_named_with_its_place_and_without_its_text() -> None:
    try:
        raise ValueError("text of a memory")
    except ValueError as error:
        line = line_of(
            record(logging.ERROR, "failed", exc=(ValueError, error, error.__traceback__))
        )
    assert line.fields["error"] == "ValueError"
    assert str(line.fields["at"]).startswith("test_logs.py:")
    assert b"text of a memory" not in hclog(line)


class Taken:
    """A host that takes batches, or refuses them."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.there = True
        self.takes = True
        self.changed = threading.Condition()

    def send(self, lines: Sequence[LogLine]) -> bool:
        with self.changed:
            if self.takes:
                self.batches.append([line.message for line in lines])
            self.changed.notify_all()
        return self.takes

    def ready(self) -> bool:
        return self.there


@pytest.fixture
def stderr() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    os.close(read)
    os.close(write)


def test_lines_go_to_stderr_until_the_host_can_be_told(stderr: tuple[int, int]) -> None:
    host = Taken()
    host.there = False
    log = HostLog(host.send, host.ready, stderr[1])
    log.handle(record(logging.INFO, "early"))
    assert json.loads(os.read(stderr[0], 65536))["@message"] == "early"
    host.there = True
    log.handle(record(logging.INFO, "one"))
    log.handle(record(logging.INFO, "two"))
    log.flush()
    assert host.batches == [["one", "two"]]


def test_waiting_lines_are_sent_by_themselves(stderr: tuple[int, int]) -> None:
    host = Taken()
    log = HostLog(host.send, host.ready, stderr[1])
    for number in range(250):
        log.handle(record(logging.INFO, str(number)))
    with host.changed:
        assert host.changed.wait_for(lambda: sum(map(len, host.batches)) == 250, 10)
    assert max(map(len, host.batches)) <= 101
    assert [line for batch in host.batches for line in batch] == [str(n) for n in range(250)]


def test_what_the_host_does_not_take_goes_to_stderr(stderr: tuple[int, int]) -> None:
    host = Taken()
    host.takes = False
    log = HostLog(host.send, host.ready, stderr[1])
    log.handle(record(logging.INFO, "lost?"))
    log.flush()
    assert json.loads(os.read(stderr[0], 65536))["@message"] == "lost?"


def test_a_flood_loses_the_oldest_and_says_so(
    stderr: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.plugin.logs._WAITING", 3)
    monkeypatch.setattr("store.plugin.logs._PAUSE", 60)
    host = Taken()
    log = HostLog(host.send, host.ready, stderr[1])
    for number in range(5):
        log.handle(record(logging.INFO, str(number)))
    log.flush()
    assert host.batches == [
        ["2", "3", "4", "2 older log lines were lost: the host took them too slowly"]
    ]


def test_a_line_that_cannot_be_formatted_takes_nobody_down(stderr: tuple[int, int]) -> None:
    host = Taken()
    host.there = False
    log = HostLog(host.send, host.ready, stderr[1])
    log.handle(record(logging.INFO, "%d", "no number"))
    assert "could not be formatted" in os.read(stderr[0], 65536).decode()


def test_installed_it_is_the_only_handler(stderr: tuple[int, int]) -> None:
    root = logging.getLogger()
    before, level, raising = root.handlers[:], root.level, logging.raiseExceptions
    try:
        host = Taken()
        log = HostLog(host.send, host.ready, stderr[1])
        install(log)
        logging.getLogger("store.anything").info("ours")
        logging.getLogger("sqlalchemy.engine").info("chatter")
        log.flush()
        assert host.batches == [["ours"]]
    finally:
        root.handlers[:] = before
        root.setLevel(level)
        logging.raiseExceptions = raising
        for ours in ("store", "render"):
            logging.getLogger(ours).setLevel(logging.NOTSET)
