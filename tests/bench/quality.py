"""How good search is next to exact ranking: speed that finds something else is no speed."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from tests.bench.reading import Reading

_QUERIES = 100


@dataclass(frozen=True, slots=True)
class Quality:
    """Shares in [0, 1] over some queries.

    Args:
        sought: how often the memory that a sentence is about is among the first 20.
        exact_sought: the same for exact ranking of all words.
        overlap: how much of the exact first 20 is in ours, on average.
    """

    sought: float
    exact_sought: float
    overlap: float


def quality(reading: Reading) -> Quality:
    """Compare search with exact bm25 over all words of each sentence."""
    sought, exact_sought, overlap = [], [], []
    for query, row in zip(reading.queries[:_QUERIES], reading.records, strict=False):
        exact = reading.exact(query.text)
        ours = {hit.record.id for hit in reading.desk.search(query.text)}
        ids = {
            reading.raw.execute("SELECT id FROM record WHERE pk = ?", (pk,)).fetchone()[0]
            for pk in exact
        }
        sought.append(query.sought in ours)
        exact_sought.append(row[0] in exact)
        overlap.append(len(ours & ids) / len(ids) if ids else 1.0)
    return Quality(*(statistics.fmean(each) for each in (sought, exact_sought, overlap)))
