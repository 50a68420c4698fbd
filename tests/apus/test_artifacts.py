"""The files of an export that the host may show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from store.folders.export import export_folder
from store.local import LocalDesk
from store.records import Audience, Origin
from tests.apus.client import Client
from tests.store.making import canonical, new


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    folder.mkdir()
    return folder


def shown(path: Path, folder: Path) -> list[dict[str, Any]]:
    client = Client(path, "--export-dir", str(folder))
    found: list[dict[str, Any]] = client.call("artifacts")["artifacts"]
    assert client.close() == 0
    return found


@pytest.mark.parametrize(
    ("format", "kind"), [("claude", "markdown"), ("vault", "markdown"), ("jsonl", "json")]
)
def test_what_an_export_wrote_is_shown(
    path: Path, desk: LocalDesk, folder: Path, format: str, kind: str
) -> None:
    canonical(desk, "Tea")
    export_folder(desk, folder, format)
    (artifact,) = shown(path, folder)
    assert artifact["contentType"] == kind
    assert artifact["workspaceDir"] == str(folder)
    assert artifact["absolutePath"] == str(folder / artifact["relativePath"])
    assert Path(artifact["absolutePath"]).is_file()


def test_other_files_and_links_are_not_shown(
    path: Path, desk: LocalDesk, folder: Path, tmp_path: Path
) -> None:
    for title in ("Tea", "Coffee", "Mate"):
        canonical(desk, title)
    export_folder(desk, folder, "vault")
    (folder / "mine.md").write_text("not of the store")
    names = sorted(each["relativePath"] for each in shown(path, folder))
    assert len(names) == 3
    secret = tmp_path / "secret.md"
    secret.write_text("elsewhere")
    (folder / names[0]).unlink()
    (folder / names[0]).symlink_to(secret)
    (folder / names[1]).unlink()
    assert [each["relativePath"] for each in shown(path, folder)] == names[2:]


def test_what_is_an_agents_own_is_neither_exported_nor_shown(
    path: Path, desk: LocalDesk, folder: Path
) -> None:
    own = Origin("apus:main", audience=Audience("main"))
    desk.write(new("Tea of the agent"), own)
    canonical(desk, "Tea")
    report = export_folder(desk, folder, "claude")
    assert "agent" not in str(report)
    assert ["agent" in each["relativePath"] for each in shown(path, folder)] == [False]
    with desk.database.writing() as conn:
        conn.exec_driver_sql("UPDATE record SET agent_id = 'main'")
    assert shown(path, folder) == []


def test_without_a_folder_there_is_nothing_to_show(bridge: Client, path: Path) -> None:
    assert bridge.call("artifacts") == {"artifacts": []}
    assert shown(path, path.parent / "missing") == []
