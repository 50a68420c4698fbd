"""What an export would do to one file, and doing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from store.folders.entry import file_hash
from store.folders.place import CannotWrite, Changed, Place


class Action(StrEnum):
    """What happens to a file."""

    WRITE = "write"  # it is new
    CHANGE = "change"
    KEEP = "keep"  # it says what the record says
    REMOVE = "remove"  # its record was deleted
    CONFLICT = "conflict"  # changed in the folder and here; neither side was touched
    WAIT = "wait"  # what the file says waits for a decision, or to be imported
    FAIL = "fail"


NOT_DONE = frozenset({Action.CONFLICT, Action.FAIL})


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a plan.

    ``was`` and ``data`` are its bytes before and after, None where there are none. ``parts`` are the parts of
    the entries before; ``ids`` their records in that order (empty for what is no canonical record's), then
    those of new entries. ``remembered`` says that their sources already tell what is there.
    """

    action: Action
    path: str
    ids: tuple[str, ...] = ()
    format: str = ""
    why: str = ""
    was: bytes | None = None
    data: bytes | None = None
    parts: tuple[str, ...] = ()
    remembered: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """One file of a report."""

    action: Action
    path: str
    ids: tuple[str, ...] = ()
    format: str = ""
    why: str = ""


@dataclass(slots=True)
class ExportReport:
    """What was done to a folder.

    ``unloaded`` are files that the agent will not learn of from its index. Kept files are counted and have
    no line.
    """

    done: list[Done] = field(default_factory=list)
    counts: Counter[Action] = field(default_factory=Counter)
    unloaded: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every file says what its record says, or waits for a decision."""
        return not any(self.counts[action] for action in NOT_DONE)

    @property
    def changes(self) -> bool:
        """Whether anything was, or in a plan would be, written or removed."""
        return any(self.counts[action] for action in (Action.WRITE, Action.CHANGE, Action.REMOVE))

    def add(self, steps: Iterable[Step]) -> None:
        """Take steps into the report."""
        for step in steps:
            self.counts[step.action] += 1
            if step.action is not Action.KEEP:
                ids = tuple(id for id in step.ids if id)
                self.done.append(Done(step.action, step.path, ids, step.format, step.why))


def compare(step: Step, data: bytes, known: str = "") -> Step:
    """Return the step that makes a file what it should be.

    Args:
        step: with what the file is.
        data: what it should be.
        known: the hash of the file's bytes as they are remembered.
    """
    if step.was == data:
        same = known != "" and file_hash(data) == known
        return replace(step, action=Action.KEEP, data=data, remembered=same)
    action = Action.WRITE if step.was is None else Action.CHANGE
    return replace(step, action=action, data=data)


def apply(place: Place, step: Step) -> Step:
    """Do a step and return it, or what came of it instead."""
    try:
        if step.action in (Action.WRITE, Action.CHANGE) and step.data is not None:
            place.write(step.path, step.data, step.was)
        elif step.action is Action.REMOVE and step.was is not None:
            place.remove(step.path, step.was)
    except Changed:
        why = "the file changed while it was being written; import it, then export again"
        return Step(Action.CONFLICT, step.path, step.ids, step.format, why)
    except CannotWrite as problem:
        return Step(Action.FAIL, step.path, step.ids, step.format, str(problem))
    return step
