"""What is much like a title is found, and little else."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from rapidfuzz import fuzz
from sqlalchemy import Connection, delete, select

from store import tables
from store.near import CUT_OFF, find_near
from store.records import MemoryScope, MemoryType, RecordStatus
from store.search import drop_record, index_record
from tests.bench.corpus import Corpus, misspelt
from tests.store.entries import a_store, add

USER, GLOBAL = MemoryType.USER, MemoryScope.GLOBAL


@pytest.fixture
def conn(where: str) -> Iterator[Connection]:
    with a_store(where) as database, database.writing() as conn:
        yield conn


def near(conn: Connection, title: str, **more: str) -> list[str]:
    return [match.id for match in find_near(conn, title, USER, GLOBAL, **more)]


@pytest.mark.parametrize(
    "asked",
    [
        "Deploy on Fridays",
        "deploy on friday",
        "Depoly on Fridays!",
        "on Fridays: deploy",
        "deploy_on_fridays.",
        "ＤＥＰＬＯＹ on fridays",
    ],
)
def test_titles_alike_are_near(conn: Connection, asked: str) -> None:
    add(conn, "some-id", title="Deploy on Fridays", type=USER)
    assert near(conn, asked) == ["some-id"]


@pytest.mark.parametrize(
    "asked", ["Deploy on Mondays and never else", "Fridays", "", "…", "デプロイ"]
)
def test_others_are_not(conn: Connection, asked: str) -> None:
    add(conn, "some-id", title="Deploy on Fridays", type=USER)
    assert near(conn, asked) == []


def test_ids_are_compared_as_well(conn: Connection) -> None:
    add(conn, "user-role", title="Who they are", type=USER)
    assert near(conn, "User roles") == ["user-role"]
    assert near(conn, "Something else", id="user-rolle") == ["user-role"]


def test_scripts_without_spaces_are_compared(conn: Connection) -> None:
    add(conn, "devices", title="机房设备清单第二版", type=USER)
    assert near(conn, "机房设备清单第三版") == ["devices"]


def test_only_the_same_type_and_scope_are_looked_at(conn: Connection) -> None:
    add(conn, "a", title="Deploy on Fridays", type=MemoryType.FEEDBACK)
    add(conn, "b", title="Deploy on Fridays", type=USER, scope=MemoryScope.PROJECT)
    assert near(conn, "Deploy on Fridays") == []


def test_the_nearest_come_first_and_the_very_same_at_100(conn: Connection) -> None:
    add(conn, "a-close", title="Deploy on Fridays only", type=USER)
    add(conn, "b-same", title="Deploy on Fridays", type=USER)
    found = find_near(conn, "deploy on fridays", USER, GLOBAL)
    assert [match.id for match in found] == ["b-same", "a-close"]
    assert found[0].likeness == 100 > found[1].likeness >= CUT_OFF


def test_the_record_under_review_is_left_out(conn: Connection) -> None:
    add(conn, "a", title="Deploy on Fridays", type=USER)
    add(conn, "a", title="Deploy on Fridays!", type=USER, status=RecordStatus.PENDING)
    assert near(conn, "Deploy on Fridays", except_id="a") == []
    (match,) = find_near(conn, "Deploy on Fridays", USER, GLOBAL)
    assert match.status is RecordStatus.CANONICAL


def test_a_limit_keeps_the_nearest(conn: Connection) -> None:
    for n in range(9):
        add(conn, f"r{n}", title=f"Deploy on Fridays {n}", type=USER)
    assert near(conn, "Deploy on Fridays 4", limit=1) == ["r4"]


def test_a_new_title_replaces_the_old(conn: Connection) -> None:
    key = add(conn, "a", title="Deploy on Fridays", type=USER)
    index_record(conn, key, "Freeze before release", "", ("a",), "")
    assert near(conn, "Deploy on Fridays") == []
    assert near(conn, "Freeze before releases") == ["a"]


def test_what_is_gone_is_not_near(conn: Connection) -> None:
    dropped = add(conn, "a", title="Deploy on Fridays", type=USER)
    deleted = add(conn, "b", title="Deploy on Fridays", type=USER)
    drop_record(conn, dropped)
    conn.execute(delete(tables.record).where(tables.record.c.pk == deleted))
    assert near(conn, "Deploy on Fridays") == []
    assert conn.execute(select(tables.near_key)).all() == []


def test_nothing_is_missed_that_comparing_all_would_find(conn: Connection) -> None:
    corpus, rng = Corpus(600), random.Random(1)
    titles = {memory.id: memory.title for memory in corpus}
    for id, title in titles.items():
        add(conn, f"x{id[-3:]}{len(id)}-{id}"[:60], title=title, type=USER)
    perturbed = 0
    for title in rng.sample(sorted(titles.values()), 60):
        asked = misspelt(title, rng).lower()
        expected = {
            each
            for each in titles.values()
            if max(fuzz.ratio(asked, each.lower()), fuzz.token_sort_ratio(asked, each.lower()))
            >= CUT_OFF
        }
        found = {match.title for match in find_near(conn, asked, USER, GLOBAL, limit=100)}
        assert expected <= found
        perturbed += title in found and asked != title.lower()
    assert perturbed > 30
