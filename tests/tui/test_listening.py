"""The inbox over a server shows what others write when the server tells of it, without looking by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.clock import to_micros
from store.local import LocalDesk, open_desk
from tests.postgresql import Server
from tests.tui.sitting import AGENT, NOW, draft
from tui.app import InboxApp
from tui.screens.inbox import InboxScreen

NEVER = 1e6  # seconds: no look of its own falls into a test
PATIENCE = 60.0


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with server.database() as url:
        yield url


def desk_at(url: str, reviewer: str) -> LocalDesk:
    desk = open_desk(url, reviewer=reviewer)
    desk.clock = lambda: to_micros(NOW)
    return desk


async def test_drafts_and_claims_of_others_come_without_a_look(url: str, tmp_path: Path) -> None:
    other = desk_at(url, "bob")
    other.record(draft(1), AGENT)
    app = InboxApp(lambda: desk_at(url, "ann"), reviewer="ann", clock=lambda: NOW, look_every=NEVER)
    async with app.run_test(size=(120, 40)) as pilot, asyncio.timeout(PATIENCE):
        inbox = app.screen_stack[0]
        assert isinstance(inbox, InboxScreen)
        while not (app.listening and app.listening.hears and inbox.rows.chosen is not None):
            await pilot.pause()
        other.record(draft(2), AGENT)
        while inbox.rows.pages.read < 2:
            await pilot.pause()
        other.claim(["note-1"])
        while inbox.claim_of("note-1") is None:
            await pilot.pause()
    other.close()
