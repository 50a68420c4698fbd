"""List and read the files of a folder, and nothing else: no symlink is followed, no path leaves it."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 16 * 1024 * 1024
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv"})
_KEPT_DOT_FOLDERS = frozenset(
    {".serena"}
)  # the one agent that keeps memories in a hidden folder of a project
_HERE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_MEMORY_SUFFIXES = frozenset({".md", ".markdown", ".json", ".jsonl", ".ndjson"})


@dataclass(frozen=True, slots=True)
class Found:
    """A file below a root. ``path`` is POSIX and fit to store; ``real`` is what the system calls it."""

    path: str
    real: str


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A path that is not read, and why; ``proper`` when that is as it should be."""

    path: str
    why: str
    proper: bool = True


class CannotRead(Exception):
    """A file that could not be read; the message says why."""


def walk(root: Path) -> Iterator[Found | PassedOver]:
    """Yield the files below ``root`` in the order of their paths, with what is passed over and why.

    A root that is a file is yielded alone. The root itself may be a symlink: the operator named it.

    Raises:
        CannotRead: the root is not there or cannot be listed.
    """
    if root.is_file():
        yield Found(storable(root.name), root.name)
        return
    if not root.is_dir():
        raise CannotRead("there is no such folder or file")
    waiting = [""]  # a stack and no recursion: how deep a folder goes is not ours to limit
    root = root.resolve()
    while waiting:
        at = waiting.pop()
        folders: list[str] = []
        for child in _list(root, at):
            if isinstance(child, str):
                folders.append(child)
            else:
                yield child
        waiting.extend(reversed(folders))


def _list(root: Path, at: str) -> Iterator[Found | PassedOver | str]:
    """Yield what one folder holds; a folder to enter comes as its path."""
    try:
        with os.scandir(root / at) as listing:
            children = sorted(listing, key=lambda child: child.name)
    except OSError as problem:
        if not at:
            raise CannotRead(reason(problem)) from None
        yield PassedOver(storable(at) + "/", reason(problem), proper=False)
        return
    for child in children:
        real = f"{at}/{child.name}" if at else child.name
        if child.is_symlink():
            yield _symlink(root, real)
        elif child.is_dir(follow_symlinks=False):
            if child.name in _SKIPPED_FOLDERS or _is_hidden(child.name):
                yield PassedOver(storable(real) + "/", "a hidden or tool folder")
            else:
                yield real
        elif not child.is_file(follow_symlinks=False):
            yield PassedOver(storable(real), "not a regular file")
        elif child.name.startswith("."):
            yield PassedOver(storable(real), "a hidden file")
        elif os.path.splitext(child.name)[1].lower() not in _MEMORY_SUFFIXES:
            yield PassedOver(storable(real), "no memory format ends like this")
        else:
            yield Found(storable(real), real)


def read(root: Path, real: str) -> tuple[bytes, os.stat_result]:
    """Return the bytes and facts of a file below ``root``, opened step by step without following a link.

    Raises:
        CannotRead: it is gone, no regular file, too large, or a part of its path is a symlink.
    """
    try:
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            *parents, name = real.split("/")
            for parent in parents:
                inner = os.open(parent, _HERE | os.O_DIRECTORY, dir_fd=folder)
                os.close(folder)
                folder = inner
            # Not blocking: a pipe put in a file's place must not hang the run.
            descriptor = os.open(name, _HERE | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)
        with open(descriptor, "rb") as file:
            facts = os.fstat(descriptor)
            if not stat.S_ISREG(facts.st_mode):
                raise CannotRead("not a regular file")
            if facts.st_size > MAX_BYTES:
                raise CannotRead(f"larger than {MAX_BYTES // 1024 // 1024} MB")
            return file.read(MAX_BYTES + 1), facts
    except OSError as problem:
        raise CannotRead(reason(problem)) from None


def reason(problem: OSError) -> str:
    """Return what the system says about a failure, without the path."""
    if problem.errno == errno.ELOOP:
        return "a part of its path is a symlink"
    return (problem.strerror or type(problem).__name__).lower()


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in _KEPT_DOT_FOLDERS


def _symlink(root: Path, real: str) -> PassedOver:
    path = root / real
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return PassedOver(storable(real), "a symlink that leads nowhere", proper=False)
    if target.is_relative_to(root):
        return PassedOver(storable(real), "a symlink to what is read anyway")
    return PassedOver(storable(real), "a symlink that leads out of the folder", proper=False)


def storable(path: str) -> str:
    """Return a path as text: bytes that are no UTF-8 in a file name become ``\\xNN``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def unstorable(path: str) -> str:
    """Return the path that `storable` was given, if it held bytes that are no UTF-8."""
    return re.sub(r"\\x([89a-f][\da-f])", lambda byte: os.fsdecode(bytes([int(byte[1], 16)])), path)
