"""The folder of the host's plugin: named by a command, whole, and part of what is installed."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from store.apus.place import plugin_folder
from store.apus.tools import declared

ROOT = Path(__file__).parents[2]


def plugin_files() -> list[Path]:
    return [path for path in sorted(plugin_folder().rglob("*")) if path.is_file()]


def test_the_command_names_a_folder_that_the_host_can_load() -> None:
    command = [sys.executable, "-m", "tui.main", "apus", "path"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    folder = Path(ran.stdout.strip())
    assert folder == plugin_folder()
    manifest = json.loads((folder / "openclaw.plugin.json").read_text())
    assert manifest["kind"] == "memory"
    assert manifest["contracts"]["tools"] == [tool["name"] for tool in declared()]
    package = json.loads((folder / "package.json").read_text())
    assert package["type"] == "module"
    for entry in package["openclaw"]["extensions"]:
        assert (folder / entry).is_file()


@pytest.mark.slow
def test_a_wheel_has_every_file_of_the_plugin(tmp_path: Path) -> None:
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(build, check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    there = {path.relative_to(ROOT).as_posix() for path in plugin_files()}
    assert there
    assert there <= inside
