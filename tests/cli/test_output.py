"""The forms of an answer: columns that fit, JSON that is safe to show and loses nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from render.visible import Visible, cell_width, visible
from store.records import MemoryScope, MemoryType, Record, RecordStatus
from tests.cli.terminals import raw_controls
from tui.cli.columns import GAP, Column, lines, widths
from tui.cli.output import as_fields, to_json

COLUMNS = (
    Column("id", give="wrap"),
    Column("number", justify="right"),
    Column("title", give="cut"),
)
WORDS = st.text(max_size=90).map(visible)
ROWS = st.lists(
    st.tuples(WORDS, st.integers(0, 10**6).map(lambda n: visible(str(n))), WORDS), min_size=1
)


@given(st.dictionaries(st.text(), st.text() | st.lists(st.text()), max_size=4))
def test_json_loses_nothing_and_shows_everything(value: dict[str, object]) -> None:
    """Any text, lone surrogates aside, comes back whole; what would act on a terminal is escaped."""
    line = to_json(value)
    assert json.loads(line) == value
    assert raw_controls(line.encode()) == []


def test_json_leaves_writing_readable() -> None:
    assert to_json({"title": "漢字 and é"}) == '{"title": "漢字 and é"}'
    assert to_json({"title": "a\u202eb\x9b"}) == '{"title": "a\\u202eb\\u009b"}'
    assert to_json({"title": "\ud800"}) == '{"title": "\\ud800"}'


def test_fields_are_the_contracts_and_unset_ones_are_left_out() -> None:
    at = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    record = Record(
        "note",
        MemoryType.USER,
        MemoryScope.GLOBAL,
        "Note",
        "text",
        1,
        RecordStatus.PENDING,
        ("other",),
        at,
        at,
    )
    fields = as_fields(record)
    assert fields["created_at"] == "2026-03-01T09:30:00Z"
    assert fields["status"] == "pending"
    assert fields["links"] == ["other"]
    assert fields["provenance"] == {"source_session_id": "", "recorded_by": ""}
    assert "relevance_score" not in fields


@given(ROWS, st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[Visible, ...]], width: int) -> None:
    for line in lines(COLUMNS, rows, width):
        assert cell_width(Visible(line.plain)) <= width


@given(ROWS, st.integers(40, 200))
def test_columns_that_never_give_way_are_shown_whole(
    rows: list[tuple[Visible, ...]], width: int
) -> None:
    cells = widths(COLUMNS, rows, width)
    assert cells[1] == max(len("number"), *(len(row[1]) for row in rows))
    assert sum(cells) + 2 * GAP <= max(width, cells[1] + 8 + 16 + 2 * GAP)


def test_an_id_is_wrapped_and_a_title_is_cut() -> None:
    row = (visible("a-long-id-" * 4), visible("7"), visible("a long title " * 9))
    first, *others = [line.plain for line in lines(COLUMNS, [row], 60, header=False)]
    assert first.endswith("…")
    assert "7" in first
    shown = "".join(line.split("  ")[0].strip() for line in (first, *others))
    assert shown == "a-long-id-" * 4
