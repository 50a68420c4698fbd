"""Every screen of the app on a real terminal, over texts that want to act on it."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

import pytest
from textual.screen import Screen

import tui
from tests.cli.terminals import run_on_terminal
from tests.doors.store import SIGNS
from tests.doors.stream import Received, flat, received

OTHER_DOORS = {
    "a link's target",
    "notices",
    "failures",
    "settings that were left out",
    "a store that did not open",
    "ids of another provider",
    "a plan over ids of another provider",
    "errors of another provider",
    "CommandPalette",
}


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[str]], Received]:
    """What each door showed, and what the terminal received of all of them."""
    directory = tmp_path_factory.mktemp("tour")
    env = {**os.environ, "HOME": str(directory), "PYTHONPATH": str(Path.cwd())}
    code, data = run_on_terminal(
        [sys.executable, "-m", "tests.doors.tour", str(directory)], env, columns=180, lines=140
    )
    assert code == 0, data[-4000:].decode("utf-8", "replace")
    return json.loads((directory / "seen.json").read_text("utf-8")), received(data)


def screens() -> set[str]:
    """Return the names of the app's screens: those that no other is made from."""
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        importlib.import_module(module.name)

    def below(kind: type) -> set[type]:
        return {kind} | {one for sub in kind.__subclasses__() for one in below(sub)}

    ours = {kind for kind in below(Screen) if kind.__module__.startswith("tui.")}
    return {kind.__name__ for kind in ours if not any(issubclass(o, kind) for o in ours - {kind})}


def test_the_tour_goes_through_every_screen(
    toured: tuple[dict[str, list[str]], Received],
) -> None:
    """A new screen belongs into tests/doors/tour.py."""
    seen, _ = toured
    assert screens() | OTHER_DOORS == set(seen)


def test_every_door_shows_what_hostile_texts_are_made_of(
    toured: tuple[dict[str, list[str]], Received],
) -> None:
    """A door that shows none of it was not tried: it would prove nothing that nothing came out."""
    seen, _ = toured
    untried = {
        door
        for door, texts in seen.items()
        if not any(flat(sign) in flat(text) for text in texts for sign in SIGNS)
    }
    assert untried == set()


def test_the_terminal_receives_no_sequence_that_the_app_does_not_send(
    toured: tuple[dict[str, list[str]], Received],
) -> None:
    _, stream = toured
    assert stream.foreign == []


def test_the_terminal_receives_no_character_that_acts_or_hides(
    toured: tuple[dict[str, list[str]], Received],
) -> None:
    _, stream = toured
    assert stream.raw == []
