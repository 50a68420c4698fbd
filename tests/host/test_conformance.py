"""The conformance list: a Go host on the real hashicorp/go-plugin, each of its checks a test here."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PACKAGES = Path("/usr/share/gocode/src/github.com/hashicorp/go-plugin")
NAMES = [
    name
    for source in sorted(HERE.glob("*_checks.go"))
    for name in re.findall(r'^\t\{"(.+)", func\(\) \{$', source.read_text("utf-8"), re.M)
]


@pytest.fixture(scope="session")
def host() -> Path:
    """The host, built once for all processes of the test run."""
    for program in ("go", "protoc", "protoc-gen-go", "protoc-gen-go-grpc", "make"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: make -C tests/host packages")
    if not PACKAGES.exists():
        pytest.skip("Debian's go-plugin is not installed: make -C tests/host packages")
    (HERE / "bin").mkdir(exist_ok=True)
    with (HERE / "bin" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = subprocess.run(["make", "-C", HERE], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return HERE / "bin" / "host"


@pytest.mark.parametrize("name", NAMES)
def test_conformance(host: Path, name: str, tmp_path: Path) -> None:
    binaries = Path(sys.executable).parent
    ran = subprocess.run(
        [
            host,
            f"-exactly={name}",
            f"-memory={binaries / 'memory-inbox'}",
            f"-tools={binaries / 'memory-inbox-tools'}",
            f"-python={sys.executable}",
        ],
        env={"PATH": f"{binaries}:{os.defpath}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_check_is_run() -> None:
    """A check that the pattern above misses would silently be left out."""
    entries = sum(source.read_text("utf-8").count("\n\t{") for source in HERE.glob("*_checks.go"))
    assert len(NAMES) == len(set(NAMES)) == entries
