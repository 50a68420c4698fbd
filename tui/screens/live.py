"""A list of drafts that keeps up with a store others write to, without moving under the cursor.

New drafts go above the view. Drafts that change are drawn anew; drafts that go stay as a struck-out line
until the list is read again. A decision about a draft that changed while its card was in view asks to look
once more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from textual import events
from textual.timer import Timer

from render.tree import Node
from store.provider import Desk
from store.records import Claim, Record, RecordStatus, Review
from tui.actions import BY_ID, Action, Need, spell_key
from tui.bars import TopBar
from tui.cards import known_flag
from tui.claiming import has_expired, words_of
from tui.messages import JobFailed, LookedAgain, LookFailed
from tui.reading import look_again
from tui.rows import key_of, row_of
from tui.screens.listing import ListScreen

SLOWER = (
    5  # times, for providers without a journal, and for stores that tell when they are written to
)
SOON = 0.1  # seconds from a write that is told to the look


class LiveScreen(ListScreen):
    """Looks at the store again every few seconds, and whenever the terminal comes to the front."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: int | None = None  # the last line of the journal
        self._looking = False
        self._soon: Timer | None = None
        self._turn = 0
        self._changed_in_view: str | None = None
        self.fresh = 0
        """How many drafts came since the list was read."""
        self.claims: dict[str, Claim] = {}
        """What others are about to decide, by id."""

    def marked_ids(self) -> Collection[str]:
        """Return the ids of drafts whose change matters though they may not be listed."""
        return ()

    def drafts_touched(self, reasons: Mapping[str, str], revisions: Mapping[str, str]) -> None:
        """Take note that drafts may not be what they were: changed, decided elsewhere, withdrawn.

        Args:
            reasons: a few words for each.
            revisions: what each is now; those that are gone have none.
        """

    def on_mount(self) -> None:
        """Look again from now on."""
        if self.inbox.look_every:
            self.set_interval(self.inbox.look_every, self._look_in_turn)

    def _look_in_turn(self) -> None:
        """Look, but less often where looking means reading all drafts, or where the store tells of writes."""
        self._turn += 1
        desk, told = self.inbox.desk, self.inbox.listening
        seldom = desk is None or "history" in desk.missing or (told is not None and told.hears)
        if not seldom or self._turn % SLOWER == 0:
            self.look()

    def store_written(self) -> None:
        """Look soon: what is written together is looked at together, and so is what comes meanwhile."""
        if self._soon is None:
            self._soon = self.set_timer(SOON, self._look_soon)

    def _look_soon(self) -> None:
        self._soon = None
        if self._looking:
            self.store_written()
        else:
            self.look()

    def on_app_focus(self, event: events.AppFocus) -> None:
        """Look at once: the operator is back."""
        self.look()

    def busy(self) -> bool:
        """Tell whether this is no time to look."""
        unread = self.inbox.desk is None or self.rows.chosen is None
        return unread or self._looking or self.inbox.applying

    def look(self) -> None:
        """Look at the store again, off the UI thread; one look at a time."""
        if self.busy():
            return
        self._looking = True
        since, known, marked = self._seen, self.rows.pages.has, frozenset(self.marked_ids())
        chosen, clock = self.chosen, self.inbox.clock
        self.ask(
            lambda desk: look_again(desk, since, known, marked, chosen, self.LISTED, clock),
            group=f"{self.WHERE}:look",
            description="looking for new drafts",
            exclusive=False,
        )

    def list_shown(self) -> None:
        """Begin to look from here: what the list holds now is known."""
        self.fresh = 0
        self.look()

    def on_job_failed(self, message: JobFailed) -> None:
        """Look again another time."""
        if message.group == f"{self.WHERE}:look":
            self._looking = False

    def on_look_failed(self, message: LookFailed) -> None:
        """Say that the store is away, calmly: the next look may find it."""
        self._looking = False
        self.query_one(TopBar).alert = message.failure.title.lower()

    def on_looked_again(self, message: LookedAgain) -> None:
        """Draw what came, changed and went."""
        news = message.news
        self._looking = False
        self.query_one(TopBar).alert = ""
        self.show_claims(news.claims)
        if news.chosen != self.rows.chosen:
            return
        self._seen = news.seq
        if news.overrun:
            self.reload()
        elif news.counts is not None:
            self.counts = news.counts
            reasons = self._draw_changed(news.changed) | self._draw_gone(news.gone)
            self.drafts_touched(reasons, {record.id: record.revision for record in news.changed})
            came = self.rows.pages.prepend(news.fresh)
            if came or reasons:
                self.forget_reviews()
                self._show_change(news.changed)
                self.rows.refresh()
            if came:
                self.fresh += came
                self.rows.lines_prepended(came)
                self.echo(f"{came} new above" if came > 1 else "1 new draft above")
            self.refresh_bars()

    def claim_of(self, id: str) -> Claim | None:
        """Return somebody else's claim on a draft."""
        return self.claims.get(id)

    def show_claims(self, claims: Collection[Claim]) -> None:
        """Show what others have claimed now, in the list and on the card."""
        now = {claim.id: claim for claim in claims}
        if now or self.claims:  # even those that were known expire
            self.claims = now
            self.rows.refresh()
            self._say_claim()
            self.refresh_bars()

    def _say_claim(self) -> None:
        record = self.shown.record if self.shown is not None else None
        claim = self.claim_of(record.id) if record is not None and record.pending else None
        self.card.say(words_of(claim, self.now) if claim is not None else "")

    def present(self, review: Review, node: Node) -> None:
        """Draw a review, and who is about to decide it."""
        super().present(review, node)
        self._say_claim()

    def _draw_changed(self, records: Collection[Record]) -> dict[str, str]:
        """Draw drafts that have another revision now; returns those that have, or are not in the list."""
        reasons: dict[str, str] = {}
        pages = self.rows.pages
        for record in records:
            line = pages.line(key_of(record))
            row = pages.row(line) if line is not None else None
            if row is None or row.revision != record.revision:
                reasons[record.id] = "has changed"
                pages.replace(row_of(record, flagged=known_flag(record)))
        return reasons

    def _show_change(self, records: Collection[Record]) -> None:
        """Show the draft on the card anew if it is among those that changed."""
        shown = self.shown.record if self.shown is not None else None
        for record in records:
            if (
                shown is not None
                and key_of(record) == key_of(shown)
                and record.revision != shown.revision
            ):
                self._changed_in_view = record.id
                self.want(key_of(record))

    def _draw_gone(self, gone: Mapping[str, str]) -> dict[str, str]:
        """Strike drafts out that are none any more."""
        pages = self.rows.pages
        for id, words in gone.items():
            key = (id, RecordStatus.PENDING)
            line = pages.line(key)
            row = pages.row(line) if line is not None else None
            if row is not None:
                pages.replace(replace(row, gone=words))
        return dict(gone)

    def met(self) -> frozenset[Need]:
        """A draft that changed while it was in view has to be looked at once more."""
        needs = set(super().met())
        row = self.rows.row
        if row is not None and not row.gone and row.id != self._changed_in_view:
            needs.add(Need.UNCHANGED)
        claim = self.claim_of(row.id) if row is not None else None
        if claim is None:
            needs.add(Need.FREE)
        elif has_expired(claim, self.now):
            needs.add(Need.EXPIRED)
        return frozenset(needs)

    def unmet(self, action: Action) -> str | None:
        """Return why an action cannot run: of a draft that somebody else has, who and until when."""
        why, row = super().unmet(action), self.rows.row
        claim = self.claim_of(row.id) if why is Need.FREE and row is not None else None
        if claim is None:
            return why
        words = words_of(claim, self.now)
        key = spell_key(self.inbox.key_of(BY_ID["take_over"]))
        return f"{words}: {key} takes it over" if has_expired(claim, self.now) else words

    def refuse(self, why: str) -> None:
        """Once the operator was told of a change, the next key decides."""
        if why.endswith(Need.UNCHANGED):
            self._changed_in_view = None
        super().refuse(why)

    def desk_opened(self, desk: Desk) -> None:
        """Read the list; what was seen of another desk counts no more."""
        self._seen = None
        self.claims = {}
        super().desk_opened(desk)
