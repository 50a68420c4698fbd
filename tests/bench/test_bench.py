"""The benchmark measures what it says, on stores that are sound; no time is judged here."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from store.doctor import examine
from store.local import open_desk
from store.location import resolve
from tests.bench import building
from tests.bench.corpus import Corpus
from tests.bench.measuring import Figures, Operation, measure, percentile
from tests.bench.quality import quality
from tests.bench.reading import Reading
from tests.bench.writing import Writing


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "CACHE", tmp_path_factory.mktemp("cache"))
        return building.store_of(300)


def test_a_store_built_in_bulk_is_as_if_recorded(store: Path) -> None:
    assert examine(resolve(str(store))) == []


def test_the_same_seed_gives_the_same_memories() -> None:
    assert list(Corpus(20)) == list(Corpus(20))
    assert list(Corpus(20)) != list(Corpus(20, seed=8))


def test_every_reading_operation_runs(store: Path) -> None:
    with closing(open_desk(str(store), read_only=True)) as desk:
        reading = Reading(store, desk, seed=1)
        names = [each.name for each in reading.operations()]
        assert len(names) == len(set(names)) >= 6
        for operation in reading.operations():
            operation.ours(0)
            if operation.floor is not None:
                operation.floor(0)
        found = quality(reading)
    assert found.exact_sought > 0.9
    assert found.overlap > 0.9


def test_the_floor_of_writing_writes_the_same_rows(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "inbox.db"
    copy.write_bytes(store.read_bytes())
    copy.chmod(0o600)
    with closing(open_desk(str(copy))) as desk:
        record, *_ = Writing(copy, desk).operations()
        before = desk.count().total
        record.ours(0)
        record.between()
        assert record.floor is not None
        record.floor(0)
        assert desk.count().total == before + 2
        first, second = desk.list_records(page_size=2).records
        assert first.content == second.content


def test_rounds_to_warm_up_do_not_count() -> None:
    turns: list[int] = []
    between: list[int] = []
    figures = measure(
        Operation("a", turns.append, lambda _: None, "", "", 40, lambda: between.append(1)), 7
    )
    assert len(turns) == len(between) == 43
    assert figures.size == 7


def test_percentiles_and_ratios() -> None:
    assert percentile(range(1, 101), 95) == 95
    assert percentile([5.0], 99) == 5.0
    assert Figures("a", 1, 3.0, 4.0, 5.0, 1.5, 2.0, "", "").ratio == 2.0
    assert Figures("a", 1, 3.0, 4.0, 5.0, None, None, "", "").ratio is None
