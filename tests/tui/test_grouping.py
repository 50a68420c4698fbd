"""Drafts of one session, or about one record, shown together by one key; and secrets, by another."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.records import MemoryScope, MemoryType, NewRecord, Origin
from tests.tui.sitting import NOW, Sitting, desk_at, sitting
from tui.filters import parse_filter
from tui.screens.listing import ListScreen

KEY = "AKIAIOSFODNN7EXAMPLQ"


@pytest.fixture
def grouped(tmp_path: Path) -> Path:
    """A store with drafts of two sessions; three are about the deploy runbook, and one holds a key."""
    path = tmp_path / "inbox.db"
    desk = desk_at(path)

    def write(title: str, content: str, session: str) -> str:
        new = NewRecord(MemoryType.PROJECT, MemoryScope.GLOBAL, title, content)
        return desk.record(new, Origin("memory.remember", session_id=session)).id

    desk.approve_record(write("Deploy runbook", "Use the button.", "01AAA"))
    write("Deploy run book", "Press the button twice.", "01BBB")
    write("On a rollback", "See [[deploy-runbook]].", "01AAA")
    write("The key", f"Use {KEY} for the sandbox.", "01AAA")
    desk.update_record("deploy-runbook", "Use the new button.", origin=Origin("x", "01BBB"))
    desk.close()
    return path


async def go_to(seat: Sitting, id: str) -> None:
    await seat.press("g")
    while seat.here != id:
        before = seat.rows.cursor
        await seat.press("j")
        assert seat.rows.cursor > before


def shown(seat: Sitting) -> str:
    return "\n".join(line.text for line in seat.inbox.card._painted.lines)


async def test_one_key_shows_what_the_same_session_wrote_and_again_everything(
    grouped: Path,
) -> None:
    async with sitting(grouped) as seat:
        await go_to(seat, "the-key")
        await seat.press("o")
        assert set(seat.ids) == {"the-key", "on-a-rollback"}
        assert seat.here == "the-key"
        await seat.press("V", "r")
        assert set(seat.marks) == {"the-key", "on-a-rollback"}
        await seat.press("o")
        assert len(seat.ids) == 4


async def test_one_key_shows_what_is_about_the_same_record(grouped: Path) -> None:
    async with sitting(grouped) as seat:
        await go_to(seat, "deploy-runbook")
        await seat.press("t")
        assert set(seat.ids) == {"deploy-runbook", "deploy-run-book", "on-a-rollback"}
        await seat.press("escape")
        assert len(seat.ids) == 4
        await go_to(seat, "deploy-run-book")
        await seat.press("t")
        assert set(seat.ids) == {"deploy-runbook", "deploy-run-book", "on-a-rollback"}


async def test_a_draft_that_is_about_nothing_says_so(grouped: Path) -> None:
    async with sitting(grouped) as seat:
        await go_to(seat, "the-key")
        await seat.press("t")
        assert "this replaces no record and is much like none" in seat.said


async def test_secrets_are_shown_when_asked_for_and_masked_again_by_the_next_card(
    grouped: Path,
) -> None:
    async with sitting(grouped) as seat:
        await go_to(seat, "the-key")
        assert KEY not in shown(seat)
        await seat.press("S")
        assert KEY in shown(seat)
        await seat.press("S")
        assert KEY not in shown(seat)
        await seat.press("S", "j", "k")
        assert seat.here == "the-key"
        assert KEY not in shown(seat)


async def test_secrets_are_masked_when_another_screen_comes(grouped: Path) -> None:
    async with sitting(grouped) as seat:
        await go_to(seat, "the-key")
        await seat.press("S", "question_mark", "escape")
        assert KEY not in shown(seat)


async def test_a_card_without_secrets_says_so(grouped: Path) -> None:
    async with sitting(grouped) as seat:
        await go_to(seat, "on-a-rollback")
        await seat.press("S")
        assert "nothing on this card is masked" in seat.said


async def test_groups_are_found_in_the_browser_too(grouped: Path) -> None:
    async with sitting(grouped) as seat:
        await seat.press("b", "o")
        browser = seat.app.screen
        assert isinstance(browser, ListScreen)
        assert browser.filter_bar.value.startswith("from:01")
        assert 0 < len(browser.rows.pages) < 5


@pytest.mark.parametrize(
    ("subject", "kept"),
    [("deploy-runbook", True), ("Deploy_Run-book", True), ("harbour", False)],
)
def test_about_keeps_what_is_named_like_it(grouped: Path, subject: str, kept: bool) -> None:
    desk = desk_at(grouped)
    record = desk.review("deploy-run-book").record
    desk.close()
    assert parse_filter(f"about:{subject}").keeps(record, NOW, lambda record: False) is kept
