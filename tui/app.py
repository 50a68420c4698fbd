"""The app: the inbox, and the ways that lead from screen to screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from datetime import datetime
from typing import Any, ClassVar

from textual.app import SystemCommand
from textual.screen import Screen
from textual.types import CSSPathType

from store.provider import Desk
from store.records import Record
from tui.actions import Where
from tui.claiming import Claiming
from tui.deciding import DecidingApp
from tui.desk_app import utc_now
from tui.keeping import Keeper
from tui.marks import Marks
from tui.messages import DeskOpened, DraftBegun, DraftWritten
from tui.onboarding import StoreFoundEmpty, is_empty
from tui.palette import commands_of
from tui.saving import read_like
from tui.screens.help import HelpScreen
from tui.screens.inbox import InboxScreen
from tui.screens.quit import QuitScreen
from tui.settings import DEFAULTS, Settings


class InboxApp(DecidingApp):
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
        super().__init__(
            open_desk,
            store_name=store_name,
            reviewer=reviewer,
            clock=clock,
            keeper=keeper,
            look_every=look_every,
            settings=settings,
        )
        self._scratch = ExitStack()

    def get_default_screen(self) -> Screen[None]:
        """Start in the inbox."""
        return InboxScreen()

    def on_desk_opened(self, message: DeskOpened) -> None:
        """Look whether there is anything to review."""
        self.greet(message.desk)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer the screen's actions, the saved filters and a few of Textual's own commands."""
        yield from commands_of(screen, self.settings.sections)
        for command in super().get_system_commands(screen):
            if command.title in {"Theme", "Screenshot"}:
                yield command

    def show_plan(self) -> None:
        """Open the plan."""
        from tui.screens.plan import PlanScreen

        self.push_screen(PlanScreen())

    def show_draft(self, id: str) -> None:
        """Put the inbox's cursor on a draft."""
        if isinstance(self.screen, InboxScreen):
            self.screen.go_to(id)

    def filter_inbox(self, text: str) -> None:
        """Go back to the inbox and filter it, as if the text had been typed there."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        if isinstance(self.screen, InboxScreen):
            self.screen.filter_by(text)

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
        if self.listening is not None:
            self.listening.close()
            self.listening = None
        self.desk, self.open_desk, self.store_name = None, open_desk, name
        self.marks, self.approved = Marks(), ()
        self.claiming = Claiming()
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

    def show_fix(self, name: str) -> None:
        """Open the fixing of a link that leads nowhere."""
        from tui.screens.fix import FixScreen

        self.push_screen(FixScreen(name))

    def show_new(self, title: str = "", like: Record | None = None) -> None:
        """Open the writing of a record.

        Args:
            title: to begin with.
            like: a record whose type, scope and project it begins with.
        """
        from tui.screens.new import NewScreen

        self.push_screen(NewScreen(title, like))

    def begin_draft(self, title: str, like: str) -> None:
        """Open the writing of a record, with the type and scope of another."""
        desk = self.desk
        if desk is not None:
            self.jobs.start(
                self,
                lambda: read_like(desk, title, like),
                group="new",
                description=f"reading {like}",
            )

    def on_draft_begun(self, message: DraftBegun) -> None:
        """Write it."""
        self.show_new(message.title, message.like)

    def on_draft_written(self, message: DraftWritten) -> None:
        """Tell the screens of a new draft."""
        self.say(f"{message.record.id} is a draft now.")
        self.tell(lambda screen: screen.draft_written(message.record, approve=message.approve))
        self.tell(lambda screen: screen.store_changed())

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
        """Remove the demo store."""
        self._scratch.close()
