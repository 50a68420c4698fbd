"""Leaving and coming back: unapplied marks ask first, outlive the app, and fall when their drafts change."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.tui.sitting import desk_at, sitting
from tui.keeping import Keeper, marks_file
from tui.marks import Mark, Marked
from tui.screens.quit import QuitScreen


async def test_quit_leaves_at_once_when_nothing_is_marked(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("q")
        assert seat.app._exit


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_quit_asks_with_unapplied_marks_and_another_key_confirms(
    store: Path, key: str
) -> None:
    async with sitting(store) as seat:
        await seat.press("a", key)
        assert isinstance(seat.app.screen, QuitScreen)
        await seat.press(key)
        assert not seat.app._exit
        await seat.press("y")
        assert seat.app._exit


async def test_escape_stays_and_p_shows_the_plan(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "q", "escape")
        assert seat.app.screen is seat.inbox
        await seat.press("q", "p")
        assert "1 approve" in seat.header


async def test_a_skipped_draft_is_nothing_to_ask_about(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("s", "q")
        assert seat.app._exit


async def test_marks_are_there_again_in_the_next_sitting(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "state" / "marks.json"
    async with sitting(store, keeper=Keeper(file, "test")) as seat:
        await seat.press("a", "r", "s")
        kept = seat.marks
    async with sitting(store, keeper=Keeper(file, "test")) as seat:
        assert seat.marks == kept
        await seat.press("p", "A")
        assert "1 approved · 1 rejected" in seat.header
    async with sitting(store, keeper=Keeper(file, "test")) as seat:
        assert seat.marks == {"note-7": "skip"}


async def test_marks_on_drafts_that_changed_or_went_meanwhile_fall_with_a_notice(
    store: Path, tmp_path: Path
) -> None:
    file = tmp_path / "marks.json"
    async with sitting(store, keeper=Keeper(file, "test")) as seat:
        await seat.press("a", "a", "a")
    desk = desk_at(store)
    desk.update_record("note-9", "Changed.")
    desk.delete_record("note-8")
    desk.close()
    async with sitting(store, keeper=Keeper(file, "test")) as seat:
        assert seat.marks == {"note-7": "approve"}
        assert any("note-9 has changed" in notice for notice in seat.notices)
        assert any("note-8 is gone" in notice for notice in seat.notices)


def test_the_file_is_its_owners_alone_and_holds_no_text(tmp_path: Path) -> None:
    file = tmp_path / "state" / "marks.json"
    Keeper(file, "test").write(1, [Marked("one", Mark.APPROVE, "r1")])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert Keeper(file, "test").read() == (Marked("one", Mark.APPROVE, "r1"),)


def test_a_write_that_was_overtaken_does_nothing(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "marks.json", "test")
    keeper.write(2, [Marked("newer", Mark.APPROVE, "r")])
    keeper.write(1, [Marked("older", Mark.APPROVE, "r")])
    assert [marked.id for marked in keeper.read()] == ["newer"]


def test_no_marks_leave_no_file(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "marks.json", "test")
    keeper.write(1, [Marked("one", Mark.APPROVE, "r")])
    keeper.write(2, [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"marks": [{"id": 1}]}', '{"marks": [3]}', "\0"])
def test_a_file_that_is_not_ours_means_no_marks(tmp_path: Path, text: str) -> None:
    file = tmp_path / "marks.json"
    file.write_text(text)
    assert Keeper(file, "test").read() == ()


def test_each_store_has_a_file_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert marks_file("one").parent == tmp_path / "memory-inbox"
    assert marks_file("one") != marks_file("two")
