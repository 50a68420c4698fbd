"""Marks set, taken back and applied; the plan in the same words as in the app."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from store.errors import MemoryError
from store.records import RecordStatus
from tui.actions import Need
from tui.cards import is_flagged
from tui.claiming import claims_of_others, has_expired, words_of
from tui.doing import carry_out, unapprove, work_out
from tui.editing import reword
from tui.failures import describe_failure
from tui.linear.listing import places
from tui.linear.moving import advance
from tui.linear.sitting import Sitting
from tui.linear.speaking import CONFIRM, amount
from tui.marks import Edit, Mark, Marked, Step, in_bulk
from tui.plan import APPROVING, DONE, Plan, PlanLine, outcome, summary
from tui.rows import row_of


class Deciding(Protocol):
    """What a command does with the words behind its name."""

    def __call__(self, sitting: Sitting, words: str) -> None:
        """Do it."""


def decide(mark: Mark) -> Deciding:
    """Return what sets a mark: on the draft whose card was read out last, or on rows by number."""

    def set_mark(sitting: Sitting, words: str) -> None:
        if words:
            _mark_rows(sitting, places(words, len(sitting.listing.rows)), mark)
        else:
            _mark_card(sitting, mark)

    return set_mark


def _mark_card(sitting: Sitting, mark: Mark) -> None:
    if sitting.card is None:
        sitting.say(f"{mark}: no card was read out; next or go reads one")
        return
    record = sitting.card.record
    if not record.pending:
        sitting.say(f"{mark}: {Need.DRAFT}")
        return
    sitting.marks.set(Marked(record.id, mark, record.revision, record.is_revision))
    sitting.say(f"{mark}: {record.id}.")
    sitting.keep_marks()
    if sitting.trail.behind and 0 <= sitting.at < len(sitting.listing.rows):
        sitting.open_place(sitting.at)
    else:
        advance(sitting)


def _mark_rows(sitting: Sitting, chosen: Sequence[int], mark: Mark) -> None:
    """Mark many drafts as one step; what nobody was told of yet is left out."""
    rows = sitting.listing.look_at(sitting.desk, chosen)
    drafts = [row for row in rows if row.status is RecordStatus.PENDING and not row.gone]
    seen = sitting.opened | sitting.listed
    told = [row for row in drafts if (row.id, row.revision) in seen]
    marked = [
        Marked(
            row.id,
            in_bulk(
                mark, unseen=bool(row.flagged) and (row.id, row.revision) not in sitting.opened
            ),
            row.revision,
            row.is_revision,
        )
        for row in told
    ]
    sitting.marks.set(*marked)
    sitting.keep_marks()
    held = [item.id for item in marked if item.mark is Mark.HELD]
    flagged = f", {len(held)} flagged left out: {', '.join(held)}" if held else ""
    sitting.say(f"{mark}: {amount(len(marked) - len(held), 'draft')}{flagged}.")
    if unread := len(drafts) - len(told):
        sitting.say(f"{unread} left out that you were not told of as they are now: list says them.")
    if rest := len(rows) - len(drafts):
        sitting.say(f"{rest} left out: {Need.DRAFT}.")


def unmark(sitting: Sitting, words: str) -> None:
    """Take the mark of the card away, or those of rows by number."""
    if words:
        rows = sitting.listing.rows
        ids = [rows[place].id for place in places(words, len(rows))]
    else:
        ids = [sitting.card.record.id] if sitting.card else []
    step = sitting.marks.clear(ids)
    sitting.say(f"{step.words}." if step else f"unmark: {Need.MARK}")
    sitting.keep_marks()


def take_over(sitting: Sitting, words: str) -> None:
    """Claim the draft of the card, or rows by number, that others have let expire."""
    if words:
        rows = sitting.listing.rows
        ids = [rows[place].id for place in places(words, len(rows))]
    else:
        ids = [sitting.card.record.id] if sitting.card else []
    now = sitting.clock()
    expired = {
        claim.id for claim in claims_of_others(sitting.desk) if has_expired(claim, now)
    }.intersection(ids)
    if not expired:
        sitting.say(f"takeover: {Need.EXPIRED}")
        return
    refused = sitting.desk.claim(sorted(expired), take_over=True)
    for claim in refused:
        sitting.say(f"{claim.id} is {words_of(claim, now)}.")
    for id in sorted(expired.difference(claim.id for claim in refused)):
        sitting.say(f"taken over: {id}.")


def undo(sitting: Sitting, words: str) -> None:
    """Take the last step back."""
    _shifted(sitting, "undone", sitting.marks.undo(), Need.UNDO)


def redo(sitting: Sitting, words: str) -> None:
    """Do the last undone step again."""
    _shifted(sitting, "redone", sitting.marks.redo(), Need.REDO)


def _shifted(sitting: Sitting, what: str, step: Step | None, need: Need) -> None:
    if step is None:
        sitting.say(str(need))
        return
    sitting.say(f"{what}: {step.words}.")
    if step.edit is not None:
        _reword(sitting, step.edit, back=what == "undone")
    sitting.keep_marks()
    place = sitting.drafts.place_of((step.id, RecordStatus.PENDING))
    if place is not None and sitting.listing is sitting.drafts:
        sitting.open_place(place)


def _reword(sitting: Sitting, edit: Edit, *, back: bool) -> None:
    """Have the store take an edit back, or do it again; a draft that is not what it was is let go of."""
    try:
        _, after = reword(sitting.desk, edit, sitting.reviewer, back=back)
        place = sitting.drafts.place_of((edit.id, RecordStatus.PENDING))
        if not after.pending:
            sitting.drafts.leave(edit.id, "was taken back")
        elif place is not None:
            sitting.drafts.rows[place] = row_of(after, flagged=is_flagged(after))
    except MemoryError as error:
        sitting.marks.forget(edit.id)
        sitting.fail(describe_failure(error, f"rewording {edit.id}"))


def plan(sitting: Sitting, words: str) -> None:
    """Say what the marks will do."""
    _tell_plan(sitting, work_out(sitting.desk, tuple(sitting.marks)))


def _tell_plan(sitting: Sitting, made: Plan) -> None:
    sitting.planned = made
    if not made.lines:
        sitting.say(f"{Need.MARKS}.")
        return
    sitting.say("What will happen:")
    for number, line in enumerate(made.lines, 1):
        sitting.say(f"{number}. {line.deed} {line.id}: {line.words}")
    sitting.say(f"{', '.join(summary(made))}.")


def apply(sitting: Sitting, words: str) -> None:
    """Say the plan, and carry it out when that is confirmed by another word."""
    made = work_out(sitting.desk, tuple(sitting.marks))
    if made == sitting.planned and made.lines:
        sitting.say(f"{', '.join(summary(made))}.")
    else:
        _tell_plan(sitting, made)
    if not made.to_do:
        sitting.say(f"apply: {Need.READY}")
        return
    sitting.say(f"Say {CONFIRM} to apply it; anything else does not.")
    if sitting.voice.hear("apply? ") != CONFIRM:
        sitting.say("Nothing was applied.")
        return
    _carry_out(sitting, made.to_do)


def _carry_out(sitting: Sitting, lines: Sequence[PlanLine]) -> None:
    done: list[PlanLine] = []
    sitting.planned = None
    try:
        for number, (line, failure) in enumerate(
            carry_out(sitting.desk, lines, sitting.reviewer), 1
        ):
            if failure is None:
                done.append(line)
                sitting.applied += 1
                sitting.marks.forget(line.id)
                sitting.drafts.leave(line.id, f"was {DONE[line.deed]}")
                sitting.say(f"{number}. {DONE[line.deed]} {line.id}")
            else:
                sitting.marks.fail(line.id, failure.text)
                sitting.say(f"{number}. failed {line.id}: {failure.text}")
    finally:  # whatever ends it, what was decided has no mark any more
        sitting.approved = tuple(line.id for line in done if line.deed in APPROVING)
        sitting.card = None
        sitting.keep_marks()
    sitting.say(f"What happened: {', '.join(outcome(done, len(lines) - len(done)))}.")


def take_back(sitting: Sitting, words: str) -> None:
    """Make drafts again of what was last approved."""
    if not sitting.approved:
        sitting.say(f"{Need.APPLIED}.")
        return
    taken = []
    for id, failure in unapprove(sitting.desk, sitting.approved, sitting.reviewer):
        if failure is None:
            taken.append(id)
        else:
            sitting.fail(failure)
    sitting.approved = tuple(id for id in sitting.approved if id not in taken)
    sitting.applied -= len(taken)
    sitting.say(f"{len(taken)} taken back: drafts again, or the text of before.")
    sitting.card = None
    sitting.read_list(sitting.drafts)
    sitting.say(f"The list was read anew: {amount(len(sitting.drafts.rows), 'draft')}.")
