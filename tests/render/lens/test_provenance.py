"""What the lens says of a record's source."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from render.lens.provenance import Source, contradictions, echoes

# 01JDZ8M4G0 is a ULID's time: 2024-12-01 00:00:00 UTC.
TURN = "01JDZ8M4G0ABCDEFGHJKMNPQRS"
NOON = datetime(2024, 12, 1, 12, tzinfo=UTC)
SERVED = (
    "The deploy pipeline has moved to the new cluster and the old one is switched off since May."
)


@pytest.mark.parametrize(
    ("source", "reasons"),
    [
        (Source("project", "01S", TURN, NOON, NOON), []),
        (Source("project"), []),
        (Source("project", "", TURN, NOON), ["names a turn and no session"]),
        (Source("project", "01S", "seven"), ["names a turn that is no turn's id"]),
        (Source("project", "01S", "7" + "Z" * 25), ["names a turn that is no turn's id"]),
        (
            Source("project", "01S", TURN, NOON + timedelta(days=3)),
            ["was recorded on another day than the turn it names", "was recorded in the future"],
        ),
        (Source("session"), ["belongs to a session and names none"]),
        (
            Source("global", updated_at=NOON - timedelta(1), created_at=NOON),
            ["was updated before it was recorded"],
        ),
    ],
)
def test_what_contradicts_itself(source: Source, reasons: list[str]) -> None:
    assert [finding.reason for finding in contradictions(source, NOON)] == reasons


def test_a_draft_that_repeats_what_was_served_is_an_echo() -> None:
    (finding,) = echoes(SERVED.upper() + " Indeed.", ["something else entirely", SERVED])
    assert finding.rule == "recall-echo"


@pytest.mark.parametrize(
    "content",
    [
        "The deploy pipeline has moved.",
        "Rollbacks need two people: one who types and one who reads along, aloud, from the runbook.",
        "The deploy pipeline has moved, so update the bookmarks, tell support, archive the wiki.",
    ],
)
def test_short_or_new_text_is_none(content: str) -> None:
    assert list(echoes(content, [SERVED])) == []
