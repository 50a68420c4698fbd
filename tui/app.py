"""The app: opens the desk off the UI thread, draws every failure, and leads from screen to screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import ClassVar

from textual.app import App
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.types import CSSPathType
from textual.worker import Worker

from store.provider import Desk
from tui.actions import Action, Where
from tui.applying import apply_plan, take_back
from tui.jobs import Jobs
from tui.marks import Marks
from tui.messages import (
    DeskOpened,
    Failure,
    ItemApplied,
    ItemFailed,
    JobFailed,
    PlanApplied,
    TakenBack,
)
from tui.plan import Deed, PlanLine
from tui.screens.base import DeskScreen
from tui.screens.help import HelpScreen
from tui.screens.inbox import InboxScreen


def utc_now() -> datetime:
    """Return the time, aware, in UTC."""
    return datetime.now(UTC)


class InboxApp(App[None]):
    """The review inbox over any desk.

    Args:
        open_desk: called once in a thread, after the first paint; may import and migrate as it likes.
        store_name: what the header calls the store, without a password.
        reviewer: who decides, for the journal.
        clock: returns the present time, aware; tests give a fixed one.
    """

    TITLE = "Memory Inbox"
    CSS_PATH: ClassVar[CSSPathType | None] = [
        "styles/app.tcss",
        "styles/inbox.tcss",
        "styles/reading.tcss",
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012

    def __init__(
        self,
        open_desk: Callable[[], Desk],
        *,
        store_name: str = "",
        reviewer: str = "",
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__()
        self.open_desk = open_desk
        self.store_name = store_name
        self.reviewer = reviewer
        self.clock = clock
        self.desk: Desk | None = None
        self.jobs = Jobs(self)
        self.marks = Marks()
        self.applying = False
        self.approved: tuple[str, ...] = ()  # by the last plan

    def get_default_screen(self) -> Screen[None]:
        """Start in the inbox."""
        return InboxScreen()

    def on_mount(self) -> None:
        """Open the store once something is on the screen: importing it takes longer than painting."""
        self.call_after_refresh(self.open_store)

    def open_store(self) -> None:
        """Open the desk in a thread; `DeskOpened` or a failure follows."""
        self.jobs.start(
            self,
            lambda: DeskOpened(self.open_desk()),
            group="open",
            description="opening the store",
        )

    def on_desk_opened(self, message: DeskOpened) -> None:
        """Tell every screen that the desk can be asked."""
        self.desk = message.desk
        self._tell(lambda screen: screen.desk_opened(message.desk))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Deliver what jobs found out, and what went wrong in them."""
        self.jobs.settle(event)

    def on_job_failed(self, message: JobFailed) -> None:
        """Draw a failure, and let go of what waited for the job."""
        self._draw(message.failure)
        if message.group == "open":
            self._tell(lambda screen: screen.desk_refused(message.failure))
        elif message.group == "apply":
            self.applying = False

    def _draw(self, failure: Failure) -> None:
        """Draw a failure: what, while doing what, and how to mend it."""
        text = f"While {failure.doing}: {failure.text}"
        self.say(
            f"{text}\n{failure.hint}" if failure.hint else text,
            title=failure.title,
            severity="error",
        )

    def _tell(self, tell: Callable[[DeskScreen], None]) -> None:
        """Tell every screen of the stack."""
        for screen in self.screen_stack:
            if isinstance(screen, DeskScreen):
                tell(screen)

    def say(self, text: str, *, title: str = "", severity: SeverityLevel = "information") -> None:
        """Show a notice; the text is never read as markup."""
        self.notify(text, title=title, severity=severity, markup=False)

    def key_of(self, action: Action) -> str:
        """Return the first key of an action, as the keymap has it, by Textual's name."""
        keys = self._keymap.get(action.id)
        return keys.split(",")[0] if keys else action.key_names[0]

    def marks_changed(self) -> None:
        """Take note that marks were set or taken away."""

    def show_plan(self) -> None:
        """Open the plan."""
        from tui.screens.plan import PlanScreen

        self.push_screen(PlanScreen())

    def show_draft(self, id: str) -> None:
        """Put the inbox's cursor on a draft."""
        if isinstance(self.screen, InboxScreen):
            self.screen.go_to(id)

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
        self.marks.forget(message.line.id)
        self._tell(lambda screen: screen.item_settled(message.line, None))

    def on_item_failed(self, message: ItemFailed) -> None:
        """Keep the mark of a draft that could not be decided, with the reason."""
        self.marks.fail(message.line.id, message.failure.text)
        self._tell(lambda screen: screen.item_settled(message.line, message.failure))

    def on_plan_applied(self, message: PlanApplied) -> None:
        """Remember what can be taken back."""
        self.applying = False
        self.approved = tuple(
            line.id for line in message.done if line.deed in {Deed.APPROVE, Deed.REPLACE}
        )
        self.marks_changed()
        self._tell(lambda screen: screen.plan_applied(message))

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
        for failure in message.failures:
            self._draw(failure)
        self.say(f"{len(message.ids)} taken back: drafts again, or the text of before.")
        self._tell(lambda screen: screen.taken_back(message))

    def show_browse(self) -> None:
        """Open the browser over all records."""

    def show_help(self, where: Where) -> None:
        """Open the help for a screen."""
        self.push_screen(HelpScreen(where))

    def request_quit(self) -> None:
        """Leave, asking first when marks would be left unapplied."""
        self.exit()

    def on_unmount(self) -> None:
        """Release the store."""
        if self.desk is not None:
            self.desk.close()
