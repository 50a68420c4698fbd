"""Only what is in the folder is read, and everything passed over is named with a reason."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from store.folders import walk
from store.folders.walk import CannotRead, Found, PassedOver, read


def listing(root: Path) -> tuple[list[str], dict[str, PassedOver]]:
    seen = list(walk.walk(root))
    found = [each.path for each in seen if isinstance(each, Found)]
    return found, {each.path: each for each in seen if isinstance(each, PassedOver)}


def test_files_come_in_one_order_and_others_with_a_reason(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.md", "a/ä b.MD", "c.jsonl", "photo.png", ".hidden.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    for folder in (".git", "node_modules"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.md").write_text("x")
    os.mkfifo(tmp_path / "pipe.md")
    found, passed = listing(tmp_path)
    assert found == ["b.md", "c.jsonl", "a/z.md", "a/ä b.MD"]
    assert set(passed) == {"photo.png", ".hidden.md", ".git/", "node_modules/", "pipe.md"}
    assert all(each.why for each in passed.values())


def test_no_symlink_is_followed(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    root.mkdir()
    (outside / "secret.md").write_text("secret")
    (root / "in.md").write_text("x")
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "twin.md").symlink_to("in.md")
    (root / "up.md").symlink_to("../outside/secret.md")
    (root / "nowhere.md").symlink_to("missing.md")
    (root / "loop.md").symlink_to("loop.md")
    found, passed = listing(root)
    assert found == ["in.md"]
    assert {path for path, each in passed.items() if each.proper} == {"twin.md"}
    assert {path for path, each in passed.items() if not each.proper} == {
        "out.md",
        "folder",
        "up.md",
        "nowhere.md",
        "loop.md",
    }


@pytest.mark.parametrize("swap", ["note.md", "folder/note.md"])
def test_a_symlink_put_in_place_after_the_listing_is_not_followed(
    tmp_path: Path, swap: str
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "note.md").write_text("secret")
    root = tmp_path / "root"
    root.mkdir()
    if "/" in swap:
        (root / "folder").symlink_to(tmp_path / "outside")
    else:
        (root / swap).symlink_to(tmp_path / "outside" / "note.md")
    with pytest.raises(CannotRead):
        read(root, swap)


def test_a_pipe_put_in_a_files_place_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "note.md")
    with pytest.raises(CannotRead, match="not a regular file"):
        read(tmp_path, "note.md")


def test_too_large_a_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MAX_BYTES", 10)
    (tmp_path / "big.md").write_bytes(b"x" * 11)
    with pytest.raises(CannotRead, match="larger than"):
        read(tmp_path, "big.md")


def test_a_file_name_that_is_no_utf8_is_readable_and_storable(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
    Path(os.fsdecode(raw)).write_text("x")
    (found,) = walk.walk(tmp_path)
    assert isinstance(found, Found)
    assert found.path == "caf\\xe9.md"
    assert read(tmp_path, found.real)[0] == b"x"


def test_a_very_deep_folder_is_walked_to_its_end(tmp_path: Path) -> None:
    deep = "/".join("d" for _ in range(1200))
    at = tmp_path
    for name in deep.split("/"):
        at /= name
        at.mkdir()
    (at / "note.md").write_text("x")
    try:
        assert listing(tmp_path)[0] == [f"{deep}/note.md"]
    finally:  # Python's own rmtree recurses and would fail on this tree in a later run
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


def test_a_missing_root_says_so(tmp_path: Path) -> None:
    with pytest.raises(CannotRead, match="no such"):
        list(walk.walk(tmp_path / "missing"))
