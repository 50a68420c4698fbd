"""A plan in the app: worked out and carried out in jobs that tell of each draft by a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.message import Message

from store.provider import Desk
from tui.doing import carry_out, unapprove, work_out
from tui.failures import Failure
from tui.marks import Marked
from tui.messages import ItemApplied, ItemFailed, PlanApplied, PlanMade, TakenBack
from tui.plan import PlanLine


def read_plan(desk: Desk, marks: Sequence[Marked]) -> PlanMade:
    """Work out what the marks do."""
    return PlanMade(work_out(desk, marks))


def apply_plan(
    desk: Desk, lines: Sequence[PlanLine], by: str, tell: Callable[[Message], object]
) -> PlanApplied:
    """Do what a plan says; arguments as in `tui.doing.carry_out`.

    Args:
        tell: called with `ItemApplied` or `ItemFailed` after each draft.
    """
    done: list[PlanLine] = []
    for line, failure in carry_out(desk, lines, by):
        if failure is None:
            done.append(line)
            tell(ItemApplied(line))
        else:
            tell(ItemFailed(line, failure))
    return PlanApplied(tuple(done), len(lines) - len(done))


def take_back(desk: Desk, ids: Sequence[str], by: str) -> TakenBack:
    """Take approvals back, the last one first."""
    done: list[str] = []
    failures: list[Failure] = []
    for id, failure in unapprove(desk, ids, by):
        if failure is None:
            done.append(id)
        else:
            failures.append(failure)
    return TakenBack(tuple(done), tuple(failures))
