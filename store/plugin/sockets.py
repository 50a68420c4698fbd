"""Where the plugin listens: a unix socket that only the host can reach, and that leaves nothing behind."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

_LONGEST = 100  # bytes; sun_path holds 108 on Linux and 104 on the BSDs, its end mark included
_NAME = "plugin.sock"
_PREFIX = "memory-inbox-"
_SETTLED = (
    60  # seconds after which a socket that nobody listens on is not one about to be listened on
)


@dataclass(frozen=True, slots=True)
class Place:
    """A socket's path, and the directory that goes with it when it was made for it."""

    path: str
    own_directory: str | None = None
    group: str = ""

    def opened(self) -> None:
        """Give the socket the rights that the host asked for, now that it exists."""
        if self.group:
            os.chown(self.path, -1, _group_id(self.group))
            os.chmod(self.path, 0o660)

    def clear(self) -> None:
        """Remove the socket and its directory; what is gone already is fine."""
        with suppress(OSError):
            os.unlink(self.path)
        if self.own_directory:
            with suppress(OSError):
                os.rmdir(self.own_directory)

    def sweep(self) -> None:
        """Remove what killed processes left where this one has its directory: nobody else can."""
        if not self.own_directory:
            return
        with suppress(OSError), os.scandir(os.path.dirname(self.own_directory)) as beside:
            for entry in beside:
                if entry.name.startswith(_PREFIX) and _is_left(entry):
                    Place(os.path.join(entry.path, _NAME), entry.path).clear()


def _is_left(directory: os.DirEntry[str]) -> bool:
    """Tell whether a directory is ours and has a socket on which nobody listens any more."""
    import socket  # not needed on the way to the handshake
    import time

    try:
        there = directory.stat(follow_symlinks=False)
        if there.st_uid != os.getuid() or time.time() - there.st_mtime < _SETTLED:
            return False
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(0.1)
            probe.connect(os.path.join(directory.path, _NAME))
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


def choose(environ: Mapping[str, str]) -> Place:
    """Return where to listen.

    In ``PLUGIN_UNIX_SOCKET_DIR`` when the host names one, for ``PLUGIN_UNIX_SOCKET_GROUP`` if it names
    that; else in a new directory of ours alone, below the temporary directory if the path is short
    enough to be bound.

    Raises:
        OSError: no directory can be made.
    """
    given = environ.get("PLUGIN_UNIX_SOCKET_DIR", "")
    group = environ.get("PLUGIN_UNIX_SOCKET_GROUP", "")
    if given:
        return Place(os.path.join(given, f"plugin{_random()}"), group=group)
    for base in (environ.get("TMPDIR", ""), "/tmp", "/var/tmp"):  # noqa: S108
        own = os.path.join(base, f"{_PREFIX}{_random()}")
        path = os.path.join(own, _NAME)
        if os.path.isabs(path) and len(os.fsencode(path)) <= _LONGEST:
            with suppress(OSError):
                os.mkdir(
                    own, 0o700
                )  # fails for anything that is there: nobody else can have made it
                return Place(path, own, group)
    raise OSError("no temporary directory can be used for the socket")


def _random() -> str:
    # The modules secrets and tempfile would do, and cost a twentieth of the time to the handshake.
    return os.urandom(6).hex()


def _group_id(group: str) -> int:
    if group.isdecimal():
        return int(group)
    import grp

    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        raise OSError(f"there is no group {group} for the socket") from None
