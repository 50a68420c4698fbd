"""Where a folder's memories apply: in the project that the folder is in or belongs to, else everywhere."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

_MARKS = (".git", ".hg", ".jj", ".svn")
_CLAUDE = ("projects", "memory")
_MAX_STEPS = 5_000  # folders looked at to decode a name; far more than a home directory needs


@dataclass(frozen=True, slots=True)
class Belongs:
    """A project's root, empty when there is none, and why. ``unknown``: of a project that is not here."""

    root: str
    why: str
    unknown: bool = False


def project_of(folder: Path, home: Path | None = None) -> Belongs:
    """Find the project of a memory folder.

    Claude Code keeps a project's memories under ``projects/<path with hyphens>/memory``: the path is found
    again by looking which folders of this machine would be written so.

    Args:
        folder: the folder, resolved.
        home: the home directory, which is no project even if it is under version control.
    """
    home = home or Path.home()
    for above in (folder, *folder.parents):
        if above.name == _CLAUDE[1] and above.parent.parent.name == _CLAUDE[0]:
            return _encoded(above.parent.name)
        if above == home:
            break
        if any((above / mark).exists() for mark in _MARKS):
            return Belongs(str(above), f"it is inside the project {above.name}")
        if above.name == ".serena" or above.name == "memory-bank":
            return Belongs(str(above.parent), f"it belongs to the project {above.parent.name}")
    return Belongs("", "it is in no project")


def _encoded(name: str) -> Belongs:
    found = decode(name)
    if len(found) == 1:
        return Belongs(str(found[0]), f"Claude Code keeps it for the project {found[0].name}")
    why = (
        "its project's folder is not on this machine"
        if not found
        else "two folders could be its project"
    )
    return Belongs("", why + ": give it with --project", unknown=True)


def decode(name: str, top: Path = Path("/")) -> tuple[Path, ...]:
    """Return the folders whose path reads ``name`` once all but letters and digits are hyphens."""
    found: list[Path] = []
    waiting = [(top, name[1:])] if name.startswith("-") else []
    steps = 0
    while waiting and steps < _MAX_STEPS:
        at, rest = waiting.pop()
        steps += 1
        for child in _folders(at):
            written = re.sub(r"[^A-Za-z0-9]", "-", child.name)
            if written == rest:
                found.append(child)
            elif rest.startswith(written + "-"):
                waiting.append((child, rest[len(written) + 1 :]))
    return tuple(found)


def _folders(at: Path) -> list[Path]:
    try:
        with os.scandir(at) as listing:
            return [Path(child.path) for child in listing if child.is_dir(follow_symlinks=False)]
    except OSError:
        return []
