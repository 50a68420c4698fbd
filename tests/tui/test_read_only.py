"""A store that is open read-only: everything can be read, and what would write says why it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.local import LocalDesk
from tests.tui.sitting import sitting
from tui.actions import ACTIONS, Where, writes


def looking(store: Path) -> LocalDesk:
    desk = LocalDesk(str(store), read_only=True)
    desk.open()
    return desk


@pytest.mark.parametrize("key", ["a", "r", "e", "ctrl+n", "K"])
async def test_no_key_of_the_inbox_begins_a_write(store: Path, key: str) -> None:
    async with sitting(store, open_desk=lambda: looking(store)) as seat:
        await seat.press(key)
        assert seat.app.screen is seat.inbox
        assert seat.marks == {}
        assert "read-only" in f"{seat.said} {seat.notices}"


async def test_everything_can_be_read(store: Path) -> None:
    async with sitting(store, open_desk=lambda: looking(store)) as seat:
        for key in ("j", "b", "escape", "L", "escape", "H", "escape", "R", "escape"):
            await seat.press(key)
        assert seat.app.screen is seat.inbox
        assert seat.app.is_running


def test_every_decision_and_save_is_known_to_write() -> None:
    deciding = {
        "unmark",
        "skip",
        "undo",
        "redo",
        "range",
        "select_all",
        "plan",
    }  # marks, not writes
    for action in ACTIONS:
        if action.group.value == "Decide" and Where.INBOX in action.where:
            assert writes(action.id) or action.id in deciding, action.id
        if action.id.startswith(("save", "apply")):
            assert writes(action.id), action.id
