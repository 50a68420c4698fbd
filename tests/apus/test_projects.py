"""The host's keys of projects: where a repository is cloned from, else its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.apus import projects
from store.apus.projects import key_of_remote, keys_of

CONFIG = """
[core]
\tbare = false
[remote "upstream"]
\turl = https://example.com/other/one.git
[remote "origin"] ; ours
\tfetch = +refs/heads/*:refs/remotes/origin/*
\turl = {url}
[branch "main"]
\turl = nonsense
"""


@pytest.fixture(autouse=True)
def anew() -> None:
    projects.forget()


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://GitHub.com/Owner/Name.git", "github.com/Owner/Name"),
        ("https://user:token@github.com/owner/name", "github.com/owner/name"),
        ("git@github.com:owner/name.git", "github.com/owner/name"),
        ("ssh://git@Example.com:2222/group/sub/name.git", "example.com/group/sub/name"),
        ("git://example.com/name", "example.com/name"),
        ("https://example.com/owner/name/", "example.com/owner/name"),
        ("/srv/git/name.git", ""),
        ("../name", ""),
        ("file:///srv/git/name.git", ""),
        ("", ""),
        ("name", ""),
    ],
)
def test_a_remote_is_a_host_in_lower_case_and_a_path(url: str, key: str) -> None:
    assert key_of_remote(url) == key


def test_a_repository_is_known_by_its_remote_and_by_its_path(tmp_path: Path) -> None:
    root = tmp_path / "zoo"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "config").write_text(CONFIG.format(url="git@github.com:me/zoo.git"))
    assert keys_of(str(root)) == ("github.com/me/zoo", f"path:{root}")


def test_a_linked_working_tree_has_its_repositorys_remote(tmp_path: Path) -> None:
    git = tmp_path / "zoo" / ".git"
    linked = git / "worktrees" / "farm"
    linked.mkdir(parents=True)
    (git / "config").write_text(CONFIG.format(url="https://github.com/me/zoo"))
    (linked / "commondir").write_text("../..\n")
    tree = tmp_path / "farm"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {linked}\n")
    assert keys_of(str(tree))[0] == "github.com/me/zoo"


@pytest.mark.parametrize("config", [None, "", "[remote", "\0", '[remote "origin"]\nurl =\n'])
def test_what_is_no_repository_is_its_path_alone(tmp_path: Path, config: str | None) -> None:
    if config is not None:
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git" / "config").write_text(config)
    assert keys_of(str(tmp_path)) == (f"path:{tmp_path}",)
    assert keys_of("/nowhere\0/at/all") == ("path:/nowhere\0/at/all",)
    assert keys_of("") == ()
