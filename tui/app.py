"""The app: opens the desk off the UI thread, draws every failure, and leads from screen to screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.types import CSSPathType
from textual.worker import Worker

from render.visible import visible
from store.provider import Desk
from tui.actions import Action, Where
from tui.applying import apply_plan, take_back
from tui.jobs import Jobs
from tui.keeping import Keeper
from tui.marks import Marks
from tui.messages import (
    DeskOpened,
    Failure,
    ItemApplied,
    ItemFailed,
    JobFailed,
    PlanApplied,
    RecordEdited,
    TakenBack,
)
from tui.onboarding import StoreFoundEmpty, is_empty
from tui.palette import commands_of
from tui.plan import Deed, PlanLine
from tui.screens.base import DeskScreen
from tui.screens.help import HelpScreen
from tui.screens.inbox import InboxScreen
from tui.screens.quit import QuitScreen
from tui.settings import DEFAULTS, Settings


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
        look_every: seconds between looks for what others wrote; 0 looks only when asked to.
        settings: theme, keys and saved filters.
        keeper: where marks outlive the app; None lets them end with it.
    """

    TITLE = "Memory Inbox"
    CSS_PATH: ClassVar[CSSPathType | None] = [
        "styles/app.tcss",
        "styles/inbox.tcss",
        "styles/plan.tcss",
        "styles/edit.tcss",
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
        keeper: Keeper | None = None,
        look_every: float = 2.0,
        settings: Settings = DEFAULTS,
    ) -> None:
        super().__init__()
        self.open_desk = open_desk
        self.store_name = store_name
        self.reviewer = reviewer
        self.clock = clock
        self.desk: Desk | None = None
        self.jobs = Jobs(self)
        self.marks = Marks()
        self._scratch = ExitStack()
        self.keeper = keeper
        self.look_every = look_every
        self.settings = settings
        self._serial = 0
        self.applying = False
        self.approved: tuple[str, ...] = ()  # by the last plan

    def get_default_screen(self) -> Screen[None]:
        """Start in the inbox."""
        return InboxScreen()

    def on_mount(self) -> None:
        """Open the store once something is on the screen: importing it takes longer than painting."""
        if self.settings.theme:
            self.theme = self.settings.theme
        self.set_keymap(self.settings.keymap)
        if self.settings.problems:
            self.say(
                "\n".join(self.settings.problems), title="Settings left out", severity="warning"
            )
        self.call_after_refresh(self.open_store)

    def open_store(self) -> None:
        """Open the desk in a thread; `DeskOpened` or a failure follows."""
        self.jobs.start(
            self,
            self._open,
            group="open",
            description="opening the store",
        )

    def _open(self) -> DeskOpened:
        kept = self.keeper.read() if self.keeper else ()
        return DeskOpened(self.open_desk(), kept)

    def on_desk_opened(self, message: DeskOpened) -> None:
        """Take the kept marks up, and tell every screen that the desk can be asked."""
        self.desk = message.desk
        if not len(self.marks):
            self.marks = Marks(message.kept)
        self._tell(lambda screen: screen.desk_opened(message.desk))
        self.greet(message.desk)

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
        """Show a notice; the text is never read as markup, and only reaches the terminal visible."""
        shown = visible(text, newlines=True, tab=4)
        self.notify(shown, title=title, severity=severity, markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer the screen's actions, the saved filters and a few of Textual's own commands."""
        yield from commands_of(screen, self.settings.sections)
        for command in super().get_system_commands(screen):
            if command.title in {"Theme", "Screenshot"}:
                yield command

    def key_of(self, action: Action) -> str:
        """Return the first key of an action, as the keymap has it, by Textual's name."""
        keys = self._keymap.get(action.id)
        return keys.split(",")[0] if keys else action.key_names[0]

    def marks_changed(self) -> None:
        """Keep the marks: a crash may come any time."""
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

    def show_plan(self) -> None:
        """Open the plan."""
        from tui.screens.plan import PlanScreen

        self.push_screen(PlanScreen())

    def show_draft(self, id: str) -> None:
        """Put the inbox's cursor on a draft."""
        if isinstance(self.screen, InboxScreen):
            self.screen.go_to(id)

    def record_edited(self, message: RecordEdited) -> None:
        """Tell the screens that a record reads otherwise now."""
        self._tell(lambda screen: screen.record_edited(message))

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

    def try_demo(self) -> None:
        """Open the demo store in place of this one; it is gone with the app."""
        from tui.demo.opening import NAME, demo_directory, open_demo

        directory = self._scratch.enter_context(demo_directory())
        self.keeper = None
        self.change_store(lambda: open_demo(directory, self.clock()), NAME)

    def change_store(self, open_desk: Callable[[], Desk], name: str) -> None:
        """Open another store and begin anew in its inbox."""
        if self.desk is not None:
            # Closed at the end: a job may still be asking it.
            self._scratch.callback(self.desk.close)
        self.desk, self.open_desk, self.store_name = None, open_desk, name
        self.marks, self.approved = Marks(), ()
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.open_store()

    def greet(self, desk: Desk) -> None:
        """Welcome whoever opens a store in which nothing is."""
        self.jobs.start(
            self, lambda: is_empty(desk), group="greet", description="looking what there is"
        )

    def on_store_found_empty(self, message: StoreFoundEmpty) -> None:
        """Open the welcome, unless the operator is elsewhere already."""
        if isinstance(self.screen, InboxScreen):
            from tui.screens.welcome import WelcomeScreen

            self.push_screen(WelcomeScreen())

    def show_browse(self) -> None:
        """Open the browser over all records."""
        from tui.screens.browse import BrowseScreen

        self.push_screen(BrowseScreen())

    def show_help(self, where: Where) -> None:
        """Open the help for a screen."""
        self.push_screen(HelpScreen(where))

    def request_quit(self) -> None:
        """Leave, asking first when marks would be left unapplied."""
        if self.applying:
            self.say("Still applying: the plan is finished first.", severity="warning")
        elif not self.marks.to_apply():
            self.exit()
        elif not any(isinstance(screen, QuitScreen) for screen in self.screen_stack):
            self.push_screen(QuitScreen())

    async def action_quit(self) -> None:
        """Leave by Textual's own key, with the same question."""
        self.request_quit()

    def on_unmount(self) -> None:
        """Release the store."""
        if self.desk is not None:
            self.desk.close()
        self._scratch.close()
