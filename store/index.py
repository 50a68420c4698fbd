"""What every engine's full-text index can tell; `store.fts5` is SQLite's, `store.tsvector` PostgreSQL's.

An index is a module with the functions of `Index`. A `Reader` carries the one of its engine, so that ranking
and recall are written once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from store.segment import Phrase, Term

if TYPE_CHECKING:
    from store.reader import Reader

TITLE_WEIGHT = 4.0  # a word of a title or name counts as much as four of a body
BODY_WEIGHT = 1.0


class Within(NamedTuple):
    """What else an entry must be: a condition on `record` in SQL, empty for anything, and its values."""

    condition: str = ""
    values: tuple[object, ...] = ()


ANYTHING = Within()


class Totals(NamedTuple):
    """How much is indexed: entries, and words of all columns together."""

    entries: int
    words: int


class Weighed(NamedTuple):
    """A phrase with how many entries have it, roughly, and what having it is worth."""

    phrase: Phrase
    frequency: float
    idf: float


class Index(Protocol):
    """The full-text index of an engine. An *expression* is what its own functions make and take."""

    def all_of(self, terms: Iterable[Term]) -> Any:
        """Return the expression that every term occurs."""
        ...

    def any_of(self, weighed: Iterable[Weighed]) -> Any:
        """Return the expression that at least one phrase occurs."""
        ...

    def totals(self, read: Reader) -> Totals:
        """Return how much is indexed, without counting."""
        ...

    def frequencies(
        self, read: Reader, phrases: Sequence[Phrase], totals: Totals, sample: int
    ) -> list[float]:
        """Return how many entries have each phrase: counted up to ``sample``, estimated beyond."""
        ...

    def best(
        self, read: Reader, expression: Any, within: Within, limit: int, most: int | None
    ) -> dict[int, float]:
        """Return key and score (bm25, more is better) of the best that match, best first.

        Args:
            most: of very many that match, only about so many of the newest need be looked at; None for all.
        """
        ...
