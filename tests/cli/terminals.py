"""A terminal to run a program on, and what must not be in the bytes that it receives."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

# What our own output may consist of: line ends, and colours and weights (SGR).
_OURS = re.compile(rb"\x1b\[[0-9;]*m|\r\n|\n")
_RAW = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def run_on_terminal(
    command: Sequence[str],
    env: Mapping[str, str],
    columns: int = 100,
    lines: int = 40,
    cwd: Path | None = None,
) -> tuple[int, bytes]:
    """Run a program on a terminal of its own; return its exit code and every byte it wrote there."""
    return on_terminal(command, env, columns=columns, lines=lines, cwd=cwd)


def on_terminal(
    command: Sequence[str],
    env: Mapping[str, str],
    stdin: IO[bytes] | None = None,
    watch: Callable[[subprocess.Popen[bytes], bytes], None] | None = None,
    *,
    columns: int = 100,
    lines: int = 40,
    cwd: Path | None = None,
) -> tuple[int, bytes]:
    """Run a program as `run_on_terminal` does.

    Args:
        stdin: what it reads in place of the terminal.
        watch: called with all that was written so far, whenever there is more.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        command,
        stdin=stdin or theirs,
        stdout=theirs,
        stderr=theirs,
        env={"TERM": "xterm-256color", "LANG": "C.UTF-8", **env},
        cwd=cwd,
    )
    os.close(theirs)
    received = bytearray()
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux says EIO when the last writer has gone
            break
        if not chunk:
            break
        received += chunk
        if watch:
            watch(process, bytes(received))
    os.close(ours)
    return process.wait(), bytes(received)


_EACH = "import json, sys; from tui.cli.app import run; print([int(run(a)) for a in json.loads(sys.argv[1])])"


def run_each_on_terminal(
    calls: Sequence[Sequence[str]], env: Mapping[str, str]
) -> tuple[list[int], bytes]:
    """Run several command lines of ours in one process on a terminal; return their codes and all bytes."""
    code, received = run_on_terminal([sys.executable, "-c", _EACH, json.dumps(calls)], env)
    assert code == 0, received.decode()
    output, codes = received.rstrip().rsplit(b"\r\n", 1)
    return json.loads(codes), output


def uncoloured(received: bytes) -> str:
    """Return output as text, its line ends plain and its colours left out."""
    return re.sub(r"\x1b\[[0-9;]*m", "", received.decode("utf-8").replace("\r\n", "\n"))


def raw_controls(received: bytes) -> list[str]:
    """Return the characters that act on a terminal or hide in it, our own colours and line ends aside."""
    return _RAW.findall(_OURS.sub(b"", received).decode("utf-8"))
