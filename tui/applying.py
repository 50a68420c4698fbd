"""Plans and fixes in the app: carried out in jobs that tell by a message what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from store.provider import Desk
from store.records import MemoryScope, MemoryType, Record
from tui import changing, fixing
from tui.changing import Reversal
from tui.doing import carry_out, unapprove, work_out
from tui.failures import Failure
from tui.fixing import Fixed
from tui.marks import Marked
from tui.messages import (
    ItemApplied,
    ItemFailed,
    LinksFixed,
    PlanApplied,
    PlanMade,
    RecordChanged,
    TakenBack,
)
from tui.plan import PlanLine

if TYPE_CHECKING:
    from store.retarget import Retarget


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


def fix_links(desk: Desk, name: str, to: str, changes: Sequence[Retarget], by: str) -> LinksFixed:
    """Point links elsewhere, text by text; arguments as in `tui.fixing.carry_out`."""
    texts, failures = _sorted(fixing.carry_out(desk, changes, by))
    return LinksFixed(Fixed(name, to, texts), failures)


def take_fix_back(desk: Desk, fixed: Fixed, by: str) -> LinksFixed:
    """Give the texts of a fix their links back."""
    texts, failures = _sorted(fixing.undo(desk, fixed.texts, by))
    return LinksFixed(Fixed(fixed.name, fixed.to, texts), failures, back=True)


def reclassify(
    desk: Desk, record: Record, kind: tuple[MemoryType, MemoryScope], project: str, by: str
) -> RecordChanged:
    """Give a record another type or scope; arguments as in `tui.changing.reclassify`."""
    after, reversal = changing.reclassify(desk, record, kind, project, by)
    words = f"{after.id} is {after.type}, {after.scope} scope."
    return RecordChanged(words, (record, after), reversal)


def delete(desk: Desk, record: Record, by: str) -> RecordChanged:
    """Move a record to the trash."""
    broken, reversal = changing.delete(desk, record, by)
    links = {0: "", 1: ", 1 link to it is broken now"}
    told = links.get(broken, f", {broken} links to it are broken now")
    return RecordChanged(f"{record.id} is in the trash{told}.", reversal=reversal)


def take_change_back(desk: Desk, reversal: Reversal, by: str) -> RecordChanged:
    """Take a change of a record back."""
    return RecordChanged(changing.take_back(desk, reversal, by))


def _sorted(
    done: Iterable[tuple[Record, Record | Failure]],
) -> tuple[tuple[tuple[Record, Record], ...], tuple[Failure, ...]]:
    texts: list[tuple[Record, Record]] = []
    failures: list[Failure] = []
    for before, after in done:
        if isinstance(after, Failure):
            failures.append(after)
        else:
            texts.append((before, after))
    return tuple(texts), tuple(failures)
