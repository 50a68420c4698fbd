"""The committed code is what its sources make, and says what the contract says."""

from __future__ import annotations

from pathlib import Path

from store.wire.generate import GEN, generate, move_imports
from tests.wire import contract


def _tree(root: Path) -> dict[str, str]:
    found = root.rglob("*.py*")
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in found
        if path.suffix in {".py", ".pyi"}
    }


def test_generating_again_changes_nothing(tmp_path: Path) -> None:
    generate(tmp_path / "gen")
    assert _tree(tmp_path / "gen") == _tree(GEN)


def test_names_and_numbers_are_those_of_the_contract() -> None:
    """A renumbered field breaks every host; `contract.txt` changes only with the contract."""
    wanted = (Path(__file__).parent / "contract.txt").read_text("utf-8").splitlines()
    assert list(contract.lines()) == wanted


def test_imports_of_generated_modules_go_through_the_package() -> None:
    moved = move_imports(
        "from google.protobuf import struct_pb2 as s\n"
        "from pluggableharness.common.v1 import common_pb2 as c\n"
        "import pluggableharness.model.v1.model_pb2\n"
    )
    assert moved == (
        "from google.protobuf import struct_pb2 as s\n"
        "from store.wire.gen.pluggableharness.common.v1 import common_pb2 as c\n"
        "from store.wire.gen.pluggableharness.model.v1 import model_pb2\n"
    )
