"""Serving by hand: a socket of one's own, and the desk over it."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from store.errors import MemoryError, SourceUnavailable
from store.plugin.serve import _make_way, default_socket
from store.records import MemoryScope, MemoryType, NewRecord
from store.remote import open_provider


def started(path: Path, store: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tui.main", "--store", str(store), "serve", "--socket"]
    process = subprocess.Popen(
        [*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == f"Serving on unix:{path} (Ctrl-C ends it)\n"
    return process


def test_it_serves_until_interrupted_and_clears_up(sockets: Path, store_path: Path) -> None:
    path = sockets / "deep" / "by-hand.sock"
    process = started(path, store_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    provider = open_provider(f"unix:{path}")
    new = NewRecord(MemoryType.USER, MemoryScope.GLOBAL, "By hand", "x")
    assert provider.record(new).id == "by-hand"
    provider.close()
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    assert process.communicate() == ("", "")
    assert not path.exists()


def test_a_socket_in_use_is_left_alone_and_a_dead_one_replaced(
    sockets: Path, store_path: Path
) -> None:
    path = sockets / "s.sock"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(path))
    dead.close()
    process = started(path, store_path)
    with pytest.raises(MemoryError, match=r"serves on .* already"):
        _make_way(path)
    process.kill()
    process.communicate()
    _make_way(path)
    assert not path.exists()


def test_a_file_in_the_way_is_never_removed(sockets: Path) -> None:
    path = sockets / "precious.txt"
    path.write_text("data")
    with pytest.raises(MemoryError, match="is no socket"):
        _make_way(path)
    assert path.read_text() == "data"
    with pytest.raises(SourceUnavailable, match="cannot be made"):
        _make_way(path / "below")


def test_the_usual_socket_is_in_the_runtime_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    assert default_socket() == Path("/run/user/7/memory-inbox.sock")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "relative")
    monkeypatch.setenv("HOME", os.sep + "home")
    assert default_socket() == Path("/home/.cache/memory-inbox/memory-inbox.sock")
