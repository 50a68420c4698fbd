"""All records, the links between them, what recall would give, what was decided: on the demo store."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from store.clock import to_micros
from store.local import LocalDesk
from store.records import Decision, LinkClass, RecordStatus
from tests.tui.sitting import NOW, Sitting, sitting
from tui.demo.opening import open_demo
from tui.detail import Card
from tui.inbox_list import RowList
from tui.item_list import ItemList
from tui.linkmap import read_links
from tui.screens.browse import BrowseScreen
from tui.screens.history import HistoryScreen
from tui.screens.inbox import InboxScreen
from tui.screens.links import LinksScreen
from tui.screens.recall import RecallScreen


@pytest.fixture(scope="module")
def told_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("demo")
    open_demo(directory, NOW, standing=True).close()
    return directory / "demo.db"


@pytest.fixture
def demo(told_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(told_once, tmp_path / "demo.db"))


@asynccontextmanager
async def at(demo: Path, *keys: str) -> AsyncIterator[Sitting]:
    async with sitting(demo, open_desk=lambda: reopened(demo)) as seat:
        await seat.press(*keys)
        yield seat


def reopened(demo: Path) -> LocalDesk:
    """Open the demo once more, its clock standing still from the start: the trash is of its time."""
    desk = LocalDesk(str(demo), clock=lambda: to_micros(NOW))
    desk.open()
    return desk


def card(seat: Sitting) -> Card:
    return seat.app.screen.query_one(Card)


def card_title(seat: Sitting) -> str:
    return card(seat)._border_title.plain if card(seat)._border_title else ""


def card_text(seat: Sitting) -> str:
    lines = (card(seat).render_line(y).text.rstrip() for y in range(card(seat).size.height))
    return "\n".join(lines)


def names(seat: Sitting) -> list[str]:
    return [item.name for item in seat.app.screen.query_one(ItemList).items]


async def go_to(seat: Sitting, name: str) -> None:
    """Walk down to an item."""
    rows = seat.app.screen.query_one(ItemList)
    while rows.item is None or rows.item.name != name:
        before = rows.cursor
        await seat.press("j")
        assert rows.cursor > before, f"{name} is not in the list"


async def test_browse_lists_canonical_and_pending(demo: Path) -> None:
    async with at(demo, "b") as seat:
        assert isinstance(seat.app.screen, BrowseScreen)
        rows = seat.app.screen.query_one(RowList)
        keys = [rows.pages.key(line) for line in range(len(rows.pages))]
        assert len(keys) == 40
        assert ("release-checklist", RecordStatus.CANONICAL) in keys
        assert ("release-checklist", RecordStatus.PENDING) in keys
        assert "15 canonical" in seat.header


async def test_browse_filters_by_text_type_and_status(demo: Path) -> None:
    async with at(demo, "b", "slash") as seat:
        await seat.type("type:ref status:can pipeline")
        rows = seat.app.screen.query_one(RowList)
        ids = [rows.pages.id(line) for line in range(len(rows.pages))]
        assert ids == ["deploy-pipeline-runbook", "release-checklist"]


async def test_what_was_filtered_for_is_lit_on_the_card(demo: Path) -> None:
    async with at(demo, "b", "slash") as seat:
        await seat.type("PARITY")
        found = card(seat).get_component_rich_style("card--found").bgcolor
        lit = [
            segment.text
            for y in range(card(seat).size.height)
            for segment in card(seat).render_line(y)
            if segment.style and segment.style.bgcolor == found
        ]
        assert lit
        assert {text.lower() for text in lit} == {"parity"}
        await seat.press("escape")
        assert card(seat)._found is None


async def test_links_are_followed_back_and_forward(demo: Path) -> None:
    async with at(demo, "b", "slash") as seat:
        await seat.type("funnel runbook")
        await seat.press("enter", "tab", "enter")
        assert card_title(seat) == "booking-funnel-dashboard"
        await seat.press("left_square_bracket")
        assert card_title(seat) == "deploy-pipeline-runbook"
        await seat.press("right_square_bracket")
        assert card_title(seat) == "booking-funnel-dashboard"
        await seat.press("escape")
        assert card_title(seat) == "deploy-pipeline-runbook"


async def test_a_link_that_leads_nowhere_says_so_on_the_card_and_there_is_a_way_back(
    demo: Path,
) -> None:
    async with at(demo, "tab", "tab", "tab", "enter") as seat:
        assert "no record has the id 'oncall-rota'" in card_text(seat)
        assert seat.notices == []
        await seat.press("left_square_bracket")
        assert card_title(seat) == "deploy-pipeline-migration-complete"


async def test_escape_leaves_browse_for_the_inbox(demo: Path) -> None:
    async with at(demo, "b", "escape") as seat:
        assert isinstance(seat.app.screen, InboxScreen)


async def test_links_are_sorted_by_what_is_the_matter(demo: Path) -> None:
    async with at(demo, "L") as seat:
        assert isinstance(seat.app.screen, LinksScreen)
        assert names(seat)[:7] == [
            "broken",
            "old-pipeline-notes",
            "wanted",
            "oncall-rota",
            "seat-map",
            "ambiguous",
            "Glossary",
        ]
        assert seat.header.endswith("1 broken · 2 wanted · 1 ambiguous · 16 orphans")


async def test_a_name_shows_the_places_that_use_it_and_leads_there(demo: Path) -> None:
    async with at(demo, "L") as seat:
        await go_to(seat, "oncall-rota")
        assert "4 places refer to it" in card_text(seat)
        assert "If something looks wrong, ask [[oncall-rota]]." in card_text(seat)
        await seat.press("tab", "enter")
        assert card_title(seat) == "deploy-pipeline-migration-complete"
        await seat.press("left_square_bracket")
        assert card_title(seat) == "oncall-rota"


async def test_an_ambiguous_name_shows_what_it_may_mean(demo: Path) -> None:
    async with at(demo, "L") as seat:
        await go_to(seat, "Glossary")
        assert "glossary-for-booking" in card_text(seat)
        assert "glossary-for-harbours" in card_text(seat)


async def test_an_orphan_shows_its_record(demo: Path) -> None:
    async with at(demo, "L") as seat:
        await go_to(seat, "launch-day-playlist")
        assert "sea shanties" in card_text(seat)


def test_a_wanted_name_suggests_records_that_read_like_it(tmp_path: Path) -> None:
    desk = open_demo(tmp_path, NOW, standing=True)
    desk.edit(
        "one-commit-one-reason",
        desk.review("one-commit-one-reason", RecordStatus.CANONICAL).record.revision,
        content="See [[payments-sandbox]].",
    )
    (target,) = (t for t in read_links(desk).wanted if t.name == "payments-sandbox")
    desk.close()
    assert target.like[0].id == "payment-sandbox"
    assert target.link_class is LinkClass.WANTED


async def test_recall_begins_in_the_project_of_the_record_that_was_read(demo: Path) -> None:
    async with at(demo, "R") as seat:
        assert isinstance(seat.app.screen, RecallScreen)
        assert seat.app.screen.query_one("#directory", Input).value == "/home/maren/code/ferryline"
        assert len(names(seat)) == 15
        assert "15 given" in seat.header


async def test_a_smaller_budget_drops_records_and_says_which(demo: Path) -> None:
    async with at(demo, "R", "slash", "tab", "tab", *["backspace"] * 4, *"400", "enter") as seat:
        seen = seat.app.screen.preview
        assert seen is not None
        recalled = seen.shown
        assert recalled.tokens <= 400
        end = names(seat).index("dropped: no room in the budget")
        assert (end, len(names(seat)) - end - 1) == (len(recalled.given), len(recalled.dropped))
        assert recalled.dropped


async def test_a_budget_that_is_no_number_gives_nothing(demo: Path) -> None:
    async with at(demo, "R", "slash", "tab", "tab", "x") as seat:
        assert "0 given" in seat.header


async def test_recall_with_drafts_shows_what_approving_all_would_give(demo: Path) -> None:
    async with at(demo, "R") as seat:
        assert "refund-windows" not in names(seat)
        await seat.press("d")
        assert "refund-windows" in names(seat)
        assert "all drafts included" in seat.header


async def test_typing_in_the_question_decides_nothing_and_escape_leaves_it(demo: Path) -> None:
    async with at(demo, "R", "slash", "b", "q", "escape") as seat:
        screen = seat.app.screen
        assert isinstance(screen, RecallScreen)
        assert screen.query_one("#directory", Input).value.endswith("bq")
        assert not screen.with_drafts
        assert seat.app.focused is screen.rows


async def test_the_trash_is_restored_from(demo: Path) -> None:
    async with at(demo, "H") as seat:
        assert isinstance(seat.app.screen, HistoryScreen)
        assert names(seat)[:3] == ["trash", "old-pipeline-notes", "journal"]
        assert "destroyed on" in card_text(seat)
        await seat.press("R")
        assert "old-pipeline-notes is back." in seat.notices
        assert names(seat)[0] == "journal"
    desk = reopened(demo)
    try:
        assert desk.get_record("old-pipeline-notes").status is RecordStatus.CANONICAL
        assert desk.history(limit=1)[0].decision is Decision.RESTORE
    finally:
        desk.close()


async def test_a_line_that_is_not_in_the_trash_is_not_restored(demo: Path) -> None:
    async with at(demo, "H", "j", "j", "R") as seat:
        assert "not in the trash" in str(seat.app.screen.query_one(ItemList).border_subtitle)


async def test_a_line_of_the_journal_leads_to_its_record(demo: Path) -> None:
    async with at(demo, "H", "j", "j") as seat:
        assert "SHA-256" in card_text(seat)
        await seat.press("tab", "enter")
        assert "live in production" in card_text(seat)
        await seat.press("left_square_bracket")
        assert "SHA-256" in card_text(seat)


async def test_a_long_journal_is_read_on_as_one_goes_down(tmp_path: Path) -> None:
    desk = open_demo(tmp_path, NOW, standing=True)
    write_journal(desk, 500)
    desk.close()
    async with at(tmp_path / "demo.db", "H") as seat:
        screen = seat.app.screen
        assert isinstance(screen, HistoryScreen)
        assert len(screen.lines) == 200
        await seat.press("G", "G", "G")
        assert len(screen.lines) == len({line.seq for line in screen.lines}) == 542


def write_journal(desk: LocalDesk, lines: int) -> None:
    with desk.batch():
        for number in range(lines):
            record = desk.review("temporary-port-8123").record
            desk.edit(record.id, record.revision, content=f"The dev server runs on {number}.")
