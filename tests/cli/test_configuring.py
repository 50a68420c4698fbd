"""`config`: what is set, and what of it cannot be understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli

SETTINGS = """\
theme = "nord"

[keys]
approve = "y"
aprove = "z"

[sections]
"old feedback" = "type:feedback older:30d"
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "memory-inbox" / "config.toml"


def test_without_a_file_nothing_is_set(cli: Cli, file: Path) -> None:
    ran = cli("config", "show")
    assert (ran.code, ran.out) == (0, "")
    assert str(file) in ran.err
    assert cli("config", "check").code == 0
    assert not file.exists()


def test_show_names_what_is_set(cli: Cli, file: Path) -> None:
    file.parent.mkdir()
    file.write_text(SETTINGS)
    assert cli("config", "show").lines == [
        "theme\tnord",
        "keys.approve\ty",
        "sections.old feedback\ttype:feedback older:30d",
    ]
    assert cli("config", "show", "--json").objects[0] == {"name": "theme", "value": "nord"}


def test_check_names_the_line_of_a_mistake(cli: Cli, file: Path) -> None:
    file.parent.mkdir()
    file.write_text(SETTINGS)
    ran = cli("config", "check")
    assert ran.code == 1
    assert "no action is called aprove" in ran.err
    assert f"{file}, line 5" in ran.err


def test_check_names_the_line_of_what_is_no_toml(cli: Cli, file: Path) -> None:
    file.parent.mkdir()
    file.write_text('theme = "nord"\nkeys = [\n')
    ran = cli("config", "check")
    assert ran.code == 1
    assert str(file) in ran.err


def test_editing_begins_with_an_example_that_sets_nothing(
    cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "true")
    assert cli("config", "edit").code == 0
    text = file.read_text()
    assert all(line.startswith("#") for line in text.splitlines() if line)
    assert cli("config", "show").out == ""
    file.write_text(text.replace("# theme", "theme"))
    assert cli("config", "show").lines == ["theme\tnord"]


def test_an_editor_that_fails_is_said_to_have_failed(
    cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "false")
    ran = cli("config", "edit")
    assert ran.code == 1
    assert "editor" in ran.err
