"""The plan is worked out from marks and reviews alone, and says what the store then does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from store.records import (
    Impact,
    MemoryScope,
    MemoryType,
    Record,
    RecordStatus,
    Review,
)
from tui.marks import Mark, Marked
from tui.plan import Deed, count_lines, make_plan

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def record(id: str, content: str = "text", **changes: object) -> Record:
    made = Record(
        id,
        MemoryType.PROJECT,
        MemoryScope.PROJECT,
        id.title(),
        content,
        1,
        RecordStatus.PENDING,
        (),
        NOW,
        NOW,
        revision="r1",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


NOTHING = Impact()


def review(
    made: Record, base: Record | None = None, approve: Impact = NOTHING, reject: Impact = NOTHING
) -> Review:
    return Review(made, base, (), (), (), approve, reject)


def test_each_mark_is_a_line_and_skips_are_none() -> None:
    marks = [
        Marked("kept", Mark.APPROVE, "r1"),
        Marked("dropped", Mark.REJECT, "r1"),
        Marked("later", Mark.SKIP, "r1"),
        Marked("flagged", Mark.HELD, "r1"),
    ]
    plan = make_plan(marks, {m.id: review(record(m.id)) for m in marks})
    assert [(line.id, line.deed) for line in plan.lines] == [
        ("kept", Deed.APPROVE),
        ("dropped", Deed.REJECT),
        ("flagged", Deed.LEFT_OUT),
    ]
    assert [line.id for line in plan.to_do] == ["kept", "dropped"]


def test_a_revision_is_replaced_or_discarded() -> None:
    base = record("list", "one\ntwo\n", status=RecordStatus.CANONICAL)
    new = record("list", "one\nthree\nfour\n", is_revision=True)
    (line,) = make_plan(
        [Marked("list", Mark.APPROVE, "r1", True)], {"list": review(new, base)}
    ).lines
    assert (line.deed, line.note) == (Deed.REPLACE, "-1 +2 lines")
    (line,) = make_plan(
        [Marked("list", Mark.REJECT, "r1", True)], {"list": review(new, base)}
    ).lines
    assert (line.deed, line.note) == (Deed.DISCARD, "new text destroyed, record stays as it was")


@pytest.mark.parametrize(
    ("found", "note"),
    [
        (None, "is no longer there"),
        (record("one", revision="r2"), "has changed since you marked it"),
    ],
)
def test_what_is_not_what_was_seen_is_left_out(found: Record | None, note: str) -> None:
    reviews = {"one": review(found)} if found else {}
    (line,) = make_plan([Marked("one", Mark.APPROVE, "r1")], reviews).lines
    assert (line.deed, line.note) == (Deed.LEFT_OUT, note)


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        (MemoryScope.GLOBAL, "everywhere"),
        (MemoryScope.PROJECT, "in its project"),
        (MemoryScope.SESSION, "in its session"),
    ],
)
def test_an_approval_says_where_it_will_be_recalled(scope: MemoryScope, words: str) -> None:
    reviews = {"one": review(record("one", scope=scope))}
    (line,) = make_plan([Marked("one", Mark.APPROVE, "r1")], reviews).lines
    assert line.note == f"recalled {words} from now on"


def test_links_of_drafts_that_go_themselves_do_not_count() -> None:
    marks = [
        Marked("target", Mark.APPROVE, "r1"),
        Marked("leaving", Mark.REJECT, "r1"),
        Marked("needed", Mark.REJECT, "r1"),
    ]
    reviews = {
        "target": review(record("target"), approve=Impact(resolves=("leaving", "staying"))),
        "leaving": review(record("leaving")),
        "needed": review(record("needed"), reject=Impact(breaks=("staying",))),
    }
    plan = make_plan(marks, reviews)
    assert (plan.resolved, plan.broken, plan.ambiguous) == (1, 1, 0)
    assert plan.lines[0].links == "resolves 2 links"


def test_a_changed_title_counts_as_a_line() -> None:
    old = record("one", "same")
    assert count_lines(old, replace(old, title="Other")) == (1, 1)
