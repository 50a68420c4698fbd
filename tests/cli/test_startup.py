"""What starts what: the plugin, the commands and the inbox each load only what they need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tui.main import COOKIE_NAME, COOKIE_VALUE

DATABASE = {"sqlalchemy", "sqlmodel", "alembic", "sqlite3"}
WIRE = {"grpc", "google.protobuf"}
APP = {"textual"}
ANNOUNCE = """
import json, sys
from tui.main import main
try:
    code = main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def modules_after(tmp_path: Path, *arguments: str) -> set[str]:
    """Run a command in a fresh interpreter; return the names of all modules it loaded."""
    ran = subprocess.run(
        [sys.executable, "-c", ANNOUNCE, *arguments],
        env={**os.environ, "MEMORY_INBOX_STORE": str(tmp_path / "inbox.db")},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(ran.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments", [["--help"], ["list", "--help"], ["recall", "--help"], ["--version"]]
)
def test_help_loads_neither_database_nor_wire_nor_app(tmp_path: Path, arguments: list[str]) -> None:
    loaded = modules_after(tmp_path, *arguments)
    assert not loaded & (DATABASE | WIRE | APP)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["list"], ["count"], ["links", "--broken"]])
def test_commands_load_neither_wire_nor_app(tmp_path: Path, arguments: list[str]) -> None:
    assert not modules_after(tmp_path, *arguments) & (WIRE | APP)


def test_the_entry_point_knows_what_it_is_before_it_loads_anything() -> None:
    """Importing the entry module is free: a host's handshake must not wait for the command line."""
    ran = subprocess.run(
        [sys.executable, "-c", "import sys, tui.main; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    ours = {name for name in ran.stdout.split() if name.split(".")[0] in {"tui", "store", "render"}}
    assert ours == {"tui", "tui.main"}
    assert "typer" not in ran.stdout.split()


def test_the_cookie_with_arguments_is_a_person_inside_a_host(tmp_path: Path) -> None:
    """A shell that a host's tool opened inherits the cookie; its commands still work."""
    ran = subprocess.run(
        [sys.executable, "-m", "tui.main", "--version"],
        env={**os.environ, COOKIE_NAME: COOKIE_VALUE},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.startswith("memory-inbox ")


def test_the_inbox_needs_a_terminal() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tui.main"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "No terminal" in ran.stderr
    assert "memory-inbox --linear works without" in ran.stderr
