"""The services of one process over one store, each imported when it is first asked for."""

from __future__ import annotations

import threading

from store.plugin import routes
from store.plugin.backend import Backend
from store.plugin.callback import Callback
from store.plugin.calls import Service
from store.plugin.drafts import Drafts
from store.plugin.logs import HostLog


class Services:
    """The services, and what they share.

    Args:
        category: the category that the process serves as.
        location: the store, as `store.location.resolve` takes it.
    """

    def __init__(
        self, callback: Callback, log: HostLog, category: str, location: str | None
    ) -> None:
        self.backend = Backend(callback, location)
        self._callback = callback
        self._log = log
        self._category = category
        self._drafts = Drafts(self.backend.provider, callback.emit)
        self._made: dict[str, Service] = {}
        self._lock = threading.Lock()

    def service(self, name: str) -> Service:
        """Return a service by its full name."""
        with self._lock:
            if name not in self._made:
                self._made[name] = self._make(name)
            return self._made[name]

    def settle(self, seconds: float) -> None:
        """Write the drafts that still wait."""
        self._drafts.settle(seconds)

    def close(self) -> None:
        """Release the store."""
        self.backend.close()

    def _make(self, name: str) -> Service:
        if name == routes.MEMORY:
            from store.plugin.memory_service import MemoryService

            return MemoryService(self.backend)
        if name == routes.TOOL:
            from store.plugin.tool_service import ToolService

            return ToolService(self.backend, self._callback.emit, self._category)
        from store.plugin.hook_service import HookService

        return HookService(self.backend.provider.sessions, self._drafts, self._log)
