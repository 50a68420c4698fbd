"""Ranking in steps gives what ranking by everything at once would."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection

from store import fts5, ranking, rescoring
from store.filters import within_of
from store.lexicon import Counter, Stemmer
from store.ranking import best_matching, best_of
from store.reader import Reader, reader_of
from store.records import RecordFilter, RecordStatus
from store.segment import Phrase, pieces, shadow, terms
from tests.bench.corpus import Corpus, sentence
from tests.store.entries import a_store, add


@pytest.fixture(scope="module")
def corpus(shared_places: Callable[[], str]) -> Iterator[tuple[Connection, list]]:
    """Some 300 memories, in several scripts, and the connection to a store of them."""
    memories = list(Corpus(300))
    with a_store(shared_places()) as database:
        with database.writing() as conn:
            for memory in memories:
                add(conn, memory.id, memory.content, title=memory.title)
        with database.reading() as conn:
            yield conn, memories


@pytest.fixture
def conn(where: str) -> Iterator[Connection]:
    with a_store(where) as database, database.writing() as conn:
        yield conn


def phrases_of(query: str) -> list[Phrase]:
    found = (piece for term in terms(query) for piece in pieces(term))
    return list(dict.fromkeys(phrase for piece in found for phrase in piece.phrases))


def exactly(conn: Connection, phrases: list[Phrase], limit: int) -> dict[int, float]:
    """Rank by FTS5's own bm25 of all phrases."""
    return fts5.ranked(reader_of(conn), fts5.any_phrase(phrases), limit, None)


def unbounded(read: Reader, expression: str, *_: object, limit: int, few: bool) -> dict[int, float]:
    return fts5.ranked(read, expression, limit, None)


def queries(memories: list, count: int) -> list[str]:
    rng = random.Random(2)
    chosen = rng.sample(memories, count)
    found = [sentence(each.id, each.title, each.content, rng).text for each in chosen]
    identifiers = [word for each in chosen for word in each.content.split() if "_" in word]
    return [
        *found,
        *(f"the {word} and {other}" for word, other in zip(identifiers, found, strict=False)),
    ]


def test_the_totals_are_those_of_the_index(corpus: tuple[Connection, list]) -> None:
    conn, memories = corpus
    words = conn.exec_driver_sql("SELECT title, body FROM search_text").all()
    totals = reader_of(conn).index.totals(reader_of(conn))
    assert totals.entries == len(memories)
    assert totals.words == sum(len(f"{title} {body}".split()) for title, body in words)


@pytest.mark.sqlite  # whose bm25 is compared
def test_scores_by_steps_are_those_of_the_engine(
    corpus: tuple[Connection, list], monkeypatch: pytest.MonkeyPatch
) -> None:
    conn, memories = corpus
    monkeypatch.setattr(ranking, "SCORED", 1)  # so that all but the rarest phrase is rescored
    monkeypatch.setattr(ranking, "RESCORED", 1000)
    monkeypatch.setattr(ranking, "_SAMPLE", 1000)  # so that frequencies are exact
    monkeypatch.setattr(rescoring, "_GAIN", 1000.0)
    monkeypatch.setattr(ranking, "best_matching", unbounded)
    compared = 0
    for query in queries(memories, 60):
        exact = exactly(conn, phrases_of(query), 1000)
        stepwise = best_of(reader_of(conn), phrases_of(query), limit=1000)
        for pk, score in stepwise.items():
            # Phrases that over half of the entries have are worth a millionth, and are left out.
            assert score == pytest.approx(exact[pk], abs=1e-4), query
        compared += len(stepwise)
    assert compared > 100


@pytest.mark.sqlite  # whose bm25 is compared
def test_the_first_by_steps_are_mostly_the_first_of_all(
    corpus: tuple[Connection, list], monkeypatch: pytest.MonkeyPatch
) -> None:
    conn, memories = corpus
    monkeypatch.setattr(ranking, "SCORED", 60)
    monkeypatch.setattr(ranking, "RESCORED", 40)
    shares = []
    for query in queries(memories, 40):
        exact = exactly(conn, phrases_of(query), 5)
        shares.append(
            len(exact.keys() & best_of(reader_of(conn), phrases_of(query), limit=5).keys())
            / len(exact)
        )
    assert sum(shares) / len(shares) > 0.9


def test_a_frequency_beyond_the_sample_is_estimated(
    corpus: tuple[Connection, list], monkeypatch: pytest.MonkeyPatch
) -> None:
    conn, memories = corpus
    monkeypatch.setattr(ranking, "_SAMPLE", 60)
    having = sum(" when " in f" {shadow(each.content)} " for each in memories)
    assert having > 60
    read = reader_of(conn)
    (weighed,) = ranking.weigh(read, phrases_of("when"), read.index.totals(read))
    assert weighed.frequency == pytest.approx(having, rel=0.3)


@pytest.mark.sqlite  # by its expressions
def test_of_very_many_matches_the_newest_are_looked_at(
    conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "SCORED", 5)
    keys = [add(conn, f"e{n}", "deploy") for n in range(9)]
    assert set(best_matching(reader_of(conn), '"deploy"', limit=20)) == set(keys[-5:])


@pytest.mark.sqlite  # by its expressions
def test_a_filter_narrows_what_the_newest_are_taken_from(
    conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "SCORED", 5)
    sought = add(conn, "sought", "deploy", status=RecordStatus.PENDING)
    for n in range(9):
        add(conn, f"e{n}", "deploy")
    pending = within_of(conn, RecordFilter(status=RecordStatus.PENDING))
    read = reader_of(conn)
    assert list(best_matching(read, '"deploy"', pending, limit=20)) == [sought]
    assert list(best_of(read, phrases_of("deploy"), pending, limit=20)) == [sought]


def test_words_that_no_entry_has_find_nothing(conn: Connection) -> None:
    add(conn, "a", "words")
    assert best_of(reader_of(conn), phrases_of("zebra"), limit=20) == {}
    assert best_of(reader_of(conn), [], limit=20) == {}


@pytest.mark.parametrize(
    ("query", "text", "count"),
    [
        ("refunds", "refunded the refund, refunding and refuge", 3),
        ("happy", "happiness is being happy, hippy", 2),
        ("sky", "the sky and skies", 1),
        ("vpn_config", "vpn_config, vpn config and config vpn", 2),
        ("设备清", "设备清单与设备", 1),
        ("单", "单位和清单", 2),
        ("c++", "C++ and c", 1),
        ("a", "a b a", 2),
    ],
)
def test_phrases_are_counted_by_their_stems(query: str, text: str, count: int) -> None:
    phrase = terms(query)[0].phrases[0]
    assert Counter([phrase]).count([shadow(text), ""]) == [[count, 0]]


def test_stems_are_forgotten_and_learnt_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.lexicon._KEPT", 3)
    stemmer = Stemmer()
    for n in range(5):
        assert stemmer.stems([f"words{n}", "refunded", "refunds"])["refunds"] == "refund"
