"""Reading a plan from a desk and carrying it out. Plain functions: they run in jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.message import Message

from store.errors import MemoryError, NotFound
from store.provider import Desk
from store.records import RecordStatus, Review
from tui.jobs import describe_failure
from tui.marks import Mark, Marked
from tui.messages import Failure, ItemApplied, ItemFailed, PlanApplied, PlanMade, TakenBack
from tui.plan import Deed, PlanLine, make_plan


def read_plan(desk: Desk, marks: Sequence[Marked]) -> PlanMade:
    """Read what the store has now for each marked draft, and work out what the marks do."""
    reviews: dict[str, Review] = {}
    for marked in marks:
        if marked.mark is not Mark.SKIP:
            try:
                reviews[marked.id] = desk.review(marked.id, RecordStatus.PENDING)
            except NotFound:
                continue
    return PlanMade(make_plan(marks, reviews))


def apply_plan(
    desk: Desk, lines: Sequence[PlanLine], by: str, tell: Callable[[Message], object]
) -> PlanApplied:
    """Do what a plan says, one draft after the other; one that fails does not stop the rest.

    Args:
        lines: of drafts to decide; none that is left out.
        by: who decides, for the journal.
        tell: called with `ItemApplied` or `ItemFailed` after each draft.
    """
    done: list[PlanLine] = []
    failed = 0
    for line in lines:
        try:
            if line.deed in {Deed.APPROVE, Deed.REPLACE}:
                desk.approve_record(line.id, line.revision, by)
            else:
                desk.reject_record(line.id, line.revision, by)
        except MemoryError as error:
            failed += 1
            tell(ItemFailed(line, describe_failure(error, f"{line.deed} {line.id}")))
        else:
            done.append(line)
            tell(ItemApplied(line))
    return PlanApplied(tuple(done), failed)


def take_back(desk: Desk, ids: Sequence[str], by: str) -> TakenBack:
    """Take approvals back, the last one first: to drafts again, or to the texts that they replaced."""
    done: list[str] = []
    failures: list[Failure] = []
    for id in reversed(ids):
        try:
            desk.unapprove(id, by)
        except MemoryError as error:
            failures.append(describe_failure(error, f"taking {id} back"))
        else:
            done.append(id)
    return TakenBack(tuple(done), tuple(failures))
