"""The processes of a load run: each says in the end what it did, how long that took, and what it expects."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Protocol, TypeAlias

from store.errors import MemoryError, NotFound, SourceUnavailable
from store.local import LocalDesk, open_desk
from store.records import (
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    RecallRequest,
    RecordStatus,
)

State: TypeAlias = tuple[str, str] | None
"""What is to be found under an id: status and text; nothing when it was rejected or deleted."""

AWAY = 0.05  # seconds before a store that is away is asked again
_WORDS = [
    "ferry",
    "berth",
    "tide",
    "cargo",
    "ticket",
    "harbour",
    "crew",
    "winch",
    "signal",
    "ledger",
]


class Flag(Protocol):
    """An event between processes."""

    def is_set(self) -> bool: ...

    def wait(self, timeout: float | None = None) -> bool: ...


@dataclass(frozen=True, slots=True)
class Job:
    """What a process is to do.

    Args:
        place: the store.
        name: tells processes apart; starts the ids of what it writes.
        cycles: of writing; until it is stopped when None.
        disturbed: whether the store goes away meanwhile, which callers may then be told.
    """

    place: str
    name: str
    cycles: int | None
    disturbed: bool


@dataclass(slots=True)
class Told:
    """What a process did.

    Args:
        seconds: that each call took, by the kind of call.
        errors: those that a caller must not see.
        away: calls that were told that the store is away.
        expected: what is to be found under the ids that were written.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    away: int = 0
    expected: dict[str, State] = field(default_factory=dict)


def found(desk: LocalDesk, id: str) -> State:
    """Return what there is under an id."""
    try:
        record = desk.get_record(id)
    except NotFound:
        return None
    return record.status.value, record.content


def text_of(id: str, number: int) -> str:
    """Return a text that tells whose it is, with words that others have, too."""
    words = " ".join(_WORDS[(number * step) % len(_WORDS)] for step in (1, 3, 7))
    return f"{id}: {words}, as of {number}. See [[{id.rpartition('-')[0]}-{number // 2}]]."


class _Worker:
    def __init__(self, job: Job, stop: Flag) -> None:
        self.job, self.stop = job, stop
        self.desk = open_desk(job.place, reviewer=job.name)
        self.told = Told()

    def timed(self, kind: str, call: Callable[[], object]) -> bool:
        """Call; returns whether it worked."""
        began = time.perf_counter()
        try:
            call()
        except SourceUnavailable as error:
            self.told.away += 1
            if not self.job.disturbed:
                self.told.errors.append(f"{kind}: {error}")
            return False
        except MemoryError as error:
            self.told.errors.append(f"{kind}: {type(error).__name__}: {error}")
            return False
        self.told.seconds[kind].append(time.perf_counter() - began)
        return True


class _Writer(_Worker):
    def change(self, kind: str, id: str, call: Callable[[], object], after: State) -> bool:
        """Change what is under an id; whoever is told that the store is away looks what came of it."""
        before = self.told.expected.get(id)
        if self.timed(kind, call):
            self.told.expected[id] = after
            return True
        now = self._once_back(id)
        if now not in (before, after):
            self.told.errors.append(f"{kind}: {id} is neither as before nor as written")
        self.told.expected[id] = now
        return False

    def _once_back(self, id: str) -> State:
        while True:
            try:
                return found(self.desk, id)
            except SourceUnavailable:
                time.sleep(AWAY)

    def cycle(self, number: int) -> None:
        """Record a draft and decide it, one way or the other; some are revised, some deleted."""
        id = f"{self.job.name}-{number}"
        first, second = text_of(id, number), text_of(id, number + 1)
        new = NewRecord(MemoryType.PROJECT, MemoryScope.GLOBAL, id, first, id=id)
        origin = Origin("memory.remember", session_id=self.job.name)
        if not self.change("record", id, lambda: self.desk.record(new, origin), ("pending", first)):
            return
        if number % 4 == 0:
            self.change("reject", id, lambda: self._decide(id, self.desk.reject_record), None)
        elif self._approve(id, first) and number % 3 == 0:
            kept = ("canonical", first)
            if self.change("update", id, lambda: self.desk.update_record(id, second), kept):
                self._approve(id, second)
        elif number % 5 == 0 and self.told.expected[id] == ("canonical", first):
            self.change("delete", id, lambda: self.desk.delete_record(id, origin), None)

    def _approve(self, id: str, text: str) -> bool:
        return self.change(
            "approve",
            id,
            lambda: self._decide(id, self.desk.approve_record),
            ("canonical", text),
        )

    def _decide(self, id: str, decide: Callable[[str, str], object]) -> None:
        self.desk.claim([id])
        decide(id, self.desk.review(id, RecordStatus.PENDING).record.revision)


class _Reader(_Worker):
    def look(self, number: int) -> None:
        """Read as hosts and inboxes do; what is read must be whole."""
        word = _WORDS[number % len(_WORDS)]
        self.timed("list", self._sweep)
        self.timed("search", lambda: self.desk.search(word))
        self.timed("recall", lambda: self.desk.preview_recall(RecallRequest(2000, query=word)))
        self.timed("count", self.desk.count)

    def _sweep(self) -> None:
        for record in self.desk.list_records(page_size=100).records:
            if not record.content.startswith(f"{record.id}: "):
                self.told.errors.append(f"list: {record.id} has another's text")


def write(job: Job, ready: Connection, go: Flag, stop: Flag) -> None:
    """Write until enough is written or it is time to stop; says ``half`` on the way."""
    worker = _Writer(job, stop)
    ready.send("ready")
    go.wait()
    number = 1
    while not stop.is_set() and (job.cycles is None or number <= job.cycles):
        worker.cycle(number)
        if job.cycles is not None and number == (job.cycles + 1) // 2:
            ready.send("half")
        number += 1
    _end(worker, ready)


def read(job: Job, ready: Connection, go: Flag, stop: Flag) -> None:
    """Read until it is time to stop."""
    worker = _Reader(job, stop)
    ready.send("ready")
    go.wait()
    number = 0
    while not stop.is_set():
        worker.look(number)
        number += 1
    _end(worker, ready)


def _end(worker: _Worker, ready: Connection) -> None:
    worker.told.seconds = dict(worker.told.seconds)
    ready.send(worker.told)
    worker.desk.close()
