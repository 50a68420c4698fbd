"""Which projects the host means: its keys, and the roots that records are bound to.

The host names a repository by where it is cloned from, as in ``github.com/owner/name`` (the host part in
lower case), and a directory without one as ``path:/absolute/path``. Records are bound to directories. So
the keys of a root are its path and, while it is there, the remote that its repository calls origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from store.reader import Reader

_CONFIG_BYTES = 256 * 1024
_SECTION = re.compile(r'^\s*\[\s*remote\s+"origin"\s*\]\s*(?:[#;].*)?$')
_URL = re.compile(r"^\s*url\s*=\s*(\S+)\s*$")
_REMOTE = re.compile(
    r"^(?:[a-z][a-z0-9+.-]*://)?(?:[^@/]*@)?([^/:]+)(?::\d+(?=/))?[/:]+(.+?)(?:\.git)?/*$"
)
# The next root after a given one, read off the index that Recall uses.
_NEXT = """
    SELECT min(project_root) FROM record
    WHERE scope = 'project' AND status = 'canonical' AND type = ? AND project_root > ?
"""
_TYPES = ("user", "feedback", "project", "reference")


def active_roots(read: Reader, keys: Iterable[str]) -> list[str]:
    """Return the roots of approved records whose project has one of the host's keys."""
    wanted = frozenset(key.strip() for key in keys) - {""}
    return [root for root in all_roots(read) if wanted & set(keys_of(root))] if wanted else []


def keys_of(root: str) -> tuple[str, ...]:
    """Return the host's keys for a root, the one that says most first; none for no root."""
    if not root:
        return ()
    remote = _remote_key(root)
    return (remote, f"path:{root}") if remote else (f"path:{root}",)


def forget() -> None:
    """Look at every repository anew."""
    _remote_key.cache_clear()


def key_of_remote(url: str) -> str:
    """Return the key for the address that a repository is cloned from, empty for a local one."""
    found = _REMOTE.match(url)
    if not found or url.startswith(("/", ".", "file:")):
        return ""
    return f"{found[1].lower()}/{found[2]}"


def all_roots(read: Reader) -> Sequence[str]:
    """Return the roots that approved records are bound to."""
    roots = set()
    for type in _TYPES:
        root = ""
        while (found := read.all(_NEXT, type, root)[0][0]) is not None:
            root = found
            roots.add(root)
    return sorted(roots)


@lru_cache(maxsize=1024)
def _remote_key(root: str) -> str:
    try:
        config = _git_directory(Path(root)) / "config"
        with config.open(encoding="utf-8", errors="replace") as file:
            lines = file.read(_CONFIG_BYTES).splitlines()
    except (OSError, ValueError):
        return ""
    inside = False
    for line in lines:
        if line.lstrip().startswith("["):
            inside = bool(_SECTION.match(line))
        elif inside and (found := _URL.match(line)):
            return key_of_remote(found[1])
    return ""


def _git_directory(root: Path) -> Path:
    """Return where a repository keeps its settings; a linked working tree has them elsewhere."""
    git = root / ".git"
    if git.is_dir():
        return git
    linked = root / git.read_text(encoding="utf-8")[:4096].removeprefix("gitdir:").strip()
    common = linked / "commondir"
    return linked / common.read_text(encoding="utf-8").strip() if common.is_file() else linked
