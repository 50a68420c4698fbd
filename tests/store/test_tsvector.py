"""PostgreSQL's index finds what SQLite's finds, and ranks it alike."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from store import ranking, tsvector
from store.reader import reader_of
from store.records import RecordFilter, RecordStatus
from store.search import search
from store.segment import terms
from tests.bench.corpus import Corpus, sentence
from tests.postgresql import Server
from tests.store.entries import a_store, add

ENTRIES = 250


@pytest.fixture(scope="module")
def both(
    server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Connection, Connection, list]]:
    """A transaction that reads SQLite, one that reads PostgreSQL, and the memories that both hold."""
    memories = list(Corpus(ENTRIES))
    with ExitStack() as stack:
        url = stack.enter_context(server.database())
        conns = []
        for where in (str(tmp_path_factory.mktemp("both") / "inbox.db"), url):
            database = stack.enter_context(a_store(where))
            with database.writing() as conn:
                for number, memory in enumerate(memories):
                    status = RecordStatus.PENDING if number % 5 == 0 else RecordStatus.CANONICAL
                    add(conn, memory.id, memory.content, title=memory.title, status=status)
            conns.append(stack.enter_context(database.reading()))
        yield conns[0], conns[1], memories


@pytest.fixture
def conn(server: Server) -> Iterator[Connection]:
    with server.database() as url, a_store(url) as database, database.writing() as conn:
        yield conn


def found(
    conn: Connection, text: str, query: RecordFilter = RecordFilter(), limit: int = 20
) -> dict[str, float]:
    return {hit.record.id: hit.score for hit in search(conn, text, query, limit)}


def test_sentences_find_the_same_in_the_same_order_with_the_same_scores(
    both: tuple[Connection, Connection, list],
) -> None:
    sqlite, postgresql, memories = both
    rng = random.Random(5)
    for memory in rng.sample(memories, 40):
        query = sentence(memory.id, memory.title, memory.content, rng).text
        first, second = found(sqlite, query), found(postgresql, query)
        # Phrases that over half of the entries have are worth a millionth, and may turn equals around.
        assert second == pytest.approx(first, abs=1e-3), query


words = st.sampled_from(
    [
        "the",
        "deploy",
        "refund",
        "camelCaseName",
        "vpn_config",
        "src/net",
        "设备",
        "清单",
        "单",
        "c++",
        "C#",
        "release-notes",
        "when",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(number=st.integers(0, ENTRIES - 1), data=st.data())
def test_words_out_of_texts_find_the_same(
    both: tuple[Connection, Connection, list], number: int, data: st.DataObject
) -> None:
    sqlite, postgresql, memories = both
    own = st.sampled_from(f"{memories[number].title} {memories[number].content}".split())
    text = " ".join(data.draw(st.lists(own | words, min_size=1, max_size=4)))
    for status in (None, RecordStatus.PENDING):
        for asked, query in (
            (text, RecordFilter(status=status)),
            ("", RecordFilter(status=status, text=text)),
        ):
            first = found(sqlite, asked, query, ENTRIES)
            assert found(postgresql, asked, query, ENTRIES).keys() == first.keys()


def test_of_very_many_matches_the_newest_are_looked_at(
    conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "SCORED", 5)
    keys = [add(conn, f"e{number}", "deploy") for number in range(40)]
    best = ranking.best_matching(reader_of(conn), tsvector.all_of(terms("deploy")), limit=20)
    assert list(best) == sorted(best, reverse=True)
    assert {*keys[-5:]} <= best.keys() <= {*keys[-7:]}


def test_frequencies_of_common_words_are_estimated_and_of_rare_ones_counted(
    conn: Connection,
) -> None:
    for number in range(100):
        add(conn, f"e{number}", "common rare" if number == 7 else "common")
    read = reader_of(conn)
    phrases = [term.phrases[0] for term in terms("common rare absent")]
    counts = tsvector.frequencies(read, phrases, read.index.totals(read), 4)
    assert counts == [pytest.approx(100, rel=0.1), 1.0, 0.0]


def test_a_word_in_the_title_counts_more(conn: Connection) -> None:
    add(conn, "body", "parser and other words")
    add(conn, "title", "quite other words", title="Parser")
    assert list(found(conn, "parser")) == ["title", "body"]
