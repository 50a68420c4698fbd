"""Whatever is done to a store in whatever order, what is kept together stays in step."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import select

from render.wikilink import fold_name
from store import journal
from store.doctor import examine
from store.entries import audience_of
from store.errors import Conflict, InvalidArgument, NotFound
from store.links import Names, calls_in
from store.local import open_desk
from store.location import resolve
from store.names import names_of
from store.records import (
    MemoryScope,
    MemoryType,
    Provenance,
    Record,
    RecordFilter,
    RecordStatus,
)
from store.revisions import bound_by, revision_of
from store.rows import to_record
from store.tables import link, record
from tests.store.making import AGENT, new

PENDING, CANONICAL = RecordStatus.PENDING, RecordStatus.CANONICAL

# Few titles and links among them, so that they meet: alike when folded, or with a bar inside.
TITLES = st.sampled_from(["Alpha", "alpha", "Beta", "Beta | two", "beta_two", "Γάμμα"])
TEXTS = st.lists(
    st.sampled_from(["[[Alpha]]", "[[alpha-2]]", "[[Beta | two]]", "[[γάμμα]]", "[[x/beta.md]]"]),
    max_size=3,
).map(" and ".join)


class AnyOrder(RuleBasedStateMachine):
    """Agents, the operator and the trash, in any order, beside a plain model of what must hold."""

    ids = Bundle("ids")

    @initialize()
    def open_a_store(self) -> None:
        self.directory = Path(tempfile.mkdtemp())
        self.desk = open_desk(str(self.directory / "inbox.db"))
        self.texts: dict[tuple[str, RecordStatus], tuple[str, str]] = {}
        self.trashed = 0

    def teardown(self) -> None:
        if hasattr(self, "desk"):
            self.desk.close()
            assert examine(resolve(str(self.directory / "inbox.db"))) == []
            shutil.rmtree(self.directory)

    @rule(target=ids, title=TITLES, text=TEXTS, status=st.sampled_from(RecordStatus))
    def write(self, title: str, text: str, status: RecordStatus) -> str:
        id = self.desk.write(new(title, text), AGENT, status).id
        assert not {(id, each) for each in RecordStatus} & self.texts.keys()
        self.texts[id, status] = title, text
        return id

    @rule(id=ids, title=st.none() | TITLES, text=TEXTS)
    def update(self, id: str, title: str | None, text: str) -> None:
        def do() -> None:
            self.desk.update_record(id, text, title, AGENT)
            base = self.texts.get((id, CANONICAL)) or self.texts[id, PENDING]
            self.texts[id, PENDING] = (title or base[0], text)

        self._try(do, id in self._ids())

    @rule(id=ids, title=st.none() | TITLES, text=TEXTS)
    def edit(self, id: str, title: str | None, text: str) -> None:
        def do() -> None:
            seen = self.desk.review(id).record
            self.desk.edit(id, seen.revision, content=text, title=title)
            before = self.texts[id, seen.status]
            self.texts[id, seen.status] = (title or before[0], text)

        self._try(do, id in self._ids())

    @rule(id=ids, type=st.sampled_from(MemoryType), scope=st.sampled_from(MemoryScope))
    def reclassify(self, id: str, type: MemoryType, scope: MemoryScope) -> None:
        def do() -> None:
            seen = self.desk.review(id).record.revision
            with suppress(Conflict):  # a revision waits
                after = self.desk.reclassify(id, seen, type=type, scope=scope, project_root="/acme")
                assert (after.type, after.scope) == (type, scope)

        self._try(do, id in self._ids())

    @rule(id=ids)
    def approve(self, id: str) -> None:
        def do() -> None:
            self.desk.approve_record(id, self.desk.review(id, PENDING).record.revision)
            self.texts[id, CANONICAL] = self.texts.pop((id, PENDING))

        self._try(do, (id, PENDING) in self.texts)

    @rule(id=ids)
    def reject(self, id: str) -> None:
        def do() -> None:
            self.desk.reject_record(id)
            del self.texts[id, PENDING]

        self._try(do, (id, PENDING) in self.texts)

    @rule(id=ids)
    def delete(self, id: str) -> None:
        def do() -> None:
            self.desk.delete_record(id)
            self.trashed += (id, CANONICAL) in self.texts
            for status in RecordStatus:
                self.texts.pop((id, status), None)

        self._try(do, id in self._ids())

    @rule(id=ids)
    def unapprove(self, id: str) -> None:
        with suppress(NotFound, Conflict, InvalidArgument):
            self.desk.unapprove(id)
            approved = self.texts.pop((id, CANONICAL))
            waiting = self.desk.review(id, PENDING).record
            assert (waiting.title, waiting.content) == approved
            self._reread(id)

    @rule(target=ids, id=ids)
    def restore(self, id: str) -> str:
        deleted = [item.record for item in self.desk.trash() if item.record.id == id]
        if not deleted:
            return id
        back = self.desk.restore(id).id
        assert back not in self._ids()
        self.trashed -= 1
        self.texts[back, CANONICAL] = deleted[0].title, deleted[0].content
        return back

    @rule()
    def purge(self) -> None:
        assert self.desk.purge() == self.trashed
        self.trashed = 0

    def _try(self, do: Callable[[], None], possible: bool) -> None:
        try:
            do()
        except NotFound:
            assert not possible
        else:
            assert possible

    def _ids(self) -> set[str]:
        return {id for id, _ in self.texts}

    def _reread(self, id: str) -> None:
        for status in RecordStatus:
            with suppress(NotFound):
                found = self.desk.review(id, status).record
                self.texts[id, status] = found.title, found.content

    @invariant()
    def the_texts_are_those_last_decided_on(self) -> None:
        listed = {(each.id, each.status): (each.title, each.content) for each in self._all()}
        assert listed == self.texts

    @invariant()
    def links_mean_what_they_would_mean_if_all_were_written_now(self) -> None:
        with self.desk.database.reading() as conn:
            for row in conn.execute(select(record)).all():
                calls = [call for call, _, _ in calls_in(row.content)]
                names = Names.read(conn, calls)
                meant = [names.resolve(call) for call in calls]
                kept = conn.execute(
                    select(link.c.state, link.c.target_id)
                    .where(link.c.source_pk == row.pk)
                    .order_by(link.c.seq)
                ).all()
                assert [tuple(each) for each in kept] == [(each.state, each.id) for each in meant]
                ids = [each.id or call.target for each, call in zip(meant, calls, strict=True)]
                assert json.loads(row.links) == list(dict.fromkeys(ids))

    @invariant()
    def names_belong_to_whatever_is_no_revision(self) -> None:
        with self.desk.database.reading() as conn:
            for row in conn.execute(select(record)).all():
                names = names_of(conn, row.pk)
                assert (names == ()) == (row.base_revision is not None)
                assert row.base_revision is not None or {row.id, row.title} <= set(names)
                stored = conn.exec_driver_sql("SELECT name, folded FROM name")
                assert all(fold_name(name) == folded for name, folded in stored)

    @invariant()
    def a_revision_has_its_record_and_a_revision_of_both(self) -> None:
        with self.desk.database.reading() as conn:
            rows = conn.execute(select(record)).all()
        canonical = {row.id: row for row in rows if row.status == CANONICAL}
        for row in rows:
            base = canonical[row.id].revision if row.base_revision is not None else ""
            seen = (row.id, row.type, row.scope, row.title, row.summary, row.content, base)
            came = Provenance(row.source_session_id, row.source_turn_id, row.recorded_by)
            whose = audience_of(row._mapping)
            bound = bound_by(row.session_id, row.project_root, came, whose)
            assert row.revision == revision_of(*seen, bound)

    @invariant()
    def search_finds_every_entry_by_its_title_and_nothing_that_is_gone(self) -> None:
        for entry in self._all():
            found = self.desk.search(entry.title, RecordFilter(status=entry.status), limit=500)
            assert entry in [hit.record for hit in found]
        with self.desk.database.reading() as conn:
            indexed = conn.exec_driver_sql("SELECT count(*) FROM search_text").scalar_one()
        assert indexed == len(self.texts)

    @invariant()
    def the_counts_are_right_and_the_journal_is_whole(self) -> None:
        counts = self.desk.count()
        assert counts.total == len(self.texts)
        assert counts.pending == sum(status is PENDING for _, status in self.texts)
        assert counts.trashed == len(self.desk.trash()) == self.trashed
        with self.desk.database.reading() as conn:
            assert journal.follow(conn).broken is None
            assert conn.exec_driver_sql("PRAGMA foreign_key_check").all() == []

    def _all(self) -> list[Record]:
        with self.desk.database.reading() as conn:
            return [to_record(row) for row in conn.execute(select(record))]


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
