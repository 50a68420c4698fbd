"""Every command on a real terminal, over texts, ids, paths and settings that want to act on it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import typer

from tests.cli.terminals import on_terminal, run_each_on_terminal
from tests.doors.provider import records
from tests.doors.store import ALL, HOSTILE, SIGNS, TARGET, TWIN, hostile_folder, hostile_store
from tests.doors.stream import Received, flat, received
from tui.cli.app import app
from tui.linear.commands import COMMANDS

pytestmark = pytest.mark.slow

PROGRAM = [sys.executable, "-m", "tui.main"]
# A shell script's background jobs ignore SIGINT, and children inherit that.
INTERRUPTED = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
STAYING = [sys.executable, "-c", f"{INTERRUPTED}; from tui.main import main; main()"]
FORMS: tuple[list[str], ...] = ([], ["--plain"], ["--json"])
ESC, CSI, BIDI = HOSTILE[7], HOSTILE[8], HOSTILE[12]
IDS = [TWIN, "twins", "a-52-c-zm9v-b", "bold-red-x"]


def _forms(*arguments: str) -> list[list[str]]:
    return [[*arguments, *form] for form in FORMS]


# By command what is typed; {folder}, {out} and {text} are hostile names.
DOORS: dict[str, list[list[str]]] = {
    "list": [*_forms("list", "--all"), ["list", "--type", ESC]],
    "show": [*(c for id in [*IDS, TARGET] for c in _forms("show", id)), ["show", f"no {ESC}"]],
    "count": [*_forms("count"), ["count", "--scope", CSI]],
    "search": [*_forms("search", "31mred"), *_forms("search", ESC)],
    "links": [*_forms("links"), *_forms("links", "--check", "--strict")],
    "links fix": [["links", "fix", "--wanted", "--json"], ["links", "fix", "--apply", "{out}"]],
    "links rename": [
        *_forms("links", "rename", TARGET, f"new {ESC}"),
        ["links", "rename", ESC, CSI],
    ],
    "backlinks": [*_forms("backlinks", TWIN), ["backlinks", BIDI]],
    "recall": [
        *_forms("recall", "--budget", "100000", "--include-pending"),
        *_forms("recall", "--budget", "100000", "--include-pending", "--sections"),
        ["recall", "--budget", ESC],
    ],
    "record": [
        *_forms("record", "-t", "user", "-s", "global", "--title", ESC, "{text}"),
        ["record", "-t", "user", "-s", "global", "--title", ESC, f"{{out}}{ESC}"],
    ],
    "approve": [["approve", TWIN], ["approve", ESC], *_forms("approve", TWIN, "--revision", CSI)],
    "reject": [["reject", "twins"], ["reject", CSI], *_forms("reject", "twins", "--revision", ESC)],
    "delete": [*_forms("delete", "decided"), ["delete", ESC]],
    "restore": [*_forms("restore"), ["restore", "removed"], ["restore", BIDI]],
    "purge": [["purge", "--older", "3"], ["purge", ESC]],
    "import": [
        *_forms("import", "--dry-run", "--explain", "{folder}"),
        ["import", "{folder}"],
        ["import", f"{{out}}{CSI}"],
    ],
    "discover": _forms("discover"),
    "export": [*_forms("export", "{out}"), ["export", "--format", ESC, "{out}"]],
    "sync": [*_forms("sync", "--yes", "{folder}"), ["sync", "--yes", f"{{out}}{BIDI}"]],
    "watch": [["watch", "--every", ESC, "{folder}"], ["watch", f"--{ESC}"]],
    "serve": [["serve", "--socket", f"/proc/{ESC}/socket"]],
    "mcp": [["mcp", "--http", "0", "--token-file", f"/proc/{ESC}/token"]],
    "store copy": [["store", "copy", "{out}", f"{{out}}{CSI}"]],
    "bridge": [["bridge", ESC]],
    "apus path": [["apus", "path"], ["apus", "path", CSI]],
    "config show": _forms("config", "show"),
    "config check": [["config", "check"]],
    "config edit": [["config", "edit"]],
    "history": [*_forms("history"), ["history", ESC]],
    "doctor": [*_forms("doctor"), *_forms("doctor", "--report"), ["doctor", ESC]],
}

ESCAPED = ("\\u001b", "\\x1b", "\\u202e")
"""How JSON and quoted names show them."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a hostile store, memory folder and settings."""
    home = tmp_path_factory.mktemp("home")
    hostile_store(home / "inbox.db")
    hostile_folder(home / ".claude" / "projects")
    (home / f"text {ESC}").write_text(ALL, "utf-8")
    settings = home / "config" / "memory-inbox" / "config.toml"
    settings.parent.mkdir(parents=True)
    lines = (f"{json.dumps(text)} = {json.dumps(text)}" for text in (ESC, CSI, HOSTILE[9]))
    settings.write_text(
        "\n".join(['theme = "' + HOSTILE[6] + '"', "[sections]", *lines, "[keys]", *lines])
    )
    return home


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which the program finds what is in the home, and nothing else."""
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "PYTHONPATH": str(Path.cwd()),
        "VISUAL": "true",
    }


def commands() -> set[str]:
    """Return every command that there is, as it is typed."""

    def below(group: object, words: tuple[str, ...]) -> Iterator[str]:
        subcommands = getattr(group, "commands", {})
        for name, command in subcommands.items():
            yield from below(command, (*words, name))
        if words and (not subcommands or getattr(group, "invoke_without_command", False)):
            yield " ".join(words)

    return set(below(typer.main.get_command(app), ()))


def test_every_command_is_a_door() -> None:
    """A new command belongs into DOORS, with what it says of the texts of others."""
    assert set(DOORS) == commands()


@pytest.mark.parametrize("command", DOORS)
def test_a_command_shows_hostile_texts_and_obeys_none(home: Path, command: str) -> None:
    """Its answers in each form, and its errors about what was typed."""
    names = {
        "folder": next((home / ".claude" / "projects").glob("*/memory")),
        "out": home / f"out {ESC}",
        "text": home / f"text {ESC}",
    }
    calls = [
        [word.format(**names) if "{" in word else word for word in call] for call in DOORS[command]
    ]
    begun = [["--store", str(home / "inbox.db"), *call] for call in calls]
    _, data = run_each_on_terminal(begun, environment(home))
    check(data.replace(b"\t", b" "))


def check(data: bytes) -> Received:
    """Check that hostile texts were shown and none of them was obeyed."""
    stream = received(data)
    assert b"Traceback" not in data
    assert stream.foreign == []
    assert stream.raw == []
    seen = flat("".join(stream.texts))
    assert any(flat(sign) in seen for sign in (*SIGNS, *ESCAPED))
    return stream


@pytest.fixture(scope="module")
def other() -> Iterator[str]:
    """The address of a hostile provider."""
    with TemporaryDirectory(prefix="other") as directory:
        socket = Path(directory) / "s"
        serving = subprocess.Popen(
            [sys.executable, "-m", "tests.doors.provider", str(socket)], stdout=subprocess.PIPE
        )
        assert serving.stdout is not None
        serving.stdout.readline()
        yield f"unix:{socket}"
        serving.kill()
        serving.wait()


OTHER_DOORS: Sequence[list[str]] = [
    *_forms("list", "--all"),
    *(call for record in records() if "\0" not in record.id for call in _forms("show", record.id)),
    *_forms("approve", HOSTILE[0], ESC),
    *_forms("recall", "--budget", "100000"),
    *_forms("links"),
    ["delete", CSI],
    ["history"],
]


def test_another_provider_is_shown_and_not_obeyed(home: Path, other: str) -> None:
    """Ids, names and errors that no store of ours would have, NUL among them."""
    calls = [["--provider", other, *call] for call in OTHER_DOORS]
    _, data = run_each_on_terminal(calls, environment(home))
    check(data.replace(b"\t", b" "))


LINES: dict[str, list[str]] = {
    "approve": ["approve 1-99", f"approve {ESC}"],
    "reject": ["reject 2"],
    "skip": ["skip 3", f"skip {CSI}"],
    "unmark": ["unmark 1", f"unmark {ESC}"],
    "undo": ["undo"],
    "redo": ["redo"],
    "plan": ["plan"],
    "apply": ["apply", f"no {ESC}"],
    "takeback": ["takeback"],
    "edit": ["edit"],
    "takeover": ["takeover", f"takeover {ESC}"],
    "compare": ["compare", f"compare {ESC}"],
    "merge": ["merge", f"merge into {ESC}"],
    "fix": [f"fix {ESC}", "fix 1"],
    "unfix": ["unfix"],
    "new": [f"new user {ESC}", f"new user global {ESC}", ESC, "."],
    "change": [f"change type:{ESC}"],
    "delete": ["delete", f"delete {ESC}"],
    "show": ["show"],
    "next": ["next"] * 3,
    "previous": ["previous"],
    "down": ["down"] * 22,
    "up": ["up"],
    "go": [f"go {TARGET}", "go 1", f"go {ESC}"],
    "links": ["links"],
    "follow": ["follow 1", f"follow {BIDI}"],
    "back": ["back"],
    "forward": ["forward"],
    "list": ["list", f"list {ESC}"],
    "more": ["more"],
    "filter": [f"filter {ESC}", f"filter type:{CSI}", "filter"],
    "section": ["section", f"section {ESC}"],
    "names": ["names", f"names {ESC}", "names 1"],
    "recall": [f"recall in:{ESC} file:{CSI}", "recall drafts", f"recall budget:{ESC}"],
    "queue": ["queue", f"queue {ESC}"],
    "import": ["import", "import 1", f"import /tmp/{ESC}"],
    "browse": ["browse", f"browse {CSI}"],
    "drafts": ["drafts"],
    "search": ["search 31mred", f"search {ESC}"],
    "refresh": ["refresh"],
    "history": ["history", f"history {ESC}"],
    "older": ["older"],
    "trash": ["trash", "trash 1", f"trash {CSI}"],
    "restore": [f"restore {ESC}"],
    "status": ["status"],
    "help": ["help", f"help {ESC}"],
    "quit": [f"{ESC} nonsense", "quit", "leave"],
}


def test_every_linear_command_is_a_door() -> None:
    """A new command of --linear belongs into LINES."""
    assert set(LINES) == {command.name for command in COMMANDS}


@pytest.mark.parametrize("place", ["store", "provider"])
def test_a_linear_sitting_says_hostile_texts_and_obeys_none(
    home: Path, other: str, place: str, tmp_path: Path
) -> None:
    """All of its commands in one sitting, over a store and over another provider."""
    heard = tmp_path / "heard"
    heard.write_text("".join(f"{line}\n" for lines in LINES.values() for line in lines), "utf-8")
    where = ["--store", str(home / "inbox.db")] if place == "store" else ["--provider", other]
    with heard.open("rb") as stdin:
        data = on_terminal([*PROGRAM, *where, "--linear"], environment(home), stdin)[1]
    check(data)


@pytest.mark.parametrize("command", ["watch", "serve"])
def test_a_command_that_stays_says_hostile_names_and_obeys_none(home: Path, command: str) -> None:
    """Until it is interrupted: then it ends without a traceback."""
    folder = next((home / ".claude" / "projects").glob("*/memory"))
    with TemporaryDirectory(prefix="stay") as short:
        words = {
            "watch": ["watch", str(folder)],
            "serve": ["serve", "--socket", f"{short}/{ESC[:7]}"],
        }

        def interrupt(process: subprocess.Popen[bytes], so_far: bytes) -> None:
            if b"Ctrl-C ends it" in so_far:
                process.send_signal(signal.SIGINT)

        place = ["--store", str(home / "staying.db")]
        data = on_terminal([*PROGRAM, *place, *words[command]], environment(home), None, interrupt)[
            1
        ]
    check(data)
