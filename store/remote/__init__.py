"""Another memory provider, looked after from here: a plugin that is launched, or a socket."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from store.errors import InvalidArgument

if TYPE_CHECKING:
    from store.remote.provider import RemoteProvider


def open_provider(address: str, *, reviewer: str = "") -> RemoteProvider:
    """Connect to a provider.

    Args:
        address: ``exec:`` and a command, launched as an agent's host launches it; or ``unix:`` and the
            path of a socket that a provider listens on.
        reviewer: who decides here; sent as configuration to a launched provider that takes it.

    Raises:
        InvalidArgument: the address is neither.
        SourceUnavailable: the plugin does not start, or nobody listens.
    """
    kind, _, rest = address.partition(":")
    if kind == "exec" and rest.strip():
        from store.remote.launch import launch
        from store.remote.provider import RemoteProvider

        provider = RemoteProvider(launch(_words(rest)))
        return _ready(provider, lambda: provider.introduce(reviewer))
    if kind == "unix" and rest:
        from store.remote.connection import Connection
        from store.remote.provider import RemoteProvider
        from store.wire.channel import target

        provider = RemoteProvider(Connection(target(os.path.expanduser(rest))))
        return _ready(provider, provider.get_capabilities)
    raise InvalidArgument(
        f"{address!r} is no provider's address",
        hint="Give exec:COMMAND to launch one, or unix:PATH to connect to one.",
    )


def _ready(provider: RemoteProvider, greet: Callable[[], object]) -> RemoteProvider:
    """Return a provider that has answered; one that does not is left again."""
    try:
        greet()
    except BaseException:
        provider.close()
        raise
    return provider


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InvalidArgument(f"the command cannot be read: {error}") from error
