"""The plugin put together: its parts, and their life from the handshake to the end."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.plugin import routes, sockets
from store.plugin.broker import Broker
from store.plugin.callback import Callback
from store.plugin.calls import Service
from store.plugin.control import Control
from store.plugin.logs import HostLog, install
from store.plugin.process import Ending, OrphanWatch
from store.plugin.server import Handlers, listen, make_server

if TYPE_CHECKING:
    from store.plugin.services import Services

_LAST_CALLS = 0.3  # seconds for calls under way to finish; the host kills what is there after two
_LAST_WORDS = 0.3  # seconds for logs and drafts that still wait


@dataclass(frozen=True, slots=True)
class Kind:
    """What a process serves: ``routes`` under the producer's ``category``."""

    category: str
    routes: tuple[routes.Routes, ...]


MEMORY = Kind("memory", routes.MEMORY_PROVIDER)
TOOLS = Kind("tool", routes.TOOL_PROVIDER)


class Plugin:
    """A server with everything behind it.

    Args:
        kind: what it serves.
        parent: process id of the host, to end with it and to log to it; None when started by hand.
        location: the store, as `store.location.resolve` takes it.
    """

    def __init__(self, kind: Kind, parent: int | None = None, location: str | None = None) -> None:
        self.ending = Ending()
        self._kind = kind
        self._location = location
        self._watch = OrphanWatch(self.ending, parent) if parent is not None else None
        broker = Broker()
        self._callback = Callback(broker)
        self._log = HostLog(self._callback.log, lambda: self._callback.connected)
        self._control = Control(broker, self.ending, self._watch)
        self._services: Services | None = None
        self._making = threading.Lock()
        handlers = Handlers(
            self._control.handlers(), kind.routes, self._service, self._callback.touch
        )
        self._server = make_server(handlers)
        self._place: sockets.Place | None = None

    def listen(self, environ: Mapping[str, str], path: str | None = None) -> str:
        """Begin to serve, on a given path or where the environment says; returns the socket's path.

        Raises:
            OSError: there is no place for a socket, or it cannot be bound.
        """
        if self._watch:
            install(self._log)
            if environ.get("MEMORY_INBOX_LOG_FILE"):
                from store.logfile import (
                    log_as_environment_says,  # the handshake does not wait for it
                )

                log_as_environment_says(environ, "plugin")
        self._place = sockets.Place(path) if path else sockets.choose(environ)
        try:
            listen(self._server, self._place.path)
            self._place.opened()
        except OSError:
            self.close()
            raise
        if self._watch:
            self._watch.start()
        return self._place.path

    def warm(self) -> None:
        """Load in the background what the first calls need."""
        threading.Thread(target=self._load_all, name="warm", daemon=True).start()

    def close(self) -> None:
        """End: let calls finish for a moment, send what waits, leave nothing behind."""
        stopped = self._server.stop(_LAST_CALLS)
        self._control.release()
        stopped.wait(_LAST_CALLS * 2)
        if self._services:
            self._services.settle(_LAST_WORDS)
        self._log.flush(_LAST_WORDS)
        self._callback.close()
        if self._services:
            self._services.close()
        if self._place:
            self._place.clear()

    def _service(self, name: str) -> Service:
        return self._made().service(name)

    def _made(self) -> Services:
        from store.plugin.services import Services

        with self._making:
            if self._services is None:
                self._services = Services(
                    self._callback, self._log, self._kind.category, self._location
                )
            return self._services

    def _load_all(self) -> None:
        from store.plugin.backend import SOON

        made = self._made()
        for route in self._kind.routes:
            made.service(route.service)
        if not self.ending.wait(SOON):
            made.backend.import_heavy()
            if self._place:
                self._place.sweep()
