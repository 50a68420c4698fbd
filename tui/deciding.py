"""The marks of a sitting, and what becomes of them: kept, applied, taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from store.provider import Desk
from tui.actions import BY_ID, spell_key
from tui.applying import apply_plan, take_back, take_change_back, take_fix_back
from tui.changing import Reversal
from tui.claiming import RENEWED_EVERY, Claiming, to_claim
from tui.desk_app import DeskApp
from tui.fixing import Fixed
from tui.marks import DECIDED, Marks
from tui.messages import (
    ClaimsSettled,
    DeskOpened,
    ItemApplied,
    ItemFailed,
    JobFailed,
    LinksFixed,
    PlanApplied,
    RecordChanged,
    RecordEdited,
    RecordsMerged,
    TakenBack,
)
from tui.pace import Pace
from tui.plan import APPROVING, PlanLine


class DecidingApp(DeskApp):
    """Holds the marks and carries plans out; screens are told of each draft that is decided."""

    def __init__(self, open_desk: Callable[[], Desk], **options: Any) -> None:
        super().__init__(open_desk, **options)
        self.marks = Marks()
        self.applying = False
        self.approved: tuple[str, ...] = ()
        """Ids that the last plan approved: what can be taken back."""
        self.fixes: list[Fixed] = []
        """Fixes of links that can be taken back, the last one last."""
        self.reversals: list[Reversal] = []
        """What takes changes of records back, the last one last."""
        self.pace = Pace(self.clock())
        self._applied = 0
        self._serial = 0
        self.claiming = Claiming()
        self._settling = False
        self._unsettled: bool | None = (
            None  # whether to renew, where claims changed while they settled
        )

    def on_mount(self) -> None:
        """Renew the claims from now on."""
        if self.look_every:
            self.set_interval(RENEWED_EVERY, self.renew_claims)

    def on_desk_opened(self, message: DeskOpened) -> None:
        """Take the marks of an earlier sitting up."""
        if not len(self.marks):
            self.marks = Marks(message.kept)
        self.call_next(self.renew_claims)  # once the desk can be asked
        self._applied = 0
        self.pace = Pace(self.clock(), self._decided())

    def _decided(self) -> int:
        """Return how many drafts are decided: those with a mark, and those whose mark was applied."""
        return self._applied + sum(marked.mark in DECIDED for marked in self.marks)

    def on_job_failed(self, message: JobFailed) -> None:
        """A plan that broke off is not being applied any more."""
        if message.group == "apply":
            self.applying = False
        elif message.group == "claim":
            self._settling = False

    def marks_changed(self) -> None:
        """Keep the marks: a crash may come any time."""
        self.pace.note(self._decided(), self.clock())
        keeper, marks = self.keeper, tuple(self.marks)
        if keeper is not None and self.desk is not None:
            self._serial += 1
            serial = self._serial
            self.jobs.start(
                self,
                lambda: keeper.write(serial, marks),
                group="keep",
                description="keeping the marks",
                exclusive=False,
            )
        self._settle_claims(renew=False)

    def renew_claims(self) -> None:
        """Renew the claims on what is marked: the operator is still there."""
        if len(self.marks):
            self._settle_claims(renew=True)

    def _settle_claims(self, *, renew: bool) -> None:
        """Have the store know what is marked here; one job at a time, and one more when marks changed."""
        if self.desk is None:
            return
        if self._settling:
            self._unsettled = renew or bool(self._unsettled)
            return
        self._settling = True
        desk, claiming, wanted = self.desk, self.claiming, to_claim(self.marks)
        self.jobs.start(
            self,
            lambda: ClaimsSettled(claiming.settle(desk, wanted, renew=renew)),
            group="claim",
            description="claiming what is marked",
            exclusive=False,
        )

    def on_claims_settled(self, message: ClaimsSettled) -> None:
        """Let marks fall on drafts that others have."""
        self._settling = False
        if message.refused:
            self.tell(lambda screen: screen.drafts_claimed(message.refused))
        if (renew := self._unsettled) is not None:
            self._unsettled = None
            self._settle_claims(renew=renew)

    def record_edited(self, message: RecordEdited) -> None:
        """Tell the screens that a record reads otherwise now."""
        self.tell(lambda screen: screen.record_edited(message))

    def records_merged(self, message: RecordsMerged) -> None:
        """Tell the screens that drafts were merged."""
        self.tell(lambda screen: screen.records_merged(message))

    def apply(self, lines: Sequence[PlanLine]) -> None:
        """Carry a plan out in a thread; screens hear of each draft, and of the end."""
        desk = self.desk
        if desk is not None:
            self.applying = True
            self.jobs.start(
                self,
                lambda: apply_plan(desk, lines, self.reviewer, self.post_message),
                group="apply",
                description="applying the plan",
                exclusive=False,
            )

    def on_item_applied(self, message: ItemApplied) -> None:
        """Drop the mark of a draft that was decided."""
        self._applied += 1
        self.marks.forget(message.line.id)
        self.tell(lambda screen: screen.item_settled(message.line, None))

    def on_item_failed(self, message: ItemFailed) -> None:
        """Keep the mark of a draft that could not be decided, with the reason."""
        self.marks.fail(message.line.id, message.failure.text)
        self.tell(lambda screen: screen.item_settled(message.line, message.failure))

    def on_plan_applied(self, message: PlanApplied) -> None:
        """Remember what can be taken back."""
        self.applying = False
        self.approved = tuple(line.id for line in message.done if line.deed in APPROVING)
        self.marks_changed()
        self.tell(lambda screen: screen.plan_applied(message))

    def take_back(self) -> None:
        """Make drafts again of what the last plan approved."""
        desk, ids = self.desk, self.approved
        if desk is not None and ids:
            self.jobs.start(
                self,
                lambda: take_back(desk, ids, self.reviewer),
                group="take-back",
                description="taking approvals back",
                exclusive=False,
            )

    def on_taken_back(self, message: TakenBack) -> None:
        """Say what was taken back and what was not."""
        self.approved = tuple(id for id in self.approved if id not in message.ids)
        self._applied -= len(message.ids)
        for failure in message.failures:
            self.draw(failure)
        self.say(f"{len(message.ids)} taken back: drafts again, or the text of before.")
        self.tell(lambda screen: screen.taken_back(message))

    def on_links_fixed(self, message: LinksFixed) -> None:
        """Let marks follow to the texts as they are now, and say what was done."""
        fixed = message.fixed
        for before, after in fixed.texts:
            self.marks.follow(before.id, before.revision, after.revision)
        for failure in message.failures:
            self.draw(failure)
        if message.back and self.fixes:
            self.fixes.pop()
        elif fixed.texts and not message.back:
            self.fixes.append(fixed)
        self.say(message.words)
        self.marks_changed()
        self.tell(lambda screen: screen.store_changed())

    def on_record_changed(self, message: RecordChanged) -> None:
        """Keep what takes a change back, and let marks follow the record."""
        if message.moved is not None:
            before, after = message.moved
            self.marks.follow(before.id, before.revision, after.revision)
        if message.reversal is not None:
            self.reversals.append(message.reversal)
            key = spell_key(self.key_of(BY_ID["change_back"]))
            self.say(f"{message.words} {key} takes it back.")
        else:
            self.say(message.words)
        self.marks_changed()
        self.tell(lambda screen: screen.store_changed())

    def change_back(self) -> None:
        """Take the last change of a record back; a change that cannot be is not tried twice."""
        desk = self.desk
        if desk is not None and self.reversals:
            reversal = self.reversals.pop()
            self.jobs.start(
                self,
                lambda: take_change_back(desk, reversal, self.reviewer),
                group="change-back",
                description=f"taking back what was done to {reversal.id}",
                exclusive=False,
            )

    def take_fix_back(self) -> None:
        """Give the texts of the last fix their links back."""
        desk, fixed = self.desk, self.fixes[-1]
        if desk is not None:
            self.jobs.start(
                self,
                lambda: take_fix_back(desk, fixed, self.reviewer),
                group="fix",
                description=f"taking the fix of {fixed.name} back",
            )
