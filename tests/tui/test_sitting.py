"""A whole sitting over 300 drafts: a key a draft, and the store holds what the plan said."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.records import RecordStatus
from tests.tui.sitting import desk_at, sitting
from tui.plan import Deed

MOST_KEYS_A_DRAFT = 1.15


@pytest.mark.slow
async def test_300_drafts_take_a_key_each_and_the_store_holds_what_the_plan_said(
    many: Path,
) -> None:
    keys = ["r" if number % 7 == 0 else "a" for number in range(300)]
    async with sitting(many) as seat:
        for key in keys:
            await seat.pilot.press(key)
            await seat.pilot.pause()
        await seat.settle()
        assert len(seat.marks) == 300
        await seat.press("p")
        plan = seat.app.screen.rows.plan  # type: ignore[attr-defined]
        await seat.press("A")
        assert (len(keys) + 2) / 300 <= MOST_KEYS_A_DRAFT
    desk = desk_at(many)
    counts = plan.counts()
    assert desk.count().canonical == counts[Deed.APPROVE] == 300 - counts[Deed.REJECT]
    assert desk.count().pending == 0
    journal = Counter(entry.decision.value for entry in desk.history(limit=500))
    assert journal == {
        "approve": counts[Deed.APPROVE],
        "reject": counts[Deed.REJECT],
        "record": 200,
    }
    desk.close()


@pytest.fixture
def terminal(many: Path, tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    screen = Terminal(tmp_path / "tmux", many)
    yield screen
    screen.close()


class Terminal:
    """The app in a real terminal of 80 columns and 24 lines, driven by key presses."""

    def __init__(self, socket: Path, store: Path) -> None:
        self._socket = socket
        launch = (
            "from tui.app import InboxApp; from store.local import open_desk;"
            f"InboxApp(lambda: open_desk({str(store)!r}), look_every=0).run()"
        )
        self._tmux("new-session", "-d", "-x", "80", "-y", "24", sys.executable, "-c", launch)

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def press(self, key: str) -> None:
        self._tmux("send-keys", key)

    def wait_for(self, text: str) -> None:
        """Read the screen until a text is on it."""
        for _ in range(2000):
            screen = self._tmux("capture-pane", "-p")
            if text in screen:
                return
        raise AssertionError(f"{text!r} never came:\n{screen}")

    def close(self) -> None:
        self._tmux("kill-server")


@pytest.mark.slow
def test_the_same_sitting_in_a_terminal(terminal: Terminal, many: Path) -> None:
    terminal.wait_for("What note 299 says.")
    for number in range(299, -1, -1):
        terminal.press("r" if number % 7 == 0 else "a")
        if number:
            terminal.wait_for(f"What note {number - 1} says.")
    terminal.wait_for("300 marked")
    terminal.press("p")
    terminal.wait_for("257 approve · 43 reject")
    terminal.press("A")
    terminal.wait_for("257 approved · 43 rejected")
    desk = desk_at(many)
    assert len(desk.list_records(status=RecordStatus.CANONICAL, page_size=500).records) == 257
    assert desk.count().pending == 0
    desk.close()
