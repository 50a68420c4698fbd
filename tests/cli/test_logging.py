"""The log file: what every door writes there, and what must never get there."""

from __future__ import annotations

import json
import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.errors import InvalidArgument
from store.logfile import Level, log_to
from tests.tui.linear_talk import talk
from tests.tui.sitting import draft, fill, sitting

SECRET = "AKIAIOSFODNN7EXAMPLE"


def run(*arguments: str, text: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tui.main", *arguments],
        input=text,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
    )


def lines_of(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    fill(tmp_path / "s.db", [draft(0), draft(1)])
    return tmp_path / "s.db"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """A log file of this process, taken away again."""
    path = tmp_path / "inbox.log"
    before = {name: logging.getLogger(name).level for name in ("store", "render", "tui")}
    handler = log_to(str(path), Level.DEBUG)
    yield path
    logging.getLogger().removeHandler(handler)
    handler.close()
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def test_a_command_says_what_it_is_and_how_it_ended(store: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    ran = run("--log-file", str(log), "--store", str(store), "count", "--plain")
    assert ran.returncode == 0
    first, opened, last = lines_of(log)
    assert (first["message"], first["command"], first["level"]) == ("started", "count", "info")
    assert (opened["message"], opened["what"]) == ("opened", "store")
    assert (last["message"], last["code"]) == ("ended", 0)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_no_text_title_id_or_secret_gets_there(tmp_path: Path) -> None:
    log, store = tmp_path / "a.log", str(tmp_path / "s.db")
    environ = {"MEMORY_INBOX_LOG_FILE": str(log), "MEMORY_INBOX_LOG_LEVEL": "debug"}
    wanted = ["--type", "user", "--scope", "global", "--title", "Whisper", "--pending", "-"]
    run("--store", store, "record", *wanted, text=f"Key {SECRET}", **environ)
    run("--store", store, "--linear", text="show\na\napply\nyes\nq\n", **environ)
    assert run("--store", store, "show", "whisperer", **environ).returncode == 1
    bad = run("--store", f"postgresql://ann:{SECRET}@127.0.0.1:1/none", "count", **environ)
    assert bad.returncode == 1
    text = log.read_text("utf-8")
    for private in (SECRET, "whisper", "Whisper", str(tmp_path)):
        assert private not in text
    failed = [line for line in lines_of(log) if line["level"] == "error"]
    assert [line["message"] for line in failed] == ["failed"] * 2
    assert all(line["error"] and line["at"] for line in failed)
    assert '"approve": 1' in text


def test_without_a_log_file_an_error_is_said_once(store: Path) -> None:
    ran = run("--store", str(store), "show", "nobody")
    assert ran.returncode == 1
    assert ran.stderr.count("nobody") == 1
    assert "failed" not in ran.stderr


def test_a_level_leaves_out_what_is_below_it(store: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    run("--log-file", str(log), "--log-level", "error", "--store", str(store), "show", "nobody")
    assert [line["level"] for line in lines_of(log)] == ["error"]
    assert run("--log-file", str(log), "--log-level", "loud", "count").returncode == 2


def test_a_log_file_that_cannot_be_written_is_an_error_at_once(tmp_path: Path) -> None:
    ran = run("--log-file", str(tmp_path / "none" / "a.log"), "count")
    assert ran.returncode == 1
    assert "the log file cannot be written" in ran.stderr
    with pytest.raises(InvalidArgument):
        log_to(str(tmp_path / "none" / "a.log"))


def test_what_is_hidden_or_controls_a_terminal_shows(log: Path) -> None:
    logging.getLogger("tui").warning("\x1b[2J\u202e", extra={"fields": {"name": "\x1b]0;x\x07"}})
    raw = log.read_text("utf-8")
    assert not {"\x1b", "\u202e", "\x07"} & set(raw)
    assert "\\u001b" not in raw
    assert raw.count("\n") == 1


def test_a_plugin_appends_to_the_file_that_its_environment_names(tmp_path: Path) -> None:
    log = tmp_path / "plugin.log"
    door = f"exec:MEMORY_INBOX_LOG_FILE={log} {sys.executable} -m tui.main"
    ran = run("--provider", door, "list", XDG_DATA_HOME=str(tmp_path / "data"))
    assert ran.returncode == 0
    first = lines_of(log)[0]
    assert (first["message"], first["command"]) == ("started", "plugin")


def test_the_bridge_appends_to_it_too_and_says_nothing_else_on_stdout(tmp_path: Path) -> None:
    log = tmp_path / "bridge.log"
    ran = run("bridge", "--store", str(tmp_path / "s.db"), MEMORY_INBOX_LOG_FILE=str(log))
    assert ran.stdout == ""
    [first] = lines_of(log)
    assert (first["message"], first["command"]) == ("started", "bridge")


def test_an_environment_that_names_no_file_that_can_be_written_stops_no_plugin(
    tmp_path: Path,
) -> None:
    door = f"exec:MEMORY_INBOX_LOG_FILE={tmp_path}/none/a.log {sys.executable} -m tui.main"
    ran = run("--provider", door, "list", XDG_DATA_HOME=str(tmp_path / "data"))
    assert ran.returncode == 0


async def test_the_app_tells_of_a_job_that_failed_and_not_what_it_was_about(
    store: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from store.local import LocalDesk

    def fail(*_: object) -> None:
        raise InvalidArgument(f"a text with {SECRET}")

    async with sitting(store) as seat:
        monkeypatch.setattr(LocalDesk, "links", fail)
        await seat.press("L")
    failed = [line for line in lines_of(log) if line["message"] == "job failed"]
    assert [(line["job"], line["error"]) for line in failed] == [("links", "InvalidArgument")]
    assert SECRET not in log.read_text("utf-8")


def test_a_command_that_fails_line_by_line_is_a_warning(store: Path, log: Path) -> None:
    talk(store, "go nobody")
    [failed] = [line for line in lines_of(log) if line["message"] == "failed"]
    assert (failed["level"], failed["command"], failed["error"]) == ("warning", "go", "NotFound")
    assert "nobody" not in log.read_text("utf-8")
