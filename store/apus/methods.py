"""What the bridge can be asked, and nothing besides: no method approves, rejects or configures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from store.agents.calls import Call
from store.agents.provider import AgentProvider
from store.apus import tools
from store.apus.callers import caller_of, identifier
from store.apus.failures import NoMethod, NotRequest
from store.errors import InvalidArgument

if TYPE_CHECKING:  # it needs a database library, which the greeting must not wait for
    from store.apus.reading import Reading

PROTOCOL = 1
CAPABILITIES = {
    "sources": ["memory"],
    "pagination": True,
    "candidates": ["trigger", "project"],
    "projectFilter": True,
}
Params: TypeAlias = Mapping[str, Any]
Method: TypeAlias = Callable[[Params, Call], dict[str, Any]]


class Methods:
    """The methods by name, over a store that the first one that needs it opens.

    Args:
        location: of the store, see `store.location.resolve`.
        exports: the folder whose exported files the host may show, if any.
    """

    def __init__(self, location: str | None, exports: Path | None) -> None:
        self.provider = AgentProvider(location)
        self._exports = exports
        self._provider_id = ""
        self._tools = tools.Tools(self.provider)
        self._by_name: Mapping[str, Method] = {
            "search": self._search,
            "get": self._get,
            "candidates": self._candidates,
            "health": self._health,
            "refresh": self._refresh,
            "remember": self._tools.remember,
            "forget": self._tools.forget,
            "searchTool": self._tools.search,
            "artifacts": self._artifacts,
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The methods that there are once the host has said who it is."""
        return tuple(self._by_name)

    def initialize(self, params: Params) -> dict[str, Any]:
        """Take the host's greeting; the store is not touched."""
        if self._provider_id:
            raise NotRequest("initialize may come once")
        if params.get("protocol") != PROTOCOL:
            raise InvalidArgument(f"protocol: this bridge speaks version {PROTOCOL}")
        self._provider_id = identifier("providerId", params.get("providerId"))
        return {
            "protocol": PROTOCOL,
            "name": "memory-inbox",
            "version": version("memory-inbox"),
            "capabilities": CAPABILITIES,
            "tools": tools.declared(),
            "persistence": list(tools.PERSISTENCE),
            "lookup": list(tools.LOOKUP),
        }

    def answer(self, name: str, params: Params, call: Call) -> dict[str, Any]:
        """Answer a request.

        Raises:
            NotRequest: the host has not said who it is. NoMethod: there is no such method.
        """
        if not self._provider_id:
            raise NotRequest("initialize comes first")
        method = self._by_name.get(name)
        if method is None:
            raise NoMethod("there is no such method")
        call.check()
        return method(params, call)

    def _search(self, params: Params, _: Call) -> dict[str, Any]:
        return self._reading().search(params)

    def _get(self, params: Params, _: Call) -> dict[str, Any]:
        return self._reading().get(params)

    def _candidates(self, params: Params, _: Call) -> dict[str, Any]:
        return self._reading().candidates(params)

    def _reading(self) -> Reading:
        from store.apus.reading import Reading

        return Reading(self.provider, self._provider_id)

    def _health(self, params: Params, _: Call) -> dict[str, Any]:
        from store.apus.health import health

        caller_of(params.get("caller"))
        return health(self.provider)

    def _refresh(self, params: Params, _: Call) -> dict[str, Any]:
        from store.apus.projects import forget

        caller_of(params.get("caller"))
        # The store is always read as it is; only what is known of repositories can be out of date.
        forget()
        return {}

    def _artifacts(self, _params: Params, _: Call) -> dict[str, Any]:
        from store.apus.artifacts import artifacts

        return {"artifacts": artifacts(self.provider, self._exports)}
