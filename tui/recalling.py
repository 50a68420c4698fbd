"""What an agent would be given, for people: in rank order, what the marks change, why some is dropped.

Plain functions: the app and whoever reads it aloud use the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from store.provider import Desk
from store.records import Recalled, RecallRequest, Record, Scored
from tui.marks import Mark, Marks


class Change(StrEnum):
    """What the marks do to a record in the reply; the value is its sign."""

    NONE = "●"
    NEW = "+"  # given because of them
    REPLACED = "Δ"  # given with another text
    PUSHED_OUT = "−"  # given before, dropped now
    DROPPED = "○"  # dropped before as well


WORDS = {
    Change.NEW: "new by the marks",
    Change.REPLACED: "new text by the marks",
    Change.PUSHED_OUT: "pushed out by the marks",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A candidate, in rank order.

    Args:
        why: why it is dropped, or what the marks changed; empty where there is nothing to say.
    """

    scored: Scored
    given: bool
    change: Change
    why: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """Recall as it is, and as it would be when the marks are applied.

    Args:
        after: None where only the present was asked for.
        approved: how many marks approve something.
    """

    before: Recalled
    after: Recalled | None = None
    approved: int = 0

    @property
    def shown(self) -> Recalled:
        """What is looked at."""
        return self.after or self.before


def to_approve(marks: Marks) -> tuple[str, ...]:
    """Return the ids of the drafts that the marks approve; rejected ones were never given."""
    return tuple(marked.id for marked in marks if marked.mark is Mark.APPROVE)


def preview(desk: Desk, request: RecallRequest, approved: Sequence[str] | None) -> Preview:
    """Try recall.

    Args:
        approved: ids of drafts that are taken to be approved; None asks for the present only.
    """
    before = desk.preview_recall(request)
    if approved is None:
        return Preview(before)
    return Preview(before, desk.preview_decided(request, approved), len(approved))


def lines(seen: Preview) -> tuple[Line, ...]:
    """Return what is given, then what is dropped, each in rank order."""
    was = {scored.record.id: scored.record for scored in seen.before.given}
    gone = {scored.record.id for scored in seen.before.dropped} | was.keys()
    room = dict(_room(seen.shown))
    given = (_given(scored, was, gone, seen) for scored in seen.shown.given)
    dropped = (_dropped(scored, was, room[scored.record.id], seen) for scored in seen.shown.dropped)
    return (*given, *dropped)


def _given(scored: Scored, was: dict[str, Record], known: set[str], seen: Preview) -> Line:
    id = scored.record.id
    change = Change.NONE
    if seen.after is not None:
        if id not in was:
            change = Change.NEW
        elif was[id].content != scored.record.content:
            change = Change.REPLACED
    why = WORDS.get(change, "")
    if change is Change.NEW and id in known:
        why = "has room now"
    return Line(scored, True, change, why)


def _dropped(scored: Scored, was: dict[str, Record], left: int, seen: Preview) -> Line:
    why = f"needs {scored.record.tokens:,}, {max(left, 0):,} left"
    pushed = seen.after is not None and scored.record.id in was
    if pushed:
        why = f"{WORDS[Change.PUSHED_OUT]}: {why}"
    return Line(scored, False, Change.PUSHED_OUT if pushed else Change.DROPPED, why)


def _room(recalled: Recalled) -> Iterator[tuple[str, int]]:
    """Yield for each dropped record how many tokens were left when its turn came."""
    given = {id(scored) for scored in recalled.given}
    left = recalled.token_budget
    ranked = sorted(
        (*recalled.given, *recalled.dropped), key=lambda each: (-each.score, each.record.id)
    )
    for scored in ranked:
        if id(scored) in given:
            left -= scored.record.tokens
        else:
            yield scored.record.id, left


def budget_words(seen: Preview) -> str:
    """Say how much of the budget is used, before and after the marks."""
    shown = seen.shown
    budget = f"{max(shown.token_budget, 0):,} tokens given"
    lost = sum(scored.record.tokens for scored in shown.dropped)
    dropped = f" · {lost:,} dropped" if lost else ""
    if seen.after is None:
        return f"{shown.tokens:,} of {budget}{dropped}"
    return f"{seen.before.tokens:,} → {shown.tokens:,} of {budget}{dropped}"
