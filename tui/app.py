"""The app: opens the desk off the UI thread, draws every failure, and leads from screen to screen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar

from textual.app import App
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.types import CSSPathType
from textual.worker import Worker

from store.provider import Desk
from tui.actions import Action, Where
from tui.jobs import Jobs
from tui.marks import Marks
from tui.messages import DeskOpened, JobFailed
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
        for screen in self.screen_stack:
            if isinstance(screen, DeskScreen):
                screen.desk_opened(message.desk)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Deliver what jobs found out, and what went wrong in them."""
        self.jobs.settle(event)

    def on_job_failed(self, message: JobFailed) -> None:
        """Draw a failure: what, while doing what, and how to mend it."""
        failure = message.failure
        text = f"While {failure.doing}: {failure.text}"
        self.say(
            f"{text}\n{failure.hint}" if failure.hint else text,
            title=failure.title,
            severity="error",
        )
        if message.group == "open":
            for screen in self.screen_stack:
                if isinstance(screen, DeskScreen):
                    screen.desk_refused(failure)

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
