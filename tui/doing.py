"""Working a plan out from a desk, carrying it out, taking approvals back: one draft after the other."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence

from store.errors import MemoryError, NotFound
from store.provider import Desk
from store.records import RecordStatus, Review
from tui.failures import Failure, describe_failure
from tui.marks import Mark, Marked
from tui.plan import APPROVING, Plan, PlanLine, make_plan

_log = logging.getLogger(__name__)


def work_out(desk: Desk, marks: Sequence[Marked]) -> Plan:
    """Read what the store has now for each marked draft, and work out what the marks do."""
    reviews: dict[str, Review] = {}
    for marked in marks:
        if marked.mark is not Mark.SKIP:
            try:
                reviews[marked.id] = desk.review(marked.id, RecordStatus.PENDING)
            except NotFound:
                continue
    return make_plan(marks, reviews)


def carry_out(
    desk: Desk, lines: Sequence[PlanLine], by: str
) -> Iterator[tuple[PlanLine, Failure | None]]:
    """Do what a plan says; one draft that fails does not stop the rest.

    Args:
        lines: of drafts to decide; none that is left out.
        by: who decides, for the journal.

    Yields:
        Each draft when it was tried, with the reason if it could not be decided.
    """
    counts: Counter[str] = Counter()
    for line in lines:
        try:
            if line.deed in APPROVING:
                desk.approve_record(line.id, line.revision, by)
            else:
                desk.reject_record(line.id, line.revision, by)
        except MemoryError as error:
            counts["failed"] += 1
            _log.warning("not decided", exc_info=error, extra={"fields": {"deed": line.deed}})
            yield line, describe_failure(error, f"{line.deed} {line.id}")
        else:
            counts[line.deed] += 1
            yield line, None
    _log.info("plan applied", extra={"fields": dict(counts)})


def unapprove(desk: Desk, ids: Sequence[str], by: str) -> Iterator[tuple[str, Failure | None]]:
    """Take approvals back, the last one first: to drafts again, or to the texts that they replaced.

    Yields:
        Each id when it was tried, with the reason if its approval stands.
    """
    for id in reversed(ids):
        try:
            desk.unapprove(id, by)
        except MemoryError as error:
            yield id, describe_failure(error, f"taking {id} back")
        else:
            yield id, None
