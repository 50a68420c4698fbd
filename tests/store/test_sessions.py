"""Where a write belongs: to the session that says so, else to the only one alive."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from store.host import LocalProvider
from store.local import LocalDesk
from store.records import MemoryScope, Origin, RecallRequest
from store.sessions import Sessions, project_of
from tests.store.making import new

SESSION, PROJECT, GLOBAL = MemoryScope


def test_what_the_origin_says_holds() -> None:
    sessions = Sessions()
    sessions.note("alive", "/srv/other")
    said = Origin(session_id="mine", project_root="/srv/app")
    assert sessions.bind(said, SESSION, "/configured") == said


def test_the_one_live_session_binds_a_write_that_does_not_say(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    sessions = Sessions()
    sessions.note("alive", str(tmp_path / "src"))
    bound = sessions.bind(Origin(recorded_by="x"), PROJECT, "/configured")
    assert (bound.session_id, bound.project_root) == ("alive", str(tmp_path))


def test_of_two_live_sessions_neither_is_guessed(caplog: pytest.LogCaptureFixture) -> None:
    sessions = Sessions()
    sessions.note("one", "/a")
    sessions.note("two", "/b")
    bound = sessions.bind(Origin(), PROJECT, "/configured")
    assert (bound.session_id, bound.project_root) == ("", "/configured")
    sessions.end("one")
    assert sessions.bind(Origin(), SESSION, "").session_id == "two"
    assert not caplog.records


@pytest.mark.parametrize("scope", [SESSION, PROJECT])
def test_a_scope_that_stays_unbound_is_logged(
    scope: MemoryScope, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        bound = Sessions().bind(Origin(), scope, "")
    assert (bound.session_id, bound.project_root) == ("", "")
    assert scope.value in caplog.text


def test_a_session_stands_in_a_line_of_those_that_started_it() -> None:
    sessions = Sessions()
    sessions.note("root")
    sessions.note("child", parent="root")
    sessions.note("grandchild", "/srv", parent="child")
    assert sessions.lineage("grandchild") == ("grandchild", "child", "root")
    sessions.note("root", parent="grandchild")  # a host gone wrong must not make this endless
    assert sessions.lineage("root") == ("root", "grandchild", "child")
    assert sessions.lineage("unknown") == ("unknown",)


def test_a_host_that_never_ends_a_session_does_not_fill_the_memory() -> None:
    sessions = Sessions()
    for number in range(5000):
        sessions.note(f"s{number}")
    assert len(sessions._live) == 4096


def test_a_project_is_the_nearest_directory_with_a_repository(tmp_path: Path) -> None:
    (tmp_path / "outer" / ".git").mkdir(parents=True)
    (tmp_path / "outer" / "inner" / ".jj").mkdir(parents=True)
    (tmp_path / "outer" / "inner" / "src").mkdir()
    assert project_of(str(tmp_path / "outer" / "inner" / "src")) == str(tmp_path / "outer/inner")
    assert project_of(str(tmp_path / "outer" / "gone")) == str(tmp_path / "outer")
    assert project_of("/nowhere/at/all") == "/nowhere/at/all"
    assert project_of("") == ""


def test_recall_makes_a_session_known_and_binds_what_it_records(desk: LocalDesk) -> None:
    desk.recall(RecallRequest(100, session_id="s7", working_directory="/srv/app"))
    desk.record(new("Mine", scope=SESSION))
    record = desk.get_record("mine")
    assert (record.session_id, record.project_root) == ("s7", "/srv/app")
    assert record.provenance.source_session_id == "s7"


def test_session_memories_are_recalled_in_their_session_and_its_descendants(
    where: str,
) -> None:
    provider = LocalProvider(where)
    provider.record(new("Mine", scope=SESSION), Origin(session_id="root"))
    provider.sessions.note("child", parent="root")

    def recalled(session: str) -> list[str]:
        request = RecallRequest(100, session_id=session, include_pending=True)
        return [record.id for record in provider.recall(request)]

    assert recalled("root") == recalled("child") == ["mine"]
    assert recalled("stranger") == []
    provider.close()
