"""Recall as it would be if some drafts were approved: the same as recall after they are."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store import local
from store.clock import to_micros
from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, Recalled, RecallRequest

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HERE = Origin("memory.remember", session_id="01JB6Z", project_root="/home/ann/acme")
AGENT = Origin("memory.remember", session_id="01JB6Z")


def opened(path: Path) -> LocalDesk:
    desk = local.open_desk(str(path), reviewer="ann")
    desk.clock = lambda: to_micros(NOW)
    return desk


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("preview") / "inbox.db"
    desk = opened(path)
    kinds = list(MemoryType)
    for number in range(24):
        desk.clock = lambda ago=number: to_micros(NOW - timedelta(days=ago))
        scope = (MemoryScope.GLOBAL, MemoryScope.PROJECT, MemoryScope.SESSION)[number % 3]
        text = f"About deploy {number}. See [[note-{(number + 5) % 24}]]. " + "word " * number
        desk.record(NewRecord(kinds[number % 4], scope, f"Note {number}", text), HERE)
        if number % 2:
            desk.approve_record(f"note-{number}")
        if number % 6 == 1:
            desk.update_record(f"note-{number}", f"Newer: deploy {number}.", origin=HERE)
    desk.close()
    return path


def told(recalled: Recalled) -> dict[tuple[str, str], float]:
    """Return ids and texts with their scores."""
    found = (*recalled.given, *recalled.dropped)
    return {(each.record.id, each.record.content): each.score for each in found}


@pytest.mark.parametrize("approved", [(), ("note-0",), ("note-1",), ("note-0", "note-2", "note-7")])
@pytest.mark.parametrize("budget", [60, 400])
def test_the_preview_is_what_recall_gives_after_the_approval(
    filled: Path, tmp_path: Path, approved: Sequence[str], budget: int
) -> None:
    desk = opened(Path(shutil.copy(filled, tmp_path / "inbox.db")))
    request = RecallRequest(
        budget,
        session_id="01JB6Z",
        working_directory="/home/ann/acme/src",
        files_touched=("deploy.py",),
    )
    before = desk.preview_recall(request)
    foreseen = desk.preview_decided(request, approved)
    assert desk.preview_recall(request) == before
    for id in approved:
        desk.approve_record(id)
    # A text that a revision replaces still counts when it is told how rare a word is: by a hair.
    after = desk.preview_recall(request)
    assert told(foreseen) == pytest.approx(told(after), abs=0.02)
    assert {each.record.id for each in foreseen.given} == {each.record.id for each in after.given}
    desk.close()


def test_a_draft_that_another_project_or_session_is_bound_to_stays_out(filled: Path) -> None:
    desk = opened(filled)
    elsewhere = RecallRequest(4000, working_directory="/home/ann/other")
    ids = {
        s.record.id for s in desk.preview_decided(elsewhere, ["note-0", "note-4", "note-2"]).given
    }
    desk.close()
    assert "note-0" in ids  # global
    assert not {"note-4", "note-2"} & ids


def test_ids_without_a_draft_do_nothing(filled: Path) -> None:
    desk = opened(filled)
    request = RecallRequest(4000, working_directory="/home/ann/acme")
    assert desk.preview_decided(request, ["absent", "note-3"]) == desk.preview_recall(request)
    desk.close()
