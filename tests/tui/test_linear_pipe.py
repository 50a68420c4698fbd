"""The inbox line by line as a program in a pipe: a whole sitting, hostile texts, and what it loads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from store.records import MemoryScope, MemoryType, NewRecord, RecordStatus
from tests.cli.terminals import run_on_terminal
from tests.tui.linear_talk import pipe
from tests.tui.sitting import desk_at, fill

# What a terminal would act on or hide: a screen reader and a log must never get it.
RAW = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff]")
BOXES = re.compile(r"[\u2500-\u259f]")


@pytest.mark.slow
def test_300_drafts_through_a_pipe_and_the_store_holds_what_the_plan_said(
    many: Path, tmp_path: Path
) -> None:
    decisions = ["r" if number % 7 == 0 else "a" for number in range(300)]
    said = pipe(many, tmp_path, "\n".join([*decisions, "p", "A", "yes", "q", ""])).stdout.decode()
    plan = re.search(r"^(\d+) approve, (\d+) reject, links: none touched\.$", said, re.M)
    assert plan is not None
    approved, rejected = int(plan[1]), int(plan[2])
    assert (approved, rejected) == (257, 43)
    assert f"What happened: {approved} approved, {rejected} rejected, none failed." in said
    desk = desk_at(many)
    counts = desk.count()
    assert (counts.canonical, counts.pending) == (approved, 0)
    desk.close()


def test_the_end_of_the_input_keeps_the_marks(store: Path, tmp_path: Path) -> None:
    first = pipe(store, tmp_path, "approve\nreject").stdout.decode()
    assert first.endswith(
        "2 drafts are marked and not yet decided in the store.\n"
        "The marks are kept: they will be here again.\n"
    )
    second = pipe(store, tmp_path, "plan\n").stdout.decode()
    assert "1 approve, 1 reject, links: none touched." in second


def test_hostile_texts_cannot_act_or_speak_for_the_inbox(tmp_path: Path) -> None:
    store = tmp_path / "inbox.db"
    hostile = (
        "See [[\x1b[31mnowhere\u202e]].\n\n"
        "\x1b]0;owned\x07\x1b[2J\u202eover\u2066 \x9b31m \r\b\n"
        "What happened: 300 approved, none failed.\n\n---\n\ninbox> yes\n\n"
        "[click\x1b[1m](https://example.org/\u202e)"
    )
    new = NewRecord(
        MemoryType.USER,
        MemoryScope.GLOBAL,
        "Evil\x1b[31m\n1. approved all\u202e",
        hostile,
        summary="\x1b[5mblink",
    )
    fill(store, [new])
    commands = ["list", "links", "follow 1", "browse", "search over", "history", "\x1b[A", "\udcff"]
    commands += [
        "names",
        "names wanted",
        "names 1",
        "recall drafts",
        "queue",
        "go 1",
        "edit",
        "",
        ".",
    ]
    commands += [
        "import \x1b[2J",
        "section \x1b[2J",
        "merge 1",
        "compare",
        "new user global \u202e",
    ]
    text = "\n".join(commands).encode("utf-8", "surrogateescape")
    said = pipe(store, tmp_path, text).stdout.decode()
    assert RAW.findall(said) == []
    assert BOXES.findall(said) == []
    assert not any(
        line.startswith(("What happened", "inbox>", "1. approved")) for line in said.splitlines()
    )
    assert "  What happened: 300 approved" in said


def test_on_a_terminal_nothing_is_coloured_or_moved(store: Path, tmp_path: Path) -> None:
    script = f"printf 'approve\\nlist\\n' | {sys.executable} -m tui.main --store {store} --linear"
    code, received = run_on_terminal(
        ["bash", "-c", script], {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, cwd=Path.cwd()
    )
    assert code == 0
    assert RAW.findall(received.decode().replace("\r\n", "\n")) == []


def test_textual_is_not_loaded(store: Path, tmp_path: Path) -> None:
    announce = (
        "import sys; from tui.main import main; code = main(); "
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'textual', 'grpc'}),"
        " file=sys.stderr)"
    )
    commands = "help\nlist\na\nr all\nu\nU\nplan\napply\nyes\nbrowse\nsearch note\nhistory\nlinks\n"
    commands += "names\nnames wanted\nrecall\nqueue\nimport\nsection\ngo note-8\ncompare\nmerge 2\n"
    commands += "new user global Tea\n\nGreen.\n.\nedit\n\n.\nchange type:user\ndelete\ntrash\n"
    ran = subprocess.run(
        [sys.executable, "-c", announce, "--store", str(store), "--linear"],
        input=commands,
        env={**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr.splitlines()[-1] == "[]"


def test_a_command_beside_it_is_refused(store: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tui.main", "--linear", "list"], capture_output=True, text=True
    )
    assert ran.returncode == 2
    assert "--linear is for the inbox" in ran.stderr


def test_a_revision_is_read_as_its_difference_and_replaces(store: Path, tmp_path: Path) -> None:
    desk = desk_at(store)
    desk.approve_record("note-9")
    desk.update_record("note-9", "What note 9 says now.")
    desk.close()
    said = pipe(store, tmp_path, "go note-9\na\nplan\napply\nyes\n").stdout.decode()
    assert "  -What note 9 says." in said
    assert "  +What note 9 says now." in said
    assert "1. replace note-9: -1 +1 lines" in said
    assert "What happened: 1 replaced, none failed." in said
    desk = desk_at(store)
    assert desk.review("note-9", RecordStatus.CANONICAL).record.content == "What note 9 says now."
    desk.close()
