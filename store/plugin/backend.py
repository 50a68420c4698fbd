"""The store behind the services: imported in the background, opened by the first call that needs it."""

from __future__ import annotations

import importlib
import logging
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from store.agents.provider import AgentProvider
from store.clock import from_micros
from store.errors import MemoryError, SourceUnavailable
from store.plugin.callback import Callback
from store.records import (
    Recalled,
    RecallRequest,
    fallback_tokens,
)

if TYPE_CHECKING:
    from store.early import EarlyStore
    from store.tokens import TokenCounter

# What the first Recall needs: the database's libraries take longer to import than all else together.
_HEAVY = ("store.engine", "store.schema", "store.recall", "store.listing", "store.writes")
SOON = 0.25  # seconds until what is not needed yet is begun in the background
_CLOSING = 0.5  # seconds for a write that is under way when the process ends

_log = logging.getLogger(__name__)


class HostedProvider(AgentProvider):
    """A store with a host behind it that counts tokens. What agents may do, and nothing of a desk."""

    def __init__(self, callback: Callback, location: str | None = None) -> None:
        super().__init__(location)
        self._callback = callback
        self._early: EarlyStore | None = None

    def recalled(self, request: RecallRequest) -> Recalled:
        """Recall as the store does, by the quickest way there is at the moment."""
        if early := self._early_store():
            try:
                return early.recall(request, self._callback, from_micros(self.clock()))
            except sqlite3.Error as error:
                _log.info("the store cannot be read early: %s", type(error).__name__)
        return super().recalled(request)

    def _early_store(self) -> EarlyStore | None:
        """Return the store as it can be read before the database library is loaded, None once it is open."""
        from store.early import open_early

        with self._lock:
            if self._open is not None:
                self._leave_early()
            elif self._early is None:
                self._early = open_early(self._location(self._config))
            return self._early

    def _leave_early(self) -> None:
        if self._early is not None:
            self._early.close()
            self._early = None

    def configure(self, config: Mapping[str, object]) -> None:
        """See `LocalProvider.configure`."""
        super().configure(config)
        with self._lock:
            self._leave_early()

    def close(self) -> None:
        """See `LocalProvider.close`."""
        with self._lock:
            if self._open is None and self._early is not None:
                self._early.keep_served(self._served.notes())
            self._leave_early()
        super().close()

    def token_counter(self) -> TokenCounter:
        """Return the host's counts, kept in the store; the exact fallback while there is no host."""
        from store.tokens import CachedCounter

        return HostCounter(CachedCounter(self._callback, self.database.engine))


class HostCounter:
    """A counter that falls back to the host's own estimate, without keeping it as the host's count."""

    def __init__(self, inner: TokenCounter) -> None:
        self._inner = inner

    def count(self, contents: Sequence[str], model: str) -> list[int]:
        """Return the tokens of each text, in order."""
        try:
            return self._inner.count(contents, model)
        except SourceUnavailable:
            return [fallback_tokens(text) for text in contents]


class Backend:
    """Holds the provider, and does in the background what the first call would have to wait for."""

    def __init__(self, callback: Callback, location: str | None = None) -> None:
        self.provider = HostedProvider(callback, location)

    def import_heavy(self) -> None:
        """Import what the first call will need; touch no file."""
        for module in _HEAVY:
            importlib.import_module(module)

    def open_soon(self) -> None:
        """Open the store in the background; a call that needs it waits, and gets any failure.

        Not at once: a recall that comes right behind is answered sooner without the imports beside it.
        """
        opening = threading.Timer(SOON, self._open)
        opening.daemon = True
        opening.start()

    def close(self) -> None:
        """Release the store, waiting only a little for a write that is under way."""
        closing = threading.Thread(target=self.provider.close, name="close", daemon=True)
        closing.start()
        closing.join(_CLOSING)

    def _open(self) -> None:
        try:
            _ = self.provider.database
        except MemoryError as error:
            _log.warning("the store could not be opened: %s", error)
