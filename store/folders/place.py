"""A folder that is written to: whole files at once, and only over what was last read there."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from store.folders import walk
from store.folders.walk import CannotRead

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE = 0o600  # of new files: memories are private


class CannotWrite(Exception):
    """A file that could not be written; the message says why."""


class Changed(Exception):
    """A file is not what it was when it was last read; it was left as it is."""


class Place:
    """A folder, made when it is first written to. No symlink below it is followed.

    Args:
        root: absolute and resolved.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, None when it is not there.

        Raises:
            CannotRead: it is there and cannot be read as a regular file below the root.
        """
        try:
            real = "/".join(self._parts(path))
            if not os.path.lexists(self.root / real):
                return None
            return walk.read(self.root, real)[0]
        except CannotWrite as problem:
            raise CannotRead(str(problem)) from None

    def write(self, path: str, data: bytes, was: bytes | None) -> None:
        """Put a file in place in one step, if what is there still is ``was`` (None: nothing).

        Raises:
            Changed: somebody wrote it meanwhile.
            CannotWrite: the system refuses, or the path leaves the folder.
        """
        try:
            with self._parent(path, make=True) as (folder, name):
                scratch = f".{name[:80]}.{secrets.token_hex(4)}.tmp"
                try:
                    self._fill(folder, scratch, data, name, path, was)
                finally:
                    with suppress(FileNotFoundError):
                        os.unlink(scratch, dir_fd=folder)
        except OSError as problem:
            raise CannotWrite(walk.reason(problem)) from None

    def remove(self, path: str, was: bytes) -> None:
        """Remove a file that still is what it was; raises as `write`."""
        try:
            with self._parent(path) as (folder, name):
                self._expect(path, was)
                os.unlink(name, dir_fd=folder)
        except OSError as problem:
            raise CannotWrite(walk.reason(problem)) from None

    def _parts(self, path: str) -> tuple[str, ...]:
        """Return the names on the way to a file as the system has them; see `walk.storable`."""
        parts = _checked(path)
        real = tuple(walk.unstorable(part) for part in parts)
        return real if os.path.lexists(self.root.joinpath(*real)) else parts

    def _fill(
        self, folder: int, scratch: str, data: bytes, name: str, path: str, was: bytes | None
    ) -> None:
        mode = _MODE
        if was is not None:
            mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        descriptor = os.open(scratch, _NEW, _MODE, dir_fd=folder)
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if was is None:
            try:
                # A hard link, unlike a rename, never replaces a file that has turned up meanwhile.
                os.link(scratch, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            except FileExistsError:
                raise Changed(path) from None
        else:
            self._expect(path, was)
            os.replace(scratch, name, src_dir_fd=folder, dst_dir_fd=folder)

    def _expect(self, path: str, was: bytes) -> None:
        try:
            now = self.read(path)
        except CannotRead as problem:
            raise CannotWrite(str(problem)) from None
        if now != was:
            raise Changed(path)

    @contextmanager
    def _parent(self, path: str, make: bool = False) -> Iterator[tuple[int, str]]:
        """Open the folder of a file step by step; yields it with the file's name in it."""
        *parents, name = self._parts(path)
        if make:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = os.open(self.root, _FOLDER & ~os.O_NOFOLLOW)
        try:
            for parent in parents:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(parent, 0o700, dir_fd=folder)
                inner = os.open(parent, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
            yield folder, name
        finally:
            os.close(folder)


def _checked(path: str) -> tuple[str, ...]:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        raise CannotWrite("the path leads out of the folder")
    if any(len(os.fsencode(part)) > 255 for part in parts):
        raise CannotWrite(os.strerror(errno.ENAMETOOLONG).lower())
    return parts
