"""A screen with a card: reads reviews in jobs, keeps some, follows links and comes back.

One chain of messages: something wants a record (`ReaderScreen.want`), its review is read in a job, arrives
(`ReviewRead`) and is shown. ``shown`` is what is on the card right now; decisions are about that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from textual import on

from render.tree import Group, Node, Text, TextStyle
from store.errors import NotFound
from store.records import Review
from tui.actions import Need
from tui.cards import hides_secrets
from tui.detail import Card, LinkFollowed
from tui.lists import AnyKey
from tui.messages import JobFailed, ReviewRead, SecretsUnmasked
from tui.paging import Key
from tui.reading import read_review, read_reviews, unmask
from tui.screens.base import DeskScreen
from tui.trail import Trail

KEPT_REVIEWS = 32


class ReaderScreen(DeskScreen):
    """Shows the card of what is wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: Review | None = None
        self.node: Node = Group(())  # what is on the card, while something is shown
        self.unmasked = False
        """Whether the card shows secrets."""
        self._masks = False  # whether there are any on it
        self.trail: Trail[AnyKey] = Trail()
        self.wanted: AnyKey | None = None
        """What is to be on the card, whether or not it was read yet."""
        self._reviews: OrderedDict[AnyKey, ReviewRead] = OrderedDict()
        self._ahead: set[AnyKey] = set()  # asked for by `read_ahead`, not there yet

    @property
    def card(self) -> Card:
        """The card."""
        return self.query_one(Card)

    def met(self) -> frozenset[Need]:
        """Tell where the trail of links leads."""
        needs = set(super().met())
        if self.shown is not None and self._masks:
            needs.add(Need.SECRETS)
        if self.trail.behind:
            needs.add(Need.BEHIND)
        if self.trail.ahead:
            needs.add(Need.AHEAD)
        return frozenset(needs)

    def do_secrets(self) -> None:
        """Show what is masked, or mask it."""
        review, now = self.shown, self.now
        if review is None:
            return
        if self.unmasked:
            self.mask()
        else:
            self.ask(
                lambda desk: unmask(review, now),
                group=f"{self.WHERE}:secrets",
                description="showing secrets",
            )

    def on_secrets_unmasked(self, message: SecretsUnmasked) -> None:
        """Show them, if their card still is there."""
        if message.review is self.shown:
            self.unmasked = True
            self.card.refresh_node(message.node)

    def mask(self) -> None:
        """Mask secrets again."""
        if self.unmasked:
            self.unmasked = False
            self.card.refresh_node(self.node)

    def on_screen_suspend(self) -> None:
        """Mask secrets when another screen comes."""
        self.mask()

    def want(self, key: AnyKey | None, revision: str | None = None) -> None:
        """Show a record's card: at once if it was read before, else when it is read.

        Args:
            key: the record; without a status the canonical one, else its draft. None clears the card.
            revision: what was read before must have it to be shown again; None takes any.
        """
        self.wanted = key
        self.shown = None
        if key is None:
            self.card.show(None)
            return
        read = self._reviews.get(key)
        if read is not None and revision in (None, read.review.record.revision):
            # The cursor is drawn first: painting a card takes longer than a held key leaves between.
            self.call_after_refresh(self._present_if_wanted, read)
            return
        clock = self.inbox.clock
        self.ask(
            lambda desk: read_review(desk, key, clock),
            group=f"{self.WHERE}:review",
            description=f"reading {key[0]}",
        )

    def recall_directory(self) -> str:
        """Return the project of the record that is shown."""
        return self.shown.record.project_root if self.shown is not None else ""

    def read_ahead(self, keys: Iterable[Key]) -> None:
        """Read records that are likely to be wanted next, so that they are shown at once."""
        wanted = [key for key in keys if key not in self._reviews and key not in self._ahead]
        if not wanted:
            return
        self._ahead.update(wanted)
        clock = self.inbox.clock
        self.ask(
            lambda desk: read_reviews(desk, wanted, clock, self.post_message),
            group=f"{self.WHERE}:ahead",
            description="reading ahead",
            exclusive=False,
        )

    def on_review_read(self, message: ReviewRead) -> None:
        """Keep a review; show it if it is the one that is waited for."""
        self._ahead.discard(message.asked)
        self._reviews[message.asked] = message
        self._reviews.move_to_end(message.asked)
        while len(self._reviews) > KEPT_REVIEWS:
            self._reviews.popitem(last=False)
        self._present_if_wanted(message)

    @on(JobFailed)
    def say_why_not(self, message: JobFailed) -> None:
        """Say on the card why a record cannot be shown: a link may lead nowhere."""
        if message.group == f"{self.WHERE}:review":
            failure = message.failure
            if failure.title == NotFound.title:
                message.stop()  # no defect: the card says it all
            title = Text(failure.title, TextStyle.WARNING)
            way = "[ goes back" if self.trail.behind else ""
            lines = (Text(f"\n{text}") for text in (failure.text, failure.hint, way) if text)
            self.card.show(Group((title, *lines)))

    def _present_if_wanted(self, read: ReviewRead) -> None:
        if read.asked != self.wanted:
            return
        self.shown, self.node = read.review, read.node
        self.unmasked, self._masks = False, hides_secrets(read.review)
        self.present(read.review, read.node)
        self.refresh_bars()

    def present(self, review: Review, node: Node) -> None:
        """Draw a review; screens take note here of what was seen."""
        self.card.show(node, review.record.id, length=len(review.record.content))

    def forget_reviews(self) -> None:
        """Read records anew before they are shown again: a change of one shows on the cards of others."""
        self._reviews.clear()
        self._ahead.clear()

    @on(LinkFollowed)
    def follow_link(self, message: LinkFollowed) -> None:
        """Show the record that a link leads to; the list stays where it is."""
        self.trail.visit((message.id, None))
        self.want((message.id, None))

    def do_link_back(self) -> None:
        """Show the record that the link was followed from."""
        if (key := self.trail.back()) is not None:
            self.want(key)

    def do_link_forward(self) -> None:
        """Show the record that was gone back from."""
        if (key := self.trail.forward()) is not None:
            self.want(key)
