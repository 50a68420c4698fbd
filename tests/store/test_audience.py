"""Whose a record is stays with it through everything, and keeps it from doors that know no audiences."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import inspect

from store.agents.provider import AgentProvider
from store.errors import NotFound
from store.local import LocalDesk
from store.records import Audience, MemoryScope, Origin, RecallRequest, RecordStatus
from tests.store.making import canonical, draft, new, old_store, waiting

TALK = Audience("main", "chat:7", "s-1")
OWNER = Audience("main")
EVERYTHING = RecallRequest(100_000, session_id="s1", working_directory="/w", query="tea")


def written(desk: LocalDesk, title: str, audience: Audience, scope: MemoryScope) -> str:
    origin = Origin("apus:main", session_id="s1", project_root="/w", audience=audience)
    return desk.record(new(title, scope=scope), origin).id


@pytest.mark.parametrize("audience", [TALK, OWNER])
def test_an_audience_survives_revision_approval_deletion_and_restoring(
    desk: LocalDesk, audience: Audience
) -> None:
    id = written(desk, "Likes tea", audience, MemoryScope.GLOBAL)
    assert desk.get_record(id).audience == audience
    desk.approve_record(id, waiting(desk, id))
    desk.update_record(id, "Likes coffee", origin=Origin("elsewhere", audience=Audience("other")))
    assert desk.review(id, RecordStatus.PENDING).record.audience == audience
    desk.approve_record(id, waiting(desk, id))
    desk.delete_record(id)
    assert [item.record.audience for item in desk.trash()] == [audience]
    desk.restore(id)
    assert desk.get_record(id).audience == audience
    desk.edit(id, desk.get_record(id).revision, content="Likes mate")
    assert desk.get_record(id).audience == audience


def test_the_same_text_for_another_audience_is_another_revision(desk: LocalDesk) -> None:
    revisions = set()
    for audience in (None, OWNER, TALK, Audience("main", "chat:7", "s-2"), Audience("other")):
        id = desk.record(new("Tea"), Origin("apus:main", audience=audience)).id
        revisions.add(desk.review(id).record.revision)
        desk.reject_record(id)
    assert len(revisions) == 5


@pytest.mark.parametrize("scope", list(MemoryScope))
@pytest.mark.parametrize("audience", [TALK, OWNER])
def test_recall_elsewhere_never_gives_what_is_an_agents_own(
    desk: LocalDesk, scope: MemoryScope, audience: Audience
) -> None:
    own = written(desk, "tea of the agent", audience, scope)
    desk.approve_record(own, waiting(desk, own))
    common = canonical(desk, "tea of everybody")
    linking = canonical(desk, "more tea", f"see [[{own}]]")
    assert {record.id for record in desk.recall(EVERYTHING)} == {common, linking}


def test_what_an_older_version_left_is_nobodys(path: Path) -> None:
    old_store(path, "0005")
    with LocalDesk(str(path)).database.reading() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM record").scalar() == 0
    desk = LocalDesk(str(path))
    assert desk.get_record(draft(desk, "Plain")).audience is None
    desk.close()


def test_a_rejected_draft_leaves_no_audience_behind(desk: LocalDesk) -> None:
    id = written(desk, "Likes tea", TALK, MemoryScope.GLOBAL)
    desk.reject_record(id, waiting(desk, id))
    with pytest.raises(NotFound):
        desk.get_record(id)
    with desk.database.reading() as conn:
        for name in inspect(conn).get_table_names():
            if name.startswith("search_index"):
                continue
            rows = conn.exec_driver_sql(f"SELECT * FROM {name}").fetchall()
            assert not any("chat:7" in str(cell) for row in rows for cell in row)


def test_tools_of_other_doors_neither_find_nor_name_what_is_an_agents_own(
    desk: LocalDesk, path: Path
) -> None:
    own = written(desk, "Likes tea", OWNER, MemoryScope.GLOBAL)
    desk.approve_record(own, waiting(desk, own))
    provider = AgentProvider(str(path))
    assert provider.find(own) is None
    kind = (new("").type, MemoryScope.GLOBAL)
    assert provider.near("Likes tea", *kind, "") == ()
    common = canonical(desk, "Likes tea")
    assert provider.find(common) is not None
    assert [each.id for each in provider.near("Likes tea", *kind, "")] == [common]
    provider.close()
