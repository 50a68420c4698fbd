"""An empty store: three doors, each by key and by mouse, and what lies behind them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from store.records import RecordFilter, RecordStatus
from tests.tui.sitting import Sitting, sitting
from tui.detail import Card
from tui.onboarding import Place, find_places
from tui.screens.connect import ConnectScreen
from tui.screens.importing import ImportScreen
from tui.screens.inbox import InboxScreen
from tui.screens.welcome import Door, WelcomeScreen

MEMORIES = Path(__file__).parent.parent / "cases" / "import" / "claude-basic"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    return tmp_path / "inbox.db"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory where one agent has kept memories; the current directory is elsewhere."""
    home = tmp_path / "home"
    shutil.copytree(MEMORIES, home / ".claude/projects/-work-acme/memory")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setenv("HOME", str(home))
    for elsewhere in ("CLAUDE_CONFIG_DIR", "HERMES_HOME", "MEMORY_FILE_PATH", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(elsewhere, raising=False)
    monkeypatch.chdir(tmp_path / "elsewhere")
    return home


def card_of(seat: Sitting) -> str:
    card = seat.app.screen.query_one(Card)
    return "\n".join(card.render_line(y).text.rstrip() for y in range(card.size.height))


async def test_an_empty_store_is_welcomed(empty: Path) -> None:
    async with sitting(empty) as seat:
        assert isinstance(seat.app.screen, WelcomeScreen)
        assert [door.action for door in seat.app.screen.doors] == [
            "try_demo",
            "find_folders",
            "connect",
        ]


async def test_a_store_with_drafts_is_not(store: Path) -> None:
    async with sitting(store) as seat:
        assert isinstance(seat.app.screen, InboxScreen)


async def test_escape_leads_to_the_empty_inbox(empty: Path) -> None:
    async with sitting(empty) as seat:
        await seat.press("escape")
        assert isinstance(seat.app.screen, InboxScreen)
        assert "No drafts" in seat.rows.notice


@pytest.mark.parametrize(
    "keys", [("t",), ("enter",), ("j", "k", "enter"), ("k", "k", "k", "enter")]
)
async def test_the_first_door_opens_the_demo_in_a_store_of_its_own(
    empty: Path, keys: tuple[str, ...]
) -> None:
    async with sitting(empty) as seat:
        await seat.press(*keys)
        assert isinstance(seat.app.screen, InboxScreen)
        assert len(seat.ids) == 25
        assert "demo store" in seat.header
        await seat.press("a", "p", "A")
        assert seat.app.desk is not None
        assert seat.app.desk.count().pending == 24
    async with sitting(empty) as seat:
        assert isinstance(seat.app.screen, WelcomeScreen)


async def test_a_click_goes_through_a_door(empty: Path) -> None:
    async with sitting(empty) as seat:
        await seat.pilot.click(seat.app.screen.query(Door).last())
        await seat.settle()
        assert isinstance(seat.app.screen, ConnectScreen)


async def test_how_agents_connect_is_a_page_to_read(empty: Path) -> None:
    async with sitting(empty) as seat:
        await seat.press("c")
        assert "memory.remember" in card_of(seat)
        await seat.press("escape")
        assert isinstance(seat.app.screen, WelcomeScreen)


async def test_folders_in_the_usual_places_are_tried_then_imported_as_drafts(
    empty: Path, home: Path
) -> None:
    async with sitting(empty) as seat:
        await seat.press("i")
        assert isinstance(seat.app.screen, ImportScreen)
        assert "3 new" in card_of(seat)
        assert seat.app.desk is not None
        assert seat.app.desk.count().total == 0
        await seat.press("enter")
        assert "imported as drafts" in card_of(seat)
        await seat.press("escape")
        assert isinstance(seat.app.screen, InboxScreen)
        assert len(seat.ids) == 3
        drafts = seat.app.desk.browse(RecordFilter()).records
        assert {record.status for record in drafts} == {RecordStatus.PENDING}


async def test_any_other_folder_can_be_typed(empty: Path, home: Path) -> None:
    notes = home / "notes"
    notes.mkdir()
    (notes / "tea.md").write_text("# Tea\n\nGreen, no sugar.\n")
    async with sitting(empty) as seat:
        await seat.press("i", "slash")
        await seat.type("~/note")
        path = seat.app.screen.query_one("#path")
        assert path.border_subtitle == "nothing is there"
        await seat.press("enter")
        assert seat.app.focused is path
        await seat.type("s")
        assert path.border_subtitle == "a folder: enter reads it"
        await seat.press("enter")
        assert "1 new" in card_of(seat)


async def test_a_folder_that_cannot_be_read_says_so(empty: Path, home: Path) -> None:
    async with sitting(empty) as seat:
        await seat.press("i")
        shutil.rmtree(home / ".claude")
        await seat.press("f5")
        assert "No memories in the usual places" in seat.app.screen.query_one("#items").notice


def test_the_usual_places_are_those_that_hold_something(home: Path, tmp_path: Path) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "GEMINI.md").write_text("## Gemini Added Memories\n- tea\n")
    (home / "basic-memory").mkdir()
    project = tmp_path / "project"
    (project / "memory-bank").mkdir(parents=True)
    (project / "memory-bank" / "a.md").write_text("a")
    (project / "memory-bank" / "empty").mkdir()
    assert find_places(home, project).places == (
        Place(home / ".claude/projects/-work-acme/memory", "Claude Code"),
        Place(home / ".gemini/GEMINI.md", "Gemini CLI"),
        Place(project / "memory-bank", "Cline"),
    )
