"""One load run: starts the processes, disturbs them if asked, compares the store with what they were told."""

from __future__ import annotations

import multiprocessing
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from store.doctor import examine
from store.journal import follow
from store.local import open_desk
from store.location import resolve
from tests.load.workers import Job, Told, found, read, write


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run.

    Args:
        seconds: it took.
        calls: the seconds of each call, by kind.
        away: calls that were told that the store is away.
        lost: ids that are not as was acknowledged.
        errors: what callers were told and must not be.
        findings: what is wrong with the store afterwards.
        lines: of the journal.
    """

    seconds: float
    calls: dict[str, list[float]]
    away: int
    lost: tuple[str, ...]
    errors: tuple[str, ...]
    findings: tuple[str, ...]
    lines: int

    @property
    def good(self) -> bool:
        """Whether nothing was lost and nobody saw an error."""
        return not (self.lost or self.errors or self.findings)

    @property
    def writes(self) -> int:
        """How many writes were acknowledged."""
        kinds = ("record", "approve", "reject", "update", "delete")
        return sum(len(self.calls.get(kind, ())) for kind in kinds)


def run(
    place: str,
    *,
    writers: int = 8,
    readers: int = 4,
    seconds: float | None = None,
    cycles: int | None = None,
    disturb: Callable[[], None] | None = None,
) -> Outcome:
    """Have processes work on a store, for a time or until each writer has made its cycles.

    Args:
        disturb: called half-way, while they go on.
    """
    open_desk(place).close()  # made once, so that the figures are of work and not of making tables
    context = multiprocessing.get_context("spawn")
    go, stop = context.Event(), context.Event()
    started: list[tuple[Any, Connection]] = []
    for name, work in _crew(writers, readers):
        here, there = context.Pipe()
        job = Job(place, name, cycles, disturb is not None)
        process = context.Process(target=work, args=(job, there, go, stop), daemon=True)
        process.start()
        there.close()
        started.append((process, here))
    for _, line in started:
        assert line.recv() == "ready"
    began = time.perf_counter()
    go.set()
    told = _wait([line for _, line in started], writers, stop, seconds, disturb)
    took = time.perf_counter() - began
    for process, _ in started:
        process.join()
    return _compare(place, took, told)


def _crew(writers: int, readers: int) -> Iterator[tuple[str, Callable[..., None]]]:
    yield from ((f"writer{number}", write) for number in range(writers))
    yield from ((f"reader{number}", read) for number in range(readers))


def _wait(
    lines: Sequence[Connection],
    writers: int,
    stop: Any,
    seconds: float | None,
    disturb: Callable[[], None] | None,
) -> list[Told]:
    """Wait for the end of all; returns what they tell."""
    if seconds is not None:
        time.sleep(seconds / 2)
    else:
        assert lines[0].recv() == "half"
    if disturb is not None:
        disturb()
    if seconds is not None:
        time.sleep(seconds / 2)
        stop.set()
    told = [_told(line) for line in lines[:writers]]
    stop.set()
    return told + [_told(line) for line in lines[writers:]]


def _told(line: Connection) -> Told:
    while not isinstance(told := line.recv(), Told):
        pass
    return told


def _compare(place: str, took: float, told: Sequence[Told]) -> Outcome:
    calls: dict[str, list[float]] = defaultdict(list)
    for each in told:
        for kind, values in each.seconds.items():
            calls[kind] += values
    desk = open_desk(place, reviewer="afterwards")
    lost = [id for each in told for id, state in each.expected.items() if found(desk, id) != state]
    with desk.database.reading() as conn:
        broken = follow(conn).broken
    last = desk.history(limit=1)
    desk.close()
    findings = [finding.what for finding in examine(resolve(place))]
    if broken is not None:
        findings.append(f"the journal's chain is broken at {broken}")
    return Outcome(
        took,
        dict(calls),
        sum(each.away for each in told),
        tuple(lost),
        tuple(error for each in told for error in each.errors),
        tuple(findings),
        last[0].seq if last else 0,
    )
