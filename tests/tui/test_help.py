"""The help: every key of the screen one comes from, as it is bound now, on one screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from render.plain import plain
from tests.tui.sitting import Sitting, sitting
from tui.actions import Where, actions_of, spell_keys
from tui.detail import Card
from tui.help import keys_and_words, keys_here
from tui.marks import SIGNS
from tui.screens.help import HelpScreen
from tui.screens.inbox import InboxScreen


def page(seat: Sitting, id: str) -> str:
    card = seat.app.screen.query_one(f"#{id}", Card)
    return "\n".join(line.text.rstrip() for line in card._painted.lines)


@pytest.mark.parametrize("where", list(Where))
def test_every_action_of_a_screen_is_explained(where: Where) -> None:
    text = " ".join(str(plain(keys_here(where), 200)).split())
    for action in actions_of(where):
        assert f"{spell_keys(action.key_names)} | {action.help}".strip() in text


def test_the_lists_explain_their_card_and_every_sign() -> None:
    text = str(plain(keys_and_words(Where.INBOX), 200))
    for action in actions_of(Where.CARD):
        assert action.help in text
    assert all(sign in text for sign in SIGNS.values())
    assert keys_and_words(Where.PLAN).children == ()


async def test_the_same_key_opens_and_closes_it(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("question_mark")
        assert isinstance(seat.app.screen, HelpScreen)
        assert seat.header.startswith("Help: inbox")
        assert "Mark the draft for approval" in page(seat, "help-here")
        assert "Signs in the list" in page(seat, "help-more")
        await seat.press("question_mark")
        assert isinstance(seat.app.screen, InboxScreen)


async def test_a_narrow_terminal_has_all_in_one_pane(store: Path) -> None:
    async with sitting(store, size=(80, 24)) as seat:
        await seat.press("question_mark")
        assert not seat.app.screen.query_one("#help-more", Card).display
        text = page(seat, "help-here")
        assert "Mark the draft for approval" in text
        assert "Signs in the list" in text


async def test_keys_are_shown_as_the_keymap_has_them(store: Path) -> None:
    async with sitting(store) as seat:
        seat.app.set_keymap({"approve": "y"})
        await seat.press("question_mark")
        lines = page(seat, "help-here").splitlines()
        assert any(line.split()[:2] == ["y", "Mark"] for line in lines)


async def test_the_card_s_keys_are_offered_where_it_has_links(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("question_mark")
        assert "jump to a link" not in seat.footer
