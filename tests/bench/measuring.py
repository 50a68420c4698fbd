"""An operation against its floor: the same work by the barest means, in the same run, turn and turn about.

Other programs slow both alike, so the ratio says more than the times do.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter

Work = Callable[[int], object]  # takes the number of the round


@dataclass(frozen=True, slots=True)
class Operation:
    """Something to measure.

    Args:
        floor: the same by the barest means, None where there is nothing to compare with.
        against: what the floor is, for people.
        goal: what is aimed at, for people; nothing fails for missing it.
        rounds: how often each is done, after a few that do not count.
        between: what the floor needs from ours, not timed.
    """

    name: str
    ours: Work
    floor: Work | None
    against: str
    goal: str
    rounds: int = 200
    between: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured: milliseconds, and their ratio."""

    name: str
    size: int
    p50: float
    p95: float
    p99: float
    floor_p50: float | None
    floor_p95: float | None
    against: str
    goal: str

    @property
    def ratio(self) -> float | None:
        """How many times the floor's median ours is."""
        return self.p50 / self.floor_p50 if self.floor_p50 else None

    def as_dict(self) -> dict[str, object]:
        """Return all of it for a file."""
        return {**asdict(self), "ratio": self.ratio}


def measure(operation: Operation, size: int) -> Figures:
    """Do an operation and its floor by turns and return the figures."""
    warm = max(3, operation.rounds // 20)
    ours, floor = [], []
    for turn in range(warm + operation.rounds):
        ours.append(_time(operation.ours, turn))
        if operation.floor is not None:
            operation.between()
            floor.append(_time(operation.floor, turn))
    ours, floor = ours[warm:], floor[warm:]
    return Figures(
        operation.name,
        size,
        statistics.median(ours),
        percentile(ours, 95),
        percentile(ours, 99),
        statistics.median(floor) if floor else None,
        percentile(floor, 95) if floor else None,
        operation.against,
        operation.goal,
    )


def percentile(times: Sequence[float], share: int) -> float:
    """Return what ``share`` of a hundred times stay at or under."""
    return sorted(times)[max(0, -(-len(times) * share // 100) - 1)]


def _time(work: Work, turn: int) -> float:
    begin = perf_counter()
    work(turn)
    return (perf_counter() - begin) * 1000
