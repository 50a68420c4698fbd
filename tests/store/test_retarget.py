"""Links pointed elsewhere: worked out first, then written as it was worked out; and names that read alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.wikilink import find_links
from store import local
from store.alike import Names
from store.errors import Conflict, InvalidArgument, NotFound
from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from store.retarget import can_link, linkable, retarget, write


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LocalDesk]:
    desk = local.open_desk(str(tmp_path / "inbox.db"), reviewer="ann")
    yield desk
    desk.close()


def record(desk: LocalDesk, title: str, content: str) -> str:
    new = NewRecord(MemoryType.USER, MemoryScope.GLOBAL, title, content)
    return desk.write(new, Origin("cli")).id


def test_nothing_is_written_before_it_is_asked_for(desk: LocalDesk) -> None:
    id = record(desk, "one", "See [[gone|there]], `[[gone]]` and [[other]].")
    change = retarget(desk, id, {"gone": "two"})
    assert change.content == "See [[two|there]], `[[gone]]` and [[other]]."
    assert change.found == {"gone"}
    assert desk.get_record(id).content == change.record.content
    assert write(desk, change).content == change.content
    assert desk.get_record(id).content == change.content


def test_a_text_without_the_link_does_not_change(desk: LocalDesk) -> None:
    id = record(desk, "one", "See [[other]].")
    change = retarget(desk, id, {"gone": "two"})
    assert not change.changes
    before = len(desk.history())
    assert write(desk, change) == change.record
    assert len(desk.history()) == before


def test_what_changed_meanwhile_is_not_overwritten(desk: LocalDesk) -> None:
    id = record(desk, "one", "See [[gone]].")
    change = retarget(desk, id, {"gone": "two"})
    desk.edit(id, change.record.revision, content="Another text.")
    with pytest.raises(Conflict):
        write(desk, change)
    assert desk.get_record(id).content == "Another text."


def test_what_waits_under_an_id_is_changed_before_what_was_approved(desk: LocalDesk) -> None:
    id = record(desk, "one", "See [[gone]].")
    desk.update_record(id, "See [[gone]] soon.")
    write(desk, retarget(desk, id, {"gone": "two"}))
    assert desk.review(id, RecordStatus.PENDING).record.content == "See [[two]] soon."
    assert desk.review(id, RecordStatus.CANONICAL).record.content == "See [[gone]]."


def test_a_name_that_is_no_link_is_refused(desk: LocalDesk) -> None:
    id = record(desk, "one", "See [[gone]].")
    with pytest.raises(InvalidArgument, match="cannot be written as a link"):
        retarget(desk, id, {"gone": "a]]b"})
    with pytest.raises(NotFound):
        retarget(desk, "absent", {"gone": "two"})


@given(st.text(max_size=30))
def test_what_can_be_linked_leads_there(name: str) -> None:
    if can_link(name):
        (link,) = find_links(f"See [[{linkable(name)}]].")
        assert link.target == link.whole == name


NAMES = Names(
    [
        ("deploy-runbook", "deploy-runbook"),
        ("deploy-runbook", "How we deploy"),
        ("deploy-freeze", "deploy-freeze"),
        ("rota", "On-call rota"),
    ]
)


def test_the_likest_name_comes_first_and_each_record_once() -> None:
    assert NAMES.like("deploy-runbok")[0].id == "deploy-runbook"
    found = [each.id for each in NAMES.like("how we deploy", 9)]
    assert found[0] == "deploy-runbook"
    assert len(found) == len(set(found))
    assert NAMES.like("on call rota")[0].likeness == 100
    assert NAMES.like("on call rota", except_id="rota") == ()
    assert NAMES.like("zebra crossing") == ()


def test_a_part_of_a_name_finds_it() -> None:
    assert [each.id for each in NAMES.having("Deploy", 5)] == ["deploy-freeze", "deploy-runbook"]
    assert [each.id for each in NAMES.having("oncall", 5)] == []
    assert NAMES.having("") == ()
