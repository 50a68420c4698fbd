"""What a sitting knows: the marks, the list at hand, the card that was read last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from store.errors import NotFound
from store.provider import Desk
from store.records import JournalEntry, Record, RecordStatus, Review, TrashItem
from tui.cards import is_flagged, judge_by, node_of
from tui.claiming import (
    RENEWED_EVERY,
    Claiming,
    claims_of_others,
    tell_lost,
    to_claim,
    words_of,
)
from tui.failures import Failure
from tui.filters import parse_filter
from tui.fixing import Fixed
from tui.keeping import Keeper
from tui.linear.listing import Listing
from tui.linear.speaking import Target, Voice, amount, brief, targets_of
from tui.linkmap import Target as NamedTarget
from tui.lists import AnyKey, find_review
from tui.live import newest_line
from tui.marks import DECIDED, Marks
from tui.pace import Pace
from tui.plan import Plan
from tui.queue import Share
from tui.rows import key_of, row_of
from tui.settings import DEFAULTS, Settings
from tui.trail import Trail

Name: TypeAlias = NamedTarget | str
"""A name that links use with the places that use it, or the id of a record that nothing is tied to."""


@dataclass(slots=True)
class Sitting:
    """One operator at one store.

    Args:
        keeper: keeps the marks; None loses them at the end.
        at: the place in the list where one is, -1 before the first.
        opened: id and revision of every draft whose card was read out.
        listed: id and revision of every row that was read out.
        approved: ids that the last plan approved.
        planned: the plan that was read out last.
        targets: where the links lead that were read out last, of a card or of a name.
        names: what was listed last of all links of the store.
        named: the place in them of what was read out last.
        folders: those that were found and can be imported by number.
        seen: the last line of the journal that is known.
        answers: how many commands were obeyed.
        applied: how many drafts were decided in the store.
        shares: the groups of drafts that were said last.
        fixes: fixes of links that can be taken back, the last one last.
    """

    desk: Desk
    voice: Voice
    clock: Callable[[], datetime]
    reviewer: str = ""
    store_name: str = ""
    keeper: Keeper | None = None
    settings: Settings = DEFAULTS
    marks: Marks = field(default_factory=Marks)
    drafts: Listing = field(
        default_factory=lambda: Listing("draft", parse_filter(""), status=RecordStatus.PENDING)
    )
    listing: Listing = field(init=False)
    at: int = -1
    card: Review | None = None
    trail: Trail[AnyKey] = field(default_factory=Trail)
    opened: set[tuple[str, str]] = field(default_factory=set)
    listed: set[tuple[str, str]] = field(default_factory=set)
    approved: tuple[str, ...] = ()
    planned: Plan | None = None
    targets: tuple[Target, ...] = ()
    names: tuple[Name, ...] = ()
    named: int = 0
    folders: tuple[Path, ...] = ()
    seen: int = 0
    answers: int = 0
    applied: int = 0
    shares: tuple[Share, ...] = ()
    fixes: list[Fixed] = field(default_factory=list)
    trash: tuple[TrashItem, ...] = ()
    journal: tuple[str | None, tuple[JournalEntry, ...]] = (None, ())
    left: bool = False
    claiming: Claiming = field(default_factory=Claiming)
    _renewed: datetime | None = None
    pace: Pace = field(init=False)
    _serial: int = 0

    def __post_init__(self) -> None:
        judge_by(self.settings.policy)
        self.listing = self.drafts
        self.pace = Pace(self.clock(), self.decided)

    @property
    def decided(self) -> int:
        """How many drafts are decided: those with a mark, and those whose mark was applied."""
        return self.applied + sum(marked.mark in DECIDED for marked in self.marks)

    def say(self, *lines: str) -> None:
        """Say lines."""
        self.voice.say(*lines)

    def fail(self, failure: Failure) -> None:
        """Say what went wrong, and how to mend it."""
        hint = f" {failure.hint}" if failure.hint else ""
        self.say(f"{failure.title}, {failure.doing}: {failure.text}.{hint}")

    def keep_marks(self) -> None:
        """Keep the marks: the input may end any time."""
        self.pace.note(self.decided, self.clock())
        if self.keeper is not None:
            self._serial += 1
            try:
                self.keeper.write(self._serial, tuple(self.marks))
            except OSError as error:
                self.say(f"The marks could not be kept: {error}")

        self.settle_claims(renew=False)

    def renew_claims(self) -> None:
        """Renew the claims on what is marked, if it is time."""
        since = self._renewed or self.clock()
        if (self.clock() - since).total_seconds() >= RENEWED_EVERY:
            self.settle_claims(renew=True)

    def settle_claims(self, *, renew: bool) -> None:
        """Have the store know what is marked; marks on what others have fall."""
        if renew or self._renewed is None:
            self._renewed = self.clock()
        refused = self.claiming.settle(self.desk, to_claim(self.marks), renew=renew)
        for id, why in tell_lost(refused, self.clock()).items():
            self.drop_mark(id, why)

    def read_list(self, listing: Listing) -> None:
        """Read a list anew and be at none of its rows; what comes from now on is news."""
        if listing is self.drafts:
            self.seen = newest_line(self.desk)
        listing.read(self.desk, self.clock())
        self.listing, self.at = listing, -1

    def open_place(self, place: int) -> None:
        """Go to a row and read its card out."""
        row = self.listing.rows[place]
        self.at = place
        self.trail.start(row.key)
        if row.gone:
            self.card = None
            self.say(f"{self._position()}: {row.id} {row.gone}.")
            return
        try:
            self.read_card(row.key)
        except NotFound:
            self.card = None
            self.listing.leave(row.id, "is gone")
            self.say(f"{self._position()}: {row.id} is gone.")
            self.drop_mark(row.id, "is gone")

    def read_card(self, key: AnyKey) -> None:
        """Read the card of a record out, the facts first.

        Raises:
            NotFound: there is no such record.
        """
        review = find_review(self.desk, key)
        record, node = review.record, node_of(review, self.clock())
        self.card, self.targets = review, targets_of(node)
        self._note_seen(record)
        row = self.listing.rows[self.at] if 0 <= self.at < len(self.listing.rows) else None
        here = f"{self._position()}: " if row is not None and row.key == key_of(record) else ""
        marked = self.marks.get(record.id) if record.pending else None
        state = f", marked {marked.mark}" if marked else self._claimed(record)
        self.say(f"{here}{record.id}{state}.")
        self.voice.show(node)
        links = amount(len(self.targets), "link")
        self.say(f"End of {brief(record.id)}. {links}.")

    def _claimed(self, record: Record) -> str:
        claims = claims_of_others(self.desk) if record.pending else ()
        found = (claim for claim in claims if claim.id == record.id)
        return next((f", {words_of(claim, self.clock())}" for claim in found), "")

    def visit(self, key: AnyKey) -> None:
        """Read the card of a record out that one was led to, from where one can go back.

        Raises:
            NotFound: there is no such record.
        """
        self.read_card(key)
        self.trail.visit(key)

    def _position(self) -> str:
        return f"{self.listing.place.capitalize()} {self.at + 1} of {len(self.listing.rows)}"

    def _note_seen(self, record: Record) -> None:
        """Take note that a draft was seen; a mark on an older text falls."""
        if not record.pending:
            return
        self.opened.add((record.id, record.revision))
        place = self.listing.place_of(key_of(record))
        if place is not None:
            self.listing.rows[place] = row_of(record, flagged=is_flagged(record))
        marked = self.marks.get(record.id)
        if marked is not None and marked.revision != record.revision:
            self.drop_mark(record.id, "has changed")

    def drop_mark(self, id: str, why: str) -> None:
        """Drop the mark of a draft that is not what was marked, and say so."""
        for marked in self.marks.forget(id):
            self.say(f"Mark dropped: {id} {why} ({marked.mark}).")
            self.keep_marks()
