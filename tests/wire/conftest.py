"""A store served in this process over a real socket, and hosts that call it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store.local import LocalDesk, open_desk
from store.plugin.plugin import MEMORY, TOOLS, Kind, Plugin
from tests.wire.host import Host


@pytest.fixture
def store_path(where: str) -> Path:
    """The file of the store that is served."""
    return Path(where)


@pytest.fixture
def sockets() -> Iterator[Path]:
    """A directory with a short path: a socket's may not be longer than some hundred bytes."""
    with tempfile.TemporaryDirectory(prefix="mi-", dir="/tmp") as directory:
        yield Path(directory)


Serve = Callable[..., Host]


@pytest.fixture
def serve(where: str, sockets: Path) -> Iterator[Serve]:
    """Serve the store as some kind of provider; returns a host that is connected to it."""
    plugins: list[Plugin] = []
    hosts: list[Host] = []

    def start(kind: Kind = MEMORY) -> Host:
        plugin = Plugin(kind, location=where)
        plugins.append(plugin)
        hosts.append(Host(plugin.listen({}, str(sockets / f"{len(plugins)}.sock"))))
        return hosts[-1]

    yield start
    for host in hosts:
        host.close()
    for plugin in plugins:
        plugin.close()


@pytest.fixture
def host(serve: Serve) -> Host:
    """A host of the memory provider."""
    return serve()


@pytest.fixture
def tools_host(serve: Serve) -> Host:
    """A host of the tool provider on the same store."""
    return serve(TOOLS)


@pytest.fixture
def desk(where: str) -> Iterator[LocalDesk]:
    """The operator's desk on the same store, in another connection."""
    desk = open_desk(where, reviewer="tester")
    yield desk
    desk.close()
