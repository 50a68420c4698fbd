"""The plan: what the marks will do, draft by draft; applying it; what came of each."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import BindingType

from render.visible import cell_width, fit, isolate, pad, visible
from store.provider import Desk
from tui.actions import Need, Where, bindings_of
from tui.applying import read_plan
from tui.bars import KeyBar, TopBar
from tui.failures import Failure
from tui.line_list import LineList
from tui.messages import PlanApplied, PlanMade, TakenBack
from tui.plan import DONE, Deed, Plan, PlanLine, outcome, summary
from tui.screens.base import DeskScreen

_PART = {
    Deed.APPROVE: "approve",
    Deed.REPLACE: "approve",
    Deed.REMOVE: "approve",
    Deed.REJECT: "reject",
    Deed.DISCARD: "reject",
    Deed.LEFT_OUT: "held",
}


class PlanList(LineList):
    """The drafts of a plan: what came of it, the deed, the id, what it means."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--approve", "list--reject", "list--held"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.plan = Plan(())
        self.results: dict[str, str] = {}
        """What came of each draft so far: empty for done, else why it failed."""

    @property
    def line(self) -> PlanLine | None:
        """The line under the cursor."""
        return self.plan.lines[self.cursor] if self.plan.lines else None

    def line_count(self) -> int:
        """Return how many drafts there are."""
        return len(self.plan.lines)

    def line_cells(self, line: int, width: int, base: Style) -> list[Segment]:
        """Return the columns of a draft."""
        item = self.plan.lines[line]
        result = self.results.get(item.id)
        sign, part = (
            (" ", "aside") if result is None else ("✗", "reject") if result else ("✓", "approve")
        )
        deed = item.deed if result is None else "failed" if result else DONE[item.deed]
        name_width = max(min(44, (width - 12) * 2 // 5), 8)
        name = fit(visible(item.id), name_width)
        note = result or item.words
        return [
            Segment(f"{sign} ", base + self.part_style(part)),
            Segment(f"{deed:9} ", base + self.part_style("reject" if result else _PART[item.deed])),
            Segment(isolate(name), base),
            Segment(" " * (name_width - cell_width(name) + 2), base),
            Segment(
                pad(visible(note), max(width - 14 - name_width, 0)),
                base + self.part_style("reject" if result else "aside"),
            ),
        ]


class PlanScreen(DeskScreen):
    """Says exactly what will happen; ``A`` makes it happen."""

    WHERE = Where.PLAN
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.PLAN)]

    def __init__(self) -> None:
        super().__init__()
        self.applied: PlanApplied | None = None

    def compose(self) -> ComposeResult:
        """Lay out the bars and the list."""
        yield TopBar("Plan", id="top")
        yield PlanList(id="plan")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Work the plan out."""
        self.rows.border_title = "What will happen"
        self.rows.focus()
        self.read()

    @property
    def rows(self) -> PlanList:
        """The list."""
        return self.query_one(PlanList)

    def read(self) -> None:
        """Work the plan out from the marks of now."""
        marks = tuple(self.inbox.marks)
        self.rows.notice = f"Working out what {len(marks)} marks do …"
        self.ask(
            lambda desk: read_plan(desk, marks), group="plan", description="working out the plan"
        )
        self.refresh_bars()

    def on_plan_made(self, message: PlanMade) -> None:
        """Show the plan."""
        self.rows.plan = message.plan
        self.rows.notice = "No marks are left.\nesc goes back to the drafts."
        self.rows.lines_changed()
        self.refresh_bars()

    def met(self) -> frozenset[Need]:
        """Tell what the plan allows."""
        needs, line = set(super().met()), self.rows.line
        if line is not None and self.applied is None:
            needs |= {Need.ROW, Need.MARK}
        if self.rows.plan.to_do and self.applied is None and not self.inbox.applying:
            needs.add(Need.READY)
        if self.inbox.approved and not self.inbox.applying:
            needs.add(Need.APPLIED)
        return frozenset(needs)

    def refuse(self, why: str) -> None:
        """Say it in the list's border."""
        self.rows.say(why)

    def do_apply(self) -> None:
        """Carry the plan out."""
        self.rows.results.clear()
        self.rows.border_title = "What is happening"
        self.inbox.apply(self.rows.plan.to_do)
        self.refresh_bars()

    def item_settled(self, line: PlanLine, failure: Failure | None) -> None:
        """Show what came of a draft."""
        self.rows.results[line.id] = failure.text if failure else ""
        self.rows.refresh()
        self.refresh_bars()

    def plan_applied(self, message: PlanApplied) -> None:
        """Show what came of it all."""
        self.applied = message
        self.rows.border_title = "What happened"
        self.refresh_bars()

    def taken_back(self, message: TakenBack) -> None:
        """Go back to the drafts, where what was taken back waits again."""
        self.do_back()

    def do_take_back(self) -> None:
        """Make drafts again of what was approved."""
        self.inbox.take_back()

    def do_unmark(self) -> None:
        """Take a draft out of the plan."""
        line = self.rows.line
        if line is not None:
            self.inbox.marks.clear([line.id])
            self.inbox.marks_changed()
            self.read()

    def do_show_draft(self) -> None:
        """Go back to the inbox, to this draft."""
        line = self.rows.line
        if line is not None and not self.inbox.applying:
            self.inbox.pop_screen()
            self.inbox.show_draft(line.id)

    def do_back(self) -> None:
        """Go back to the drafts, unless drafts are being decided right now."""
        if self.inbox.applying:
            self.refuse("still applying")
        else:
            super().do_back()

    def do_down(self) -> None:
        """Next line."""
        self.rows.move(1)

    def do_up(self) -> None:
        """Line before."""
        self.rows.move(-1)

    def do_page_down(self) -> None:
        """A screen of lines on."""
        self.rows.page(1)

    def do_page_up(self) -> None:
        """A screen of lines back."""
        self.rows.page(-1)

    def do_first(self) -> None:
        """First line."""
        self.rows.jump(0)

    def do_last(self) -> None:
        """Last line."""
        self.rows.jump(self.rows.line_count() - 1)

    def desk_opened(self, desk: Desk) -> None:
        """Work the plan out."""
        self.read()

    def refresh_bars(self) -> None:
        """Draw the header and the footer anew."""
        self.query_one(TopBar).facts = self.facts()
        self.query_one(KeyBar).refresh()

    def facts(self) -> tuple[str, ...]:
        """Return what will happen in numbers, or what happened."""
        plan, results = self.rows.plan, self.rows.results
        if self.applied is not None:
            return outcome(self.applied.done, self.applied.failed)
        if self.inbox.applying:
            return (f"{len(results)}/{len(plan.to_do)} done",)
        return summary(plan)
