"""What the lens says of a record's source."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from render.lens.provenance import Source, contradictions

# 01JDZ8M4G0 is a ULID's time: 2024-12-01 00:00:00 UTC.
TURN = "01JDZ8M4G0ABCDEFGHJKMNPQRS"
NOON = datetime(2024, 12, 1, 12, tzinfo=UTC)


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
