"""Comparing with what is much like a draft, and merging: into a record, or several drafts into one."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.records import MemoryScope, MemoryType, NewRecord, RecordStatus
from tests.tui.sitting import AGENT, Sitting, desk_at, sitting
from tests.tui.test_plan import record
from tui.detail import Card
from tui.merging import begin
from tui.screens.compare import CompareScreen
from tui.screens.merge import MergeScreen


def like(title: str, content: str) -> NewRecord:
    return NewRecord(MemoryType.PROJECT, MemoryScope.PROJECT, title, content)


@pytest.fixture
def alike(store: Path) -> Path:
    """The ten drafts, and on top of them a draft that is much like an approved record."""
    desk = desk_at(store)
    desk.record(like("Deploy pipeline migration in progress", "Half done.\n"), AGENT)
    desk.approve_record("deploy-pipeline-migration-in-progress")
    desk.record(like("Deploy pipeline migration in progress now", "All done.\nHalf done.\n"), AGENT)
    desk.close()
    return store


DRAFT = "deploy-pipeline-migration-in-progress-now"
RECORD = "deploy-pipeline-migration-in-progress"


def compared(seat: Sitting) -> str:
    """The text of the right card."""
    screen = seat.app.screen
    assert isinstance(screen, CompareScreen)
    lines = screen.query_one("#like", Card)._painted.lines
    return "\n".join(line.text for line in lines)


def merging(seat: Sitting) -> MergeScreen:
    screen = seat.app.screen
    assert isinstance(screen, MergeScreen)
    return screen


async def test_a_draft_is_seen_beside_what_is_like_it_and_line_by_line(alike: Path) -> None:
    async with sitting(alike) as seat:
        await seat.press("c")
        assert "Half done." in compared(seat)
        assert "All done." not in compared(seat)
        await seat.press("d")
        assert "+ All done." in compared(seat)
        await seat.press("d")
        assert "All done." not in compared(seat)
        await seat.press("escape")
        assert seat.app.screen is seat.inbox


async def test_a_draft_that_is_like_nothing_says_so(store: Path) -> None:
    desk = desk_at(store)
    desk.record(like("Entirely different matter", "x"), AGENT)
    desk.close()
    async with sitting(store) as seat:
        await seat.press("c")
        assert seat.said == "compare: nothing is much like this draft"
        await seat.press("m")
        assert "v selects several" in seat.said


async def test_merging_into_a_record_makes_a_revision_and_rejects_the_draft(alike: Path) -> None:
    async with sitting(alike) as seat:
        await seat.press("c", "m")
        assert merging(seat).text.text == "Half done.\n\nAll done.\n"
        await seat.press("ctrl+s")
        assert seat.marks == {RECORD: "approve", DRAFT: "reject"}
        assert RECORD in seat.ids
        await seat.press("p")
        assert "1 replace · 1 reject" in seat.header
        await seat.press("A")
        assert "none failed" in seat.header
    desk = desk_at(alike)
    record = desk.get_record(RECORD)
    assert record.content == "Half done.\n\nAll done.\n"
    assert record.status is RecordStatus.CANONICAL
    assert desk.count().pending == 10
    desk.close()


async def test_a_merge_is_taken_back_as_one_step_and_done_again(alike: Path) -> None:
    async with sitting(alike) as seat:
        await seat.press("c", "m", "ctrl+s", "u")
        assert seat.marks == {}
        assert RECORD not in seat.ids
        desk = desk_at(alike)
        assert desk.count().pending == 11
        await seat.press("U")
        assert seat.marks == {RECORD: "approve", DRAFT: "reject"}
        assert (
            desk.review(RECORD, RecordStatus.PENDING).record.content == "Half done.\n\nAll done.\n"
        )
        assert RECORD in seat.ids
        desk.close()


async def test_a_revision_that_waits_is_never_replaced_by_a_merge(alike: Path) -> None:
    async with sitting(alike) as seat:
        await seat.press("c", "m")
        desk = desk_at(alike)
        desk.update_record(RECORD, "Somebody else's.", origin=AGENT)
        await seat.press("ctrl+s")
        assert merging(seat).text.text == "Half done.\n\nAll done.\n"
        assert any("a revision of" in notice for notice in seat.notices)
        assert desk.review(RECORD, RecordStatus.PENDING).record.content == "Somebody else's."
        desk.close()


async def test_several_drafts_are_merged_into_the_one_under_the_cursor(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("v", "j", "j", "m")
        assert "Merge 2 drafts into note-7" in seat.header
        assert merging(seat).text.text.startswith("What note 7 says.\n\nWhat note 9 says.")
        await seat.press("ctrl+g")
        assert seat.marks == {"note-7": "approve", "note-9": "reject", "note-8": "reject"}
        await seat.press("u")
        assert seat.marks == {}
    desk = desk_at(store)
    assert desk.review("note-7", RecordStatus.PENDING).record.content == "What note 7 says."
    desk.close()


async def test_escape_keeps_a_composed_text_until_asked_twice(alike: Path) -> None:
    async with sitting(alike) as seat:
        await seat.press("c", "m")
        await seat.type("x")
        await seat.press("escape")
        assert "esc again" in str(merging(seat).text.border_subtitle)
        await seat.press("escape")
        assert seat.app.screen is seat.inbox
        assert seat.marks == {}


async def test_a_merged_revision_says_where_it_came_from(alike: Path) -> None:
    async with sitting(alike) as seat:
        await seat.press("c", "m", "ctrl+s")
    desk = desk_at(alike)
    provenance = desk.review(RECORD, RecordStatus.PENDING).record.provenance
    assert provenance.recorded_by == "inbox.merge"
    assert provenance.source_session_id == AGENT.session_id
    desk.close()


@pytest.mark.parametrize(
    ("target", "sources", "text"),
    [
        ("a\n", ["b\n"], "a\n\nb\n"),
        ("a\nb\n", ["b\nc\n"], "a\nb\n\nc\n"),
        ("a\n", ["a\n", "c\n"], "a\n\nc\n"),
        ("a\n", ["c\n", "c\nd\n"], "a\n\nc\n\nd\n"),
    ],
)
def test_a_merge_begins_with_every_line_once(target: str, sources: list[str], text: str) -> None:
    assert begin(record("t", target), [record("s", source) for source in sources]) == text
