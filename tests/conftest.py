"""Settings for all tests, and the engines that stores are tested on.

A test of the store that asks for a place to keep one (`where`, `places`, or a desk made from them) runs once
on each engine, unless it is marked ``sqlite`` or asks for the store's `path`: then it is about what only a
file has. Of the other rooms, the modules marked ``everywhere`` do so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from tests.postgresql import INSTALL, Server, programs, running

# No test fails for being slow: times belong into `make bench`.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

ENGINES = ("sqlite", "postgresql")
FILES = {"path", "store_path"}  # fixtures that are the file of a store


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        engines = ENGINES if _everywhere(metafunc) else ENGINES[:1]
        metafunc.parametrize("engine", engines, indirect=True, scope="session")


def _everywhere(metafunc: pytest.Metafunc) -> bool:
    test = metafunc.definition
    if test.get_closest_marker("sqlite") or FILES.intersection(metafunc.fixturenames):
        return False
    return test.path.parent.name == "store" or bool(test.get_closest_marker("everywhere"))


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> str:
    """The engine of the store: `sqlite` or `postgresql`."""
    return str(request.param)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A running PostgreSQL server, shared by all tests of this process."""
    if programs() is None:
        pytest.skip(INSTALL)
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def shared_places(
    engine: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], str]]:
    """What returns another place for a store at each call, kept for all tests of a module."""
    with ExitStack() as stack:
        yield _places(stack, engine, request, tmp_path_factory.mktemp("shared"))


@pytest.fixture
def places(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[[], str]]:
    """What returns another place for a store at each call: a path, or the URL of a database."""
    with ExitStack() as stack:
        yield _places(stack, engine, request, tmp_path)


@pytest.fixture
def where(places: Callable[[], str]) -> str:
    """Where the test's store is, or would be."""
    return places()


def _places(
    stack: ExitStack, engine: str, request: pytest.FixtureRequest, directory: Path
) -> Callable[[], str]:
    if engine == "postgresql":
        server: Server = request.getfixturevalue("server")
        return lambda: stack.enter_context(server.database())
    numbers = count(1)

    def path() -> str:
        number = next(numbers)
        return str(directory / "private" / ("inbox.db" if number == 1 else f"inbox-{number}.db"))

    return path
