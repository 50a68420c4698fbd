"""Filling a token budget: whole records in rank order, as many as fit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Filled(Generic[T]):
    """What fits and what does not, each in rank order; ``tokens`` is the sum of what fits."""

    given: tuple[T, ...]
    dropped: tuple[T, ...]
    tokens: int


def fill(ranked: Iterable[tuple[T, int]], budget: int) -> Filled[T]:
    """Take each record that still fits, best first; one too large is passed over, never cut.

    Args:
        ranked: records with their tokens, best first.
        budget: tokens; 0 or less fits nothing, not even an empty record.
    """
    given: list[T] = []
    dropped: list[T] = []
    left = budget
    for record, tokens in ranked:
        if budget > 0 and tokens <= left:
            given.append(record)
            left -= tokens
        else:
            dropped.append(record)
    return Filled(tuple(given), tuple(dropped), budget - left)
