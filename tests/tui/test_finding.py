"""Finding: the filter bar, what it leaves, and that nobody decides while typing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store.records import (
    MemoryScope,
    MemoryType,
    Provenance,
    Record,
    RecordFilter,
    RecordStatus,
)
from tests.tui.sitting import sitting
from tui.filters import Filter, Having, complete, parse_filter

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


async def test_the_list_follows_what_is_typed(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("note 3")
        assert seat.ids == ["note-3"]
        assert "1/1 pending" in seat.header
        await seat.press("backspace", "backspace")
        assert len(seat.ids) == 10


async def test_enter_keeps_the_filter_and_escape_clears_it(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("type:user")
        await seat.press("enter")
        assert seat.rows.has_focus
        assert seat.ids == ["note-8", "note-4", "note-0"]
        await seat.press("escape")
        assert len(seat.ids) == 10
        assert not seat.inbox.filter_bar.display


async def test_escape_in_the_bar_shows_everything_again(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("3")
        await seat.press("escape")
        assert len(seat.ids) == 10
        assert seat.rows.has_focus


async def test_no_decision_key_works_while_typing(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "slash")
        await seat.type("arsupAUxvVZ")
        assert seat.inbox.filter_bar.value == "arsupAUxvVZ"
        await seat.press("ctrl+r")
        assert seat.marks == {"note-9": "approve"}
        assert len(seat.app.screen_stack) == 1


async def test_the_footer_says_what_keys_do_while_typing(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        assert "keep the filter" in seat.footer
        assert "approve" not in seat.footer
        await seat.click_key("clear_filter")
        assert seat.rows.has_focus


async def test_the_cursor_stays_on_its_draft_when_the_filter_goes(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("note 3")
        await seat.press("enter", "escape")
        assert seat.here == "note-3"


async def test_a_card_comes_back_with_its_row(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("note 9 nothing")
        assert seat.ids == []
        assert seat.inbox.shown is None
        await seat.press(*["backspace"] * len(" nothing"), "enter", "a")
        assert seat.marks == {"note-9": "approve"}


async def test_marks_survive_a_filter_that_hides_their_drafts(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "slash")
        await seat.type("note 3")
        await seat.press("enter", "r")
        assert seat.marks == {"note-9": "approve", "note-3": "reject"}


async def test_what_nothing_matches_says_how_to_get_back(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("absent")
        assert seat.ids == []
        assert "esc clears it" in seat.rows.notice


async def test_a_filter_the_store_does_not_know_sifts_what_it_gives(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("has:warning")
        assert seat.ids == ["note-4"]
        await seat.press("escape", "slash")
        await seat.type("older:8h")
        assert seat.ids == ["note-2", "note-1", "note-0"]


async def test_tab_completes_a_key_and_a_value(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("ty")
        await seat.press("tab")
        await seat.type("fe")
        await seat.press("tab")
        assert seat.inbox.filter_bar.value == "type:feedback"
        assert seat.ids == ["note-9", "note-5", "note-1"]


async def test_a_part_that_says_nothing_is_named_and_does_not_narrow(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("slash")
        await seat.type("scope:nowhere")
        assert len(seat.ids) == 10
        assert "scope: is one of session, project, global" in str(
            seat.inbox.filter_bar.border_subtitle
        )


# -- the language itself

RECORD = Record(
    "one",
    MemoryType.USER,
    MemoryScope.GLOBAL,
    "One",
    "text",
    1,
    RecordStatus.PENDING,
    ("two",),
    NOW - timedelta(days=8),
    NOW,
    Provenance("01JB6Z", None, "memory.remember"),
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", Filter()),
        ("  two words ", Filter(words="two words")),
        ("type:fe scope:g", Filter(types=(MemoryType.FEEDBACK,), scopes=(MemoryScope.GLOBAL,))),
        ("type:user type:ref", Filter(types=(MemoryType.USER, MemoryType.REFERENCE))),
        ("status:pending", Filter(statuses=(RecordStatus.PENDING,))),
        ("older:7d newer:2w", Filter(older=timedelta(days=7), newer=timedelta(weeks=2))),
        ("has:w", Filter(having=(Having.WARNING,))),
        ("from:01JB link:two", Filter(sources=("01jb",), links=("two",))),
        ("http://host:80", Filter(words="http://host:80")),
        ("type:", Filter()),
        ("TYPE:User", Filter(types=(MemoryType.USER,))),
        (
            "type:x older:soon",
            Filter(
                problems=(
                    "type: is one of user, feedback, project, reference",
                    "older: takes an age, as in 7d",
                )
            ),
        ),
    ],
)
def test_a_filter_text_means(text: str, meant: Filter) -> None:
    assert parse_filter(text) == meant


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("older:7d", True),
        ("older:9d", False),
        ("newer:9d", True),
        ("newer:7d", False),
        ("from:01jb6", True),
        ("from:remember", True),
        ("from:elsewhere", False),
        ("link:two", True),
        ("link:three", False),
        ("has:warning", False),
        ("has:revision", False),
    ],
)
def test_a_filter_keeps(text: str, kept: bool) -> None:
    assert parse_filter(text).keeps(RECORD, NOW, lambda record: False) is kept


def test_a_draft_is_also_from_whom_its_text_is_by() -> None:
    rewritten = replace(RECORD, rewritten_by="mcp:Other/1")
    assert parse_filter("from:mcp:other").keeps(rewritten, NOW, lambda record: False)
    assert not parse_filter("from:mcp:other").keeps(RECORD, NOW, lambda record: False)


def test_a_status_in_the_text_wins_over_the_screens_own() -> None:
    assert parse_filter("status:c").query(RecordStatus.PENDING).status is RecordStatus.CANONICAL
    assert parse_filter("x").query(RecordStatus.PENDING) == RecordFilter(
        status=RecordStatus.PENDING, text="x"
    )
    assert parse_filter("status:p status:c").query(RecordStatus.PENDING).status is None


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("sc", "scope:"),
        ("note sc", "note scope:"),
        ("scope:g", "scope:global"),
        ("status:p", "status:pending"),
        ("zz", None),
        ("", None),
        ("type:", None),
    ],
)
def test_completion(text: str, done: str | None) -> None:
    assert complete(text) == done
