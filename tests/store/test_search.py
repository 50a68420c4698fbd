"""Search finds what was written, whatever is typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, select

from store import fts5, tables
from store.engine import Database
from store.records import MemoryType, RecordFilter, RecordStatus
from store.search import (
    drop_record,
    index_is_sound,
    index_record,
    purge_index,
    search,
    text_condition,
)
from tests.store.entries import a_store, add

CASES = json.loads((Path(__file__).parents[1] / "cases" / "search.json").read_text())
Door = Callable[[Connection, str], set[str]]


def by_search(conn: Connection, text: str) -> set[str]:
    return {hit.record.id for hit in search(conn, text)}


def by_condition(conn: Connection, text: str) -> set[str]:
    return set(
        conn.scalars(select(tables.record.c.id).where(text_condition(conn.dialect.name, text)))
    )


def by_filter(conn: Connection, text: str) -> set[str]:
    return {hit.record.id for hit in search(conn, "", RecordFilter(text=text))}


DOORS: tuple[Door, ...] = (by_search, by_condition, by_filter)


@pytest.fixture(scope="module")
def cases(shared_places: Callable[[], str]) -> Iterator[Connection]:
    with a_store(shared_places()) as database:
        with database.writing() as conn:
            for id, content in CASES["records"].items():
                add(conn, id, content, aliases=(id,))
        with database.reading() as conn:
            yield conn


@pytest.fixture
def database(where: str) -> Iterator[Database]:
    with a_store(where) as database:
        yield database


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("case", CASES["queries"], ids=lambda case: case["q"])
def test_every_door_gives_the_expected_answer(cases: Connection, case: dict, door: Door) -> None:
    found = door(cases, case["q"])
    if isinstance(case["expect"], list):
        assert found == set(case["expect"])


@pytest.mark.parametrize("blank", ["", "   ", "*", "\n\t", "“”", "→"])
def test_a_query_without_words_gives_what_an_unfiltered_list_does(
    cases: Connection, blank: str
) -> None:
    for door in DOORS:
        assert door(cases, blank) == set(CASES["records"])


@settings(
    deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=st.text(max_size=60) | st.text(alphabet='"*^(){}:+-.\\ \0aNEAROT设步', max_size=30))
def test_no_text_is_an_error(cases: Connection, query: str) -> None:
    for door in DOORS:
        assert door(cases, query) <= set(CASES["records"])


def test_a_pasted_file_is_a_query_like_any_other(cases: Connection) -> None:
    assert by_condition(cases, " ".join(f"word{n}" for n in range(20_000))) == set()


def test_entries_with_all_words_come_alone(database: Database) -> None:
    with database.writing() as conn:
        add(conn, "both", "The parser and the linter")
        add(conn, "one", "The parser")
        assert by_search(conn, "parser linter") == {"both"}


def test_any_word_will_do_where_no_entry_has_all(database: Database) -> None:
    with database.writing() as conn:
        add(conn, "first", "The parser")
        add(conn, "second", "The linter, the linter again")
        assert by_search(conn, "parser linter absent") == {"first", "second"}


def test_a_sentence_needs_no_word_in_particular(database: Database) -> None:
    with database.writing() as conn:
        add(conn, "all", "how do we cut the release after a freeze", title="Long")
        add(conn, "most", "cut the release after a freeze")
        for n in range(10):
            add(conn, f"noise-{n}", "coffee machines want descaling")
        found = [hit.record.id for hit in search(conn, "how do we cut the release after a freeze")]
        assert found == ["all", "most"]


def test_a_sentence_without_spaces_is_looked_for_in_pieces(database: Database) -> None:
    with database.writing() as conn:
        add(conn, "release", "发布日期是三月")
        add(conn, "other", "冻结仓库")
        assert by_search(conn, "昨天的发布日期") == {"release"}
        assert by_condition(conn, "昨天的发布日期") == set()


def test_a_title_weighs_more_than_a_body(database: Database) -> None:
    with database.writing() as conn:
        add(conn, "in-body", "about deploys", title="Something")
        add(conn, "in-title", "about something", title="Deploys")
        hits = search(conn, "deploys")
        assert [hit.record.id for hit in hits] == ["in-title", "in-body"]
        assert hits[0].score > hits[1].score > 0


def test_filters_apply_before_the_limit(database: Database) -> None:
    with database.writing() as conn:
        for n in range(30):
            add(conn, f"noise-{n}", "deploy deploy deploy", type=MemoryType.USER)
        add(conn, "sought", "one deploy among many other words", type=MemoryType.FEEDBACK)
        add(conn, "draft", "a deploy", status=RecordStatus.PENDING)
        feedback = RecordFilter(types=(MemoryType.FEEDBACK,))
        pending = RecordFilter(status=RecordStatus.PENDING)
        assert [hit.record.id for hit in search(conn, "deploy", feedback)] == ["sought"]
        assert [hit.record.id for hit in search(conn, "deploy", pending)] == ["draft"]


def test_an_entry_is_found_by_its_present_text_only(database: Database) -> None:
    with database.writing() as conn:
        key = add(conn, "a", "the former words", title="Old")
        index_record(conn, key, "New", "in short", ("a", "alias-name"), "the latter words")
        assert by_search(conn, "former") == set()
        assert by_search(conn, "old") == set()
        for word in ("latter", "new", "short", "alias-name"):
            assert by_search(conn, word) == {"a"}
        assert index_is_sound(conn)


def test_a_dropped_entry_is_not_found(database: Database) -> None:
    with database.writing() as conn:
        key = add(conn, "a", "some words")
        drop_record(conn, key)
        assert by_condition(conn, "words") == set()
        assert index_is_sound(conn)


@pytest.mark.sqlite  # by a trigger
def test_deleting_a_row_takes_it_out_of_the_index_as_well(database: Database) -> None:
    with database.writing() as conn:
        key = add(conn, "a", "some words")
        conn.execute(delete(tables.record).where(tables.record.c.pk == key))
        assert index_is_sound(conn)
        assert conn.exec_driver_sql(fts5.MATCHING, ('"words"',)).all() == []


def test_a_transaction_that_fails_leaves_the_index_as_it_was(database: Database) -> None:
    with database.writing() as conn:
        key = add(conn, "a", "the former words")
    with suppress(ZeroDivisionError), database.writing() as conn:
        index_record(conn, key, "", "", (), "the latter words")
        assert by_search(conn, "latter") == {"a"}
        raise ZeroDivisionError
    with database.writing() as conn:
        assert by_search(conn, "former") == {"a"}
        assert by_search(conn, "latter") == set()
        assert index_is_sound(conn)


def test_purging_leaves_nothing_of_a_dropped_entry_in_the_file(
    database: Database, path: Path
) -> None:
    with database.writing() as conn:
        key = add(conn, "a", "the unmistakable xylophone")
        add(conn, "b", "other words")
        conn.execute(delete(tables.record).where(tables.record.c.pk == key))
        purge_index(conn)
    database.close()
    assert b"xylophon" not in b"".join(file.read_bytes() for file in path.parent.iterdir())


words = st.lists(
    st.sampled_from(["alpha", "beta", "Gamma_Delta", "gitHub", "发布日期", "日期", "c++", "x9"]),
    max_size=6,
)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    texts=st.lists(words, min_size=1, max_size=8),
    changes=st.lists(st.tuples(st.integers(0, 7), words)),
)
def test_the_index_stays_in_step_under_any_changes(
    database: Database, texts: list[list[str]], changes: list[tuple[int, list[str]]]
) -> None:
    with database.writing() as conn:
        keys = [add(conn, f"e{n}-{id(texts)}", " ".join(text)) for n, text in enumerate(texts)]
        for n, text in changes:
            key = keys[n % len(keys)]
            if text:
                index_record(conn, key, text[0], "", text, " ".join(text))
            else:
                drop_record(conn, key)
        assert index_is_sound(conn)
        for key in keys:
            drop_record(conn, key)
        conn.execute(delete(tables.record))
