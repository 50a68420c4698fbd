"""Agents' text on a real terminal: shown, never obeyed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.cli.conftest import Cli, Write
from tests.cli.terminals import raw_controls, run_each_on_terminal, run_on_terminal

PROGRAM = [sys.executable, "-m", "tui.main"]
CASES = json.loads((Path(__file__).parents[1] / "cases/terminal.json").read_text("utf-8"))
HOSTILE: list[str] = [
    text for text in CASES["strings"] if "\0" not in text
]  # refused: test_writing


@pytest.fixture
def hostile_store(desk: LocalDesk, store_path: Path) -> Path:
    """A store with each hostile string as title, suggested id, summary, text, link and project path."""
    for text in HOSTILE:
        new = NewRecord(
            MemoryType.PROJECT,
            MemoryScope.GLOBAL,
            text,
            f"{text}\n\n[[{text}]]\n\n    {text}\n",
            id=text,
            summary=text,
        )
        origin = Origin(recorded_by=text, session_id=text, project_root=text)
        desk.write(new, origin, RecordStatus.PENDING)
    return store_path


def test_plain_lines_have_tabs_between_cells_and_nowhere_else(hostile_store: Path) -> None:
    """A tab in a title must not make a cell of its own."""
    command = [*PROGRAM, "--store", str(hostile_store), "list", "--all", "--plain"]
    code, received = run_on_terminal(command, os.environ)
    assert code == 0, received.decode()
    assert {line.count(b"\t") for line in received.splitlines()} == {6}
    assert raw_controls(received.replace(b"\t", b"")) == []


@pytest.mark.parametrize("form", [[], ["--plain"], ["--json"]])
def test_the_card_of_a_hostile_record_is_shown_not_obeyed(
    hostile_store: Path, desk: LocalDesk, form: list[str]
) -> None:
    ids = [record.id for record in desk.list_records(page_size=500).records]
    codes, received = run_each_on_terminal(
        [["--store", str(hostile_store), "show", id, *form] for id in ids], os.environ
    )
    assert set(codes) == {0}
    assert raw_controls(received) == []


def test_errors_show_what_was_typed_and_obey_nothing(hostile_store: Path) -> None:
    """A pasted id, option or command is as hostile as a record."""
    calls = [
        ["--store", str(hostile_store), *arguments]
        for text in HOSTILE
        for arguments in (["show", f"no {text}"], ["list", "--type", text], [f"no{text}"])
    ]
    codes, received = run_each_on_terminal(calls, os.environ)
    assert set(codes) == {1, 2}
    assert raw_controls(received) == []


def test_a_pipe_gets_no_colours_and_a_terminal_does(write: Write, store_path: Path) -> None:
    write("Note")
    command = [*PROGRAM, "--store", str(store_path), "list"]
    _, painted = run_on_terminal(command, os.environ)
    assert b"\x1b[1m" in painted
    piped = subprocess.run(command, capture_output=True, check=True).stdout
    assert b"\x1b" not in piped


def test_no_color_is_respected(write: Write, store_path: Path) -> None:
    """NO_COLOR takes colours away, on errors too; weights may stay."""
    write("Note", draft=True)
    environment = {**os.environ, "NO_COLOR": "1"}
    for arguments in (["approve", "note"], ["show", "nobody"]):
        command = [*PROGRAM, "--store", str(store_path), *arguments]
        _, received = run_on_terminal(command, environment)
        assert b"\x1b[3" not in received
        assert b";3" not in received


def test_json_keeps_every_character(cli: Cli, desk: LocalDesk, hostile_store: Path) -> None:
    """Escaped on the wire to the terminal, whole for the program that reads it."""
    stored = {r.id: r.content for r in desk.list_records(page_size=500).records}
    printed = {o["id"]: o["content"] for o in cli("list", "--all", "--json").objects}
    assert printed == stored


def test_a_reader_that_leaves_ends_the_command_quietly(write: Write, store_path: Path) -> None:
    for number in range(300):
        write(f"Note {number}", "x" * 400)
    process = subprocess.Popen(
        [*PROGRAM, "--store", str(store_path), "list", "--all", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 1


def test_ctrl_c_is_130_and_leaves_no_traceback(store_path: Path) -> None:
    process = subprocess.Popen(
        [
            *PROGRAM,
            "--store",
            str(store_path),
            "record",
            "--type",
            "user",
            "--scope",
            "global",
            "--title",
            "T",
            "-",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell script's background jobs ignore SIGINT, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdin is not None
    process.stdin.write(b"x" * 1_000_000)  # more than a pipe holds: it is reading when this returns
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_terminal_without_unicode_gets_numbers_not_a_traceback(
    write: Write, store_path: Path
) -> None:
    write("漢字")
    ran = subprocess.run(
        [*PROGRAM, "--store", str(store_path), "list"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\\u6f22\\u5b57" in ran.stdout
