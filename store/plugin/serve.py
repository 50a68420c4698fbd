"""Serve the store by hand on a unix socket: the same services, for development and for other clients."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from store.errors import MemoryError, SourceUnavailable
from store.plugin.plugin import MEMORY, Plugin
from store.plugin.process import heed_signals, hold_signals

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def default_socket() -> Path:
    """Return the usual socket: in the user's runtime directory, else in a private one of the user's."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    root = Path(base) if os.path.isabs(base) else Path.home() / ".cache" / "memory-inbox"
    return root / "memory-inbox.sock"


def serve(
    path: Path, location: str | None = None, started: Callable[[Path], None] = lambda path: None
) -> None:
    """Serve until interrupted or told to end.

    Args:
        path: of the socket; only this user can connect to it.
        location: the store, as `store.location.resolve` takes it.
        started: told once calls are taken.

    Raises:
        MemoryError: somebody else serves there, or something else is in the way.
        SourceUnavailable: the socket cannot be made.
    """
    _make_way(path)
    hold_signals(*ENDING)
    plugin = Plugin(MEMORY, location=location)
    heed_signals(plugin.ending, *ENDING)
    before = os.umask(0o177)
    try:
        plugin.listen(os.environ, str(path))
    except OSError as error:
        raise SourceUnavailable(str(error)) from error
    finally:
        os.umask(before)
    try:
        plugin.warm()
        started(path)
        plugin.ending.wait()
    finally:
        plugin.close()


def _make_way(path: Path) -> None:
    """Remove the socket of a server that is gone."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SourceUnavailable(f"{path.parent} cannot be made: {error.strerror}") from error
    if not os.path.lexists(path):
        return
    if not path.is_socket():
        raise MemoryError(f"{path} is there already and is no socket")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            with suppress(FileNotFoundError):
                path.unlink()
            return
        except OSError as error:
            raise SourceUnavailable(f"{path} cannot be used: {error.strerror}") from error
    raise MemoryError(f"somebody serves on {path} already", hint="Choose another --socket.")
