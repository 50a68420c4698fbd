"""What every screen shares: actions from the one table, jobs, the desk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, cast

from textual.actions import SkipAction
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, TextArea

from store.provider import Desk
from store.records import Claim, Record
from tui.actions import BY_ID, Action, Group, Need, Where, footer_of, writes
from tui.failures import Failure
from tui.messages import PlanApplied, RecordEdited, RecordsMerged, TakenBack
from tui.plan import PlanLine

if TYPE_CHECKING:
    from tui.app import InboxApp


class DeskScreen(Screen[None]):
    """A screen over the desk, whose keys come from the table of actions.

    A subclass sets ``WHERE``, ``BINDINGS = bindings_of(WHERE)``, ``do_<id>`` for each action,
    and `met` where an action needs something.
    """

    WHERE: ClassVar[Where]

    @property
    def inbox(self) -> InboxApp:
        """The app, by its own type."""
        return cast("InboxApp", self.app)

    @property
    def now(self) -> datetime:
        """The time by the app's clock: ages are counted from here."""
        return self.inbox.clock()

    def desk_opened(self, desk: Desk) -> None:
        """Take note that the desk can be asked; called once for screens that were there before."""

    def store_written(self) -> None:
        """Take note that somebody has written to the store."""

    def desk_refused(self, failure: Failure) -> None:
        """Take note that the store could not be opened."""

    def item_settled(self, line: PlanLine, failure: Failure | None) -> None:
        """Take note that a draft of the plan was decided, or could not be."""

    def drafts_claimed(self, claims: Sequence[Claim]) -> None:
        """Take note that others have claimed drafts that were marked here."""

    def plan_applied(self, message: PlanApplied) -> None:
        """Take note that the plan was carried out."""

    def taken_back(self, message: TakenBack) -> None:
        """Take note that approvals were taken back."""

    def records_merged(self, message: RecordsMerged) -> None:
        """Take note that drafts were merged into one."""

    def record_edited(self, message: RecordEdited) -> None:
        """Take note that a record's title or text was changed."""

    def store_changed(self) -> None:
        """Take note that records were changed from another screen: what was read of them is old."""

    def draft_written(self, record: Record, *, approve: bool) -> None:
        """Take note that the operator wrote a new draft, to be approved or not."""

    def met(self) -> frozenset[Need]:
        """Return which needs of actions hold now; those of the app are known to all screens."""
        needs = {Need.DESK} if self.inbox.desk is not None else set()
        return frozenset(needs | ({Need.CHANGED} if self.inbox.reversals else set()))

    def unmet(self, action: Action) -> str | None:
        """Return why an action cannot run: what the provider lacks, else a need that does not hold."""
        desk = self.inbox.desk
        for name in (*action.uses, *writes(action.id)):
            if desk is not None and name in desk.missing:
                return desk.missing[name]
        met = self.met()
        return next((need for need in action.needs if need not in met), None)

    def footer_words(self, action: Action) -> str:
        """Return an action's label in the footer; screens add numbers to it."""
        return action.label

    def footer_actions(self) -> tuple[Action, ...]:
        """Return what the footer may show now, most needed first.

        Of the bar that is typed in, nothing else; of the card, before what its keys leave of the screen's.
        """
        here = footer_of(self.WHERE)
        inside = getattr(self.focused, "WHERE", None)
        if inside is None or not getattr(self.focused, "stops", True):  # a card without links
            return here
        if isinstance(self.focused, Input | TextArea):
            return footer_of(inside)
        taken = {key for action in footer_of(inside) for key in action.key_names}
        return (*footer_of(inside), *(a for a in here if taken.isdisjoint(a.key_names)))

    def action_act(self, id: str) -> None:
        """Run an action of the table, or say why it cannot run now.

        While one types, decisions do not run: not by a control key, not by a click.
        """
        self.acted()
        action = BY_ID[id]
        focused = self.focused
        if self.WHERE not in action.where and focused is not None:
            # A click, not a key: nobody else is asked when there is nothing to do.
            with suppress(SkipAction):
                getattr(focused, f"do_{id}")()
            return
        if action.group is Group.DECIDE and isinstance(focused, Input | TextArea):
            return
        if (reason := self.unmet(action)) is not None:
            self.refuse(f"{action.label}: {reason}")
            return
        getattr(self, f"do_{id}")()

    def acted(self) -> None:
        """Take note that an action begins: what was said of the one before is old."""

    def refuse(self, why: str) -> None:
        """Say why an action does not run; screens with a calmer place than a notice use that."""
        self.inbox.say(why, severity="warning")

    def ask(
        self,
        question: Callable[[Desk], Message | None],
        *,
        group: str,
        description: str,
        exclusive: bool = True,
    ) -> None:
        """Ask the desk something off the UI thread; the message returned is posted to this screen.

        Nothing happens while the store is not open: `DeskOpened` is the time to ask then.
        """
        desk = self.inbox.desk
        if desk is not None:
            self.inbox.jobs.start(
                self,
                lambda: question(desk),
                group=group,
                description=description,
                exclusive=exclusive,
            )

    def refresh_bars(self) -> None:
        """Draw the header and the footer anew."""

    def recall_directory(self) -> str:
        """Return where recall is tried first; empty for this process's own directory."""
        return ""

    def do_show_links(self) -> None:
        """Open the links of the store."""
        from tui.screens.links import LinksScreen

        self.inbox.push_screen(LinksScreen())

    def do_show_recall(self) -> None:
        """Open the preview of what an agent would be given."""
        from tui.screens.recall import RecallScreen

        self.inbox.push_screen(RecallScreen(self.recall_directory()))

    def do_show_history(self) -> None:
        """Open the journal and the trash."""
        from tui.screens.history import HistoryScreen

        self.inbox.push_screen(HistoryScreen())

    def do_change_back(self) -> None:
        """Take the last change of a record back."""
        self.inbox.change_back()

    def do_show_queue(self) -> None:
        """Open the state of the queue."""
        from tui.screens.queue import QueueScreen

        self.inbox.push_screen(QueueScreen())

    def do_show_import(self) -> None:
        """Open the import of a folder."""
        from tui.screens.importing import ImportScreen

        self.inbox.push_screen(ImportScreen())

    def do_help(self) -> None:
        """Say what the keys do here."""
        self.inbox.show_help(self.WHERE)

    def do_palette(self) -> None:
        """Open the command palette."""
        self.app.action_command_palette()

    def do_back(self) -> None:
        """Leave this screen."""
        self.inbox.pop_screen()

    def do_quit(self) -> None:
        """Leave the app, asking first when something would be lost."""
        self.inbox.request_quit()
