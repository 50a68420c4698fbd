"""Records the one-minute path as a terminal session: install, import, review, by the real program in a pty.

    python screenshots/cast.py            record screenshots/one-minute.cast
    python screenshots/cast.py --check    say whether the commands still answer so; exit code 1 if not

The file is asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/): a header, then a line for each
piece of output, ``[seconds, "o", text]``. The seconds are made up, so that no machine looks fast or slow.
What the app paints comes in pieces that differ from run to run, so the check compares what the commands
around it answer; the last one counts what was decided in it.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CAST = HERE / "one-minute.cast"
MEMORIES = ROOT / "tests" / "docs" / "memories"
COLUMNS, LINES = 80, 24
PROMPT = "$ "
QUIET = 2.0  # seconds without output after which the app has painted
PATIENCE = 300.0  # seconds for an answer; installing is one
TYPED, READ = 0.06, 1.6  # seconds of the recording: a key, an answer

COMMANDS = ("make inbox ARGS='import memories'", "make inbox", "make inbox ARGS=count")
APP = COMMANDS[1]
KEYS = ("a", "a", "r", "a", "p", "A", "q")
"""What is pressed in the app: four drafts decided, the plan, done, out."""


@dataclass(slots=True)
class Terminal:
    """A shell on a terminal of its own."""

    descriptor: int

    def until_prompt(self) -> str:
        """Return what comes until the shell asks for the next command."""
        return self._read(lambda text: text.endswith(PROMPT), PATIENCE)

    def until_quiet(self) -> str:
        """Return what comes until nothing more does."""
        return self._read(None, QUIET)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.descriptor, keys.encode())

    def _read(self, whole: Callable[[str], bool] | None, patience: float) -> str:
        received = bytearray()
        while True:
            waiting = PATIENCE if whole or not received else patience
            if not select.select([self.descriptor], [], [], waiting)[0]:
                if whole:
                    raise TimeoutError(f"no prompt after: {received[-500:].decode()}")
                return received.decode("utf-8", "replace")
            received += os.read(self.descriptor, 65536)
            if whole and whole(received.decode("utf-8", "replace")):
                return received.decode("utf-8", "replace")


@contextmanager
def shell(directory: Path) -> Iterator[Terminal]:
    """Run a shell in a fresh copy of this checkout, with a home of its own."""
    home, checkout = directory / "home", directory / "memory-inbox"
    home.mkdir()
    tracked = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - whichever git there is
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    for name in filter(None, tracked.decode().split("\0")):
        if not name.startswith(("tests/", "screenshots/")):
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, checkout / name)
    shutil.copytree(MEMORIES, checkout / "memories")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environ = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    environ |= {
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PS1": PROMPT,
        "PIP_QUIET": "2",
        "TEXTUAL_ANIMATIONS": "none",
    }
    environ |= {"MEMORY_INBOX_STORE": "inbox.db", "MEMORY_INBOX_REVIEWER": "ann"}
    environ |= {"XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home), "ENV": ""}
    process = subprocess.Popen(
        ["/bin/sh", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=checkout,
        env=environ,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    try:
        yield Terminal(ours)
    finally:
        os.close(ours)  # the shell ends with its terminal
        process.wait()


def record() -> list[tuple[str, str]]:
    """Go the path; return what was typed and what came of it, in turn."""
    with tempfile.TemporaryDirectory() as name, shell(Path(name)) as terminal:
        said = [("", terminal.until_prompt())]
        for command in COMMANDS:
            terminal.press(f"{command}\r")
            if command == APP:
                said.append((command, terminal.until_quiet()))
                for key in KEYS[:-1]:
                    terminal.press(key)
                    said.append((key, terminal.until_quiet()))
                terminal.press(KEYS[-1])
                said.append((KEYS[-1], terminal.until_prompt()))
            else:
                said.append((command, terminal.until_prompt()))
        return [(typed, text.replace(name, "~")) for typed, text in said]


def last_paint(text: str) -> str:
    """Return output without what a later paint of the whole screen covers."""
    top, bottom = "\x1b[1;1H", f"\x1b[{LINES};1H"
    first = text.find(top)
    whole = text.rfind(bottom)
    last = text.rfind(top, 0, whole) if whole >= 0 else -1
    return text[:first] + text[last:] if 0 <= first < last else text


def cast_of(said: list[tuple[str, str]]) -> str:
    """Return a recording as asciicast v2."""
    header = {
        "version": 2,
        "width": COLUMNS,
        "height": LINES,
        "title": "Memory Inbox in one minute",
    }
    lines: list[object] = [header]
    now = 0.0
    for typed, text in said:
        shown = text
        if typed in COMMANDS:  # the terminal's echo, key by key
            echo, _, rest = text.partition("\n")
            for character in echo.rstrip("\r"):
                now += TYPED
                lines.append((round(now, 2), "o", character))
            shown = f"\r\n{rest}"
        shown = last_paint(shown)
        now += TYPED * 5
        lines.append((round(now, 2), "o", shown))
        now += READ
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def answers(cast: str) -> list[str]:
    """Return what the commands around the app answered, without colours, of a recording."""
    text = "".join(json.loads(line)[2] for line in cast.splitlines()[1:])
    plain = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", text).replace("\r\n", "\n")
    found = [plain.partition(f"{COMMANDS[0]}\n")[2].partition(f"\n{PROMPT}")[0]]
    found.append(plain.rpartition(f"{COMMANDS[2]}\n")[2].removesuffix(PROMPT))
    return found


def main(arguments: list[str]) -> int:
    """Record or check; returns the exit code."""
    parser = argparse.ArgumentParser(description="Record the one-minute path.")
    parser.add_argument("--check", action="store_true", help="only say whether it is out of date")
    options = parser.parse_args(arguments)
    cast = cast_of(record())
    if not options.check:
        CAST.write_text(cast, encoding="utf-8")
    elif not CAST.exists() or answers(CAST.read_text("utf-8")) != answers(cast):
        print(f"out of date: {CAST.name}; python screenshots/cast.py records it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
