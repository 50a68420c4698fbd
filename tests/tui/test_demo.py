"""The demo store: what it promises to show is there, and it is the same at any hour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store.local import LocalDesk
from store.records import LinkClass, MemoryScope, MemoryType, RecordFilter, RecordStatus
from tui.cards import is_flagged
from tui.demo import canonical, drafts
from tui.demo.opening import demo_directory, open_demo

NOW = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[LocalDesk]:
    desk = open_demo(tmp_path, NOW, standing=True)
    yield desk
    desk.close()


def test_it_holds_what_the_files_say(demo: LocalDesk) -> None:
    counts = demo.count()
    assert (counts.pending, counts.canonical, counts.revisions, counts.trashed) == (25, 15, 1, 1)
    assert len(drafts(NOW)) == 25
    assert len(canonical(NOW)) == 16


def test_every_type_and_scope_waits(demo: LocalDesk) -> None:
    waiting = demo.browse(RecordFilter(status=RecordStatus.PENDING)).records
    assert {record.type for record in waiting} == set(MemoryType)
    assert {record.scope for record in waiting} == set(MemoryScope)


def test_every_class_of_link_occurs(demo: LocalDesk) -> None:
    found = Counter(entry.link_class for entry in demo.links())
    assert set(found) == set(LinkClass)


def test_approving_would_resolve_links_and_a_title_is_much_like_another(demo: LocalDesk) -> None:
    assert demo.review("refund-windows").on_approve.resolves
    assert demo.review("deploy-pipeline-migration-complete").near


def test_one_draft_alone_is_flagged(demo: LocalDesk) -> None:
    records = demo.browse(RecordFilter(), page_size=100).records
    flagged = [record.id for record in records if is_flagged(record)]
    assert flagged == ["faster-setup-for-everyone"]


def test_ages_count_from_the_moment_it_is_told(demo: LocalDesk, tmp_path: Path) -> None:
    (tmp_path / "later").mkdir()
    later = open_demo(tmp_path / "later", NOW + timedelta(days=400), standing=True)
    first, second = (
        [(r.id, moment - r.created_at) for r in desk.browse(RecordFilter(), 100).records]
        for desk, moment in ((demo, NOW), (later, NOW + timedelta(days=400)))
    )
    later.close()
    assert first == second


def test_its_directory_is_private_and_goes_with_it() -> None:
    with demo_directory() as directory:
        open_demo(directory, NOW).close()
        assert directory.stat().st_mode & 0o077 == 0
    assert not directory.exists()
