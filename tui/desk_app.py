"""An app over a desk: opens it off the UI thread, delivers what jobs find out, draws every failure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from textual import events
from textual.app import App
from textual.notifications import SeverityLevel
from textual.worker import Worker

from render.visible import visible
from store.provider import Desk, Listening
from tui.actions import Action
from tui.cards import judge_by
from tui.editing import shown_text
from tui.failures import Failure
from tui.jobs import Jobs
from tui.keeping import Keeper
from tui.messages import DeskOpened, JobFailed, StoreWritten
from tui.screens.base import DeskScreen
from tui.settings import DEFAULTS, Settings


def utc_now() -> datetime:
    """Return the time, aware, in UTC."""
    return datetime.now(UTC)


class DeskApp(App[None]):
    """An app whose screens ask one desk. For the arguments see `tui.app.InboxApp`."""

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
        self.keeper = keeper
        self.look_every = look_every
        self.settings = settings
        judge_by(settings.policy)
        self.desk: Desk | None = None
        self.listening: Listening | None = None
        self.jobs = Jobs(self)

    def on_mount(self) -> None:
        """Open the store once something is on the screen: importing it takes longer than painting."""
        if self.settings.theme:
            self.theme = self.settings.theme
        self.set_keymap(self.settings.keymap)
        if self.settings.problems:
            problems = "\n".join(self.settings.problems)
            self.say(problems, title="Settings left out", severity="warning")
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
        """Tell every screen that the desk can be asked."""
        self.desk = message.desk
        if self.look_every:
            self.listening = message.desk.listen(lambda: self.post_message(StoreWritten()))
        self.tell(lambda screen: screen.desk_opened(message.desk))

    async def on_event(self, event: events.Event) -> None:
        """Make visible what is pasted before any field gets it, Textual's own among them."""
        if isinstance(event, events.Paste):
            event.text = shown_text(event.text)
        await super().on_event(event)

    def on_store_written(self, message: StoreWritten) -> None:
        """Tell every screen that there may be something new."""
        self.tell(lambda screen: screen.store_written())

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Deliver what jobs found out, and what went wrong in them."""
        self.jobs.settle(event)

    def on_job_failed(self, message: JobFailed) -> None:
        """Draw a failure; where the store did not open, let the screens say so in place of what they show."""
        self.draw(message.failure)
        if message.group == "open":
            self.tell(lambda screen: screen.desk_refused(message.failure))

    def draw(self, failure: Failure) -> None:
        """Draw a failure: what, while doing what, and how to mend it."""
        text = f"While {failure.doing}: {failure.text}"
        self.say(
            f"{text}\n{failure.hint}" if failure.hint else text,
            title=failure.title,
            severity="error",
        )

    def tell(self, tell: Callable[[DeskScreen], None]) -> None:
        """Tell every screen of the stack."""
        for screen in self.screen_stack:
            if isinstance(screen, DeskScreen):
                tell(screen)

    def say(self, text: str, *, title: str = "", severity: SeverityLevel = "information") -> None:
        """Show a notice; the text is never read as markup, and only reaches the terminal visible."""
        shown = visible(text, newlines=True, tab=4)
        self.notify(shown, title=visible(title), severity=severity, markup=False)

    def key_of(self, action: Action) -> str:
        """Return the first key of an action, as the keymap has it, by Textual's name."""
        keys = self._keymap.get(action.id)
        return keys.split(",")[0] if keys else action.key_names[0]

    def on_unmount(self) -> None:
        """Release the store."""
        if self.desk is not None:
            self.desk.close()
