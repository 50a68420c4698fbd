"""The plan: what applying the marks will do, item by item, worked out before anything is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from render.tree import DiffOp
from store.records import MemoryScope, Record, Review
from tui.marks import Mark, Marked


class Deed(StrEnum):
    """What is done with one draft."""

    APPROVE = "approve"
    REPLACE = "replace"  # approve a revision
    REMOVE = "forget"  # approve a proposal to forget
    REJECT = "reject"
    DISCARD = "discard"  # reject a revision
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One draft of the plan.

    Args:
        revision: what the store is told that the operator saw.
        note: what comes of it, in a few words.
        links: what it does to links of others, in a few words; empty for nothing.
    """

    id: str
    deed: Deed
    revision: str
    note: str
    links: str = ""

    @property
    def words(self) -> str:
        """What comes of it, links included, on one line."""
        return " · ".join(part for part in (self.note, self.links) if part)


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be done, and what it does to the links of records that stay."""

    lines: tuple[PlanLine, ...]
    resolved: int = 0
    broken: int = 0
    ambiguous: int = 0

    @property
    def to_do(self) -> tuple[PlanLine, ...]:
        """The lines that do something."""
        return tuple(line for line in self.lines if line.deed is not Deed.LEFT_OUT)

    def counts(self) -> Counter[Deed]:
        """Return how many drafts there are of each deed."""
        return Counter(line.deed for line in self.lines)


APPROVING = frozenset({Deed.APPROVE, Deed.REPLACE, Deed.REMOVE})

DONE = {
    Deed.APPROVE: "approved",
    Deed.REPLACE: "replaced",
    Deed.REMOVE: "forgotten",
    Deed.REJECT: "rejected",
    Deed.DISCARD: "discarded",
}
"""The words for deeds that are done."""

_ORDER = {deed: place for place, deed in enumerate(Deed)}
_RECALLED = {
    MemoryScope.GLOBAL: "recalled everywhere from now on",
    MemoryScope.PROJECT: "recalled in its project from now on",
    MemoryScope.SESSION: "recalled in its session from now on",
}


def make_plan(marks: Iterable[Marked], reviews: Mapping[str, Review]) -> Plan:
    """Work out what marks will do.

    Args:
        marks: all marks of the sitting; skipped drafts are not part of the plan.
        reviews: what the store has now for each draft that is marked; absent where it is gone.
    """
    kept = [marked for marked in marks if marked.mark is not Mark.SKIP]
    lines = [_line(marked, reviews.get(marked.id)) for marked in kept]
    lines.sort(key=lambda line: _ORDER[line.deed])
    done = {line.id: line.deed for line in lines}
    leaving = {id for id, deed in done.items() if deed in {Deed.REJECT, Deed.DISCARD}}
    impacts = [
        (id, reviews[id].on_reject if id in leaving else reviews[id].on_approve)
        for id, deed in done.items()
        if deed is not Deed.LEFT_OUT
    ]

    def links(pairs: Iterable[tuple[str, str]]) -> int:
        return len({pair for pair in pairs if pair[0] not in leaving})

    return Plan(
        tuple(lines),
        links((source, id) for id, impact in impacts for source in impact.resolves),
        links((source, id) for id, impact in impacts for source in impact.breaks),
        links((source, id) for id, impact in impacts for source in impact.makes_ambiguous),
    )


def summary(plan: Plan) -> tuple[str, ...]:
    """Return what will happen, in numbers."""
    numbers = plan.counts()
    links = (
        (plan.resolved, "resolved"),
        (plan.broken, "broken"),
        (plan.ambiguous, "ambiguous"),
    )
    words = ", ".join(f"{number} {word}" for number, word in links if number)
    return (
        *(f"{numbers[deed]} {deed}" for deed in Deed if numbers[deed]),
        f"links: {words or 'none touched'}",
    )


def outcome(done: Iterable[PlanLine], failed: int) -> tuple[str, ...]:
    """Return what happened, in numbers."""
    deeds = Counter(line.deed for line in done)
    counts = (f"{deeds[deed]} {word}" for deed, word in DONE.items() if deeds[deed])
    return (*counts, f"{failed} failed, marks kept" if failed else "none failed")


def _line(marked: Marked, review: Review | None) -> PlanLine:
    """Return the line of one mark."""
    id, revision = marked.id, marked.revision
    if review is None:
        return PlanLine(id, Deed.LEFT_OUT, revision, "is no longer there")
    if review.record.revision != revision:
        return PlanLine(id, Deed.LEFT_OUT, revision, "has changed since you marked it")
    if marked.mark is Mark.HELD:
        return PlanLine(id, Deed.LEFT_OUT, revision, "flagged, not opened yet")
    if marked.mark is Mark.APPROVE:
        links = _links_of(review.on_approve.resolves, review.on_approve.breaks)
        if review.base is None:
            note = _RECALLED[review.record.scope]
            return PlanLine(id, Deed.APPROVE, revision, note, links)
        if review.record.removes:
            note = "the record moves to the trash, where it can be restored"
            return PlanLine(id, Deed.REMOVE, revision, note, links)
        removed, added = count_lines(review.base, review.record)
        note = f"-{removed} +{added} lines"
        return PlanLine(id, Deed.REPLACE, revision, note, links)
    links = _links_of(review.on_reject.resolves, review.on_reject.breaks)
    if review.record.removes:
        return PlanLine(id, Deed.DISCARD, revision, "record stays as it is", links)
    if review.record.is_revision:
        return PlanLine(
            id, Deed.DISCARD, revision, "new text destroyed, record stays as it was", links
        )
    return PlanLine(id, Deed.REJECT, revision, "text destroyed, cannot be taken back", links)


def count_lines(old: Record, new: Record) -> tuple[int, int]:
    """Return how many lines a revision removes and adds; the title counts as the first line."""
    from render.diff import (
        diff,
    )  # with a library of its own, which the first paint does not wait for

    compared = diff(f"{old.title}\n{old.content}", f"{new.title}\n{new.content}", context=0)
    ops = Counter(line.op for hunk in compared.hunks for line in hunk.lines)
    return ops[DiffOp.REMOVE], ops[DiffOp.ADD]


def _links_of(resolves: tuple[str, ...], breaks: tuple[str, ...]) -> str:
    parts = []
    if resolves:
        parts.append(f"resolves {len(resolves)} {'link' if len(resolves) == 1 else 'links'}")
    if breaks:
        parts.append(f"breaks {len(breaks)} {'link' if len(breaks) == 1 else 'links'}")
    return ", ".join(parts)
