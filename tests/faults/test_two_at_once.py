"""Two inboxes at once over one store, by one operator: a draft is decided once, and the other is told."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from store.doctor import examine
from store.local import open_desk
from store.location import resolve
from store.records import Decision
from tests.faults.doors import COMMAND, Place
from tests.store.making import draft


def started(place: Place) -> subprocess.Popen[str]:
    """Start a sitting line by line and mark its first draft to be approved."""
    process = subprocess.Popen(
        [*COMMAND, "--linear"],
        env=place.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write("approve\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("Draft 2 of 3"):
            return process
    pytest.fail("the sitting ended before it came to the second draft")


@pytest.mark.parametrize("homes", [("one", "other"), ("one", "one")], ids=["apart", "shared"])
def test_a_draft_is_approved_once_and_the_other_inbox_is_told(
    tmp_path: Path, homes: tuple[str, str]
) -> None:
    """With marks of their own, and with marks that both keep in the same place."""
    store = tmp_path / "private" / "inbox.db"
    with closing(open_desk(str(store))) as desk:
        for n in range(3):
            draft(desk, f"Note {n}")
    for home in set(homes):
        (tmp_path / home).mkdir()
    sittings = [started(Place(store, tmp_path / home)) for home in homes]
    first, second = (each.communicate("plan\nA\nyes\nleave\n")[0] for each in sittings)
    assert "What happened: 1 approved, none failed." in first
    assert "Mark dropped: note-2 was approved elsewhere (approve)." in second
    assert "Traceback" not in first + second
    with closing(open_desk(str(store))) as desk:
        lines = [line.id for line in desk.history() if line.decision is Decision.APPROVE]
        assert sorted(lines) == sorted(set(lines))
        assert "note-2" in lines
    assert examine(resolve(str(store))) == []
