"""A draft beside what is much like it, one after the other, as two cards or line by line."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from render.diff import diff
from render.tree import Group, Node, Text, TextStyle
from store.records import NearMatch, Review
from tui.actions import Action, Need, Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.lists import AnyKey
from tui.messages import ReviewRead
from tui.reading import read_review
from tui.screens.base import DeskScreen
from tui.screens.merge import MergeScreen


class CompareScreen(DeskScreen):
    """Two cards: the draft and one of its likes.

    Args:
        review: of the draft; its ``near`` is not empty.
        node: its card.
    """

    WHERE = Where.COMPARE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.COMPARE)]

    def __init__(self, review: Review, node: Node) -> None:
        super().__init__()
        self.review = review
        self.node = node
        self.at = 0
        self.other: ReviewRead | None = None
        self._as_lines = False

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two cards."""
        yield TopBar("Compare", id="top")
        with Container(id="panes"):
            yield Card(id="mine")
            yield Card(id="like")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Show the draft and the first that is like it."""
        self.mine.show(self.node, self.review.record.id, "this draft")
        self.like.focus()
        self.read()

    @property
    def mine(self) -> Card:
        """The draft's card."""
        return self.query_one("#mine", Card)

    @property
    def like(self) -> Card:
        """The card of what is like it."""
        return self.query_one("#like", Card)

    @property
    def near(self) -> NearMatch:
        """What the draft is compared with now."""
        return self.review.near[self.at]

    @property
    def key(self) -> AnyKey:
        """The record that the draft is compared with."""
        return (self.near.id, self.near.status)

    def met(self) -> frozenset[Need]:
        """Merging is offered once both can be seen."""
        needs = super().met() | {Need.SETTLED}
        return needs | {Need.MERGEABLE} if self.other is not None else needs

    def read(self) -> None:
        """Read what the draft is compared with."""
        self.other = None
        key, clock = self.key, self.inbox.clock
        self.ask(
            lambda desk: read_review(desk, key, clock),
            group="compare",
            description=f"reading {key[0]}",
        )
        self.refresh_bars()

    def on_review_read(self, message: ReviewRead) -> None:
        """Show what the draft is compared with."""
        if message.asked == self.key:
            self.other = message
            self.draw()

    def draw(self) -> None:
        """Show both texts, or what differs."""
        if self.other is None:
            return
        record = self.other.review.record
        likeness = f"{self.near.likeness:.0f} % alike"
        if self._as_lines:
            compared = diff(record.content, self.review.record.content)
            said = Text("as it is → as the draft has it", TextStyle.DIM)
            node: Node = Group((Group((said,)), compared))
            if not compared.hunks:
                node = Group((Text("The two texts are the same."),))
            self.like.show(node, f"{record.id} → {self.review.record.id}", likeness)
        else:
            self.like.show(self.other.node, record.id, f"{record.status.value} · {likeness}")
        self.refresh_bars()

    def refresh_bars(self) -> None:
        """Say which of how many is shown."""
        bar = self.query_one(TopBar)
        bar.facts = (
            f"{self.at + 1}/{len(self.review.near)} like it",
            f"{self.near.likeness:.0f} %",
        )
        self.query_one(KeyBar).refresh()

    def footer_words(self, action: Action) -> str:
        """Say what the key for differences leads to."""
        if action.id == "differences" and self._as_lines:
            return "both texts"
        return super().footer_words(action)

    def do_next_near(self) -> None:
        """The next that is like it."""
        self._go(1)

    def do_previous_near(self) -> None:
        """The one before."""
        self._go(-1)

    def _go(self, by: int) -> None:
        self.at = (self.at + by) % len(self.review.near)
        self.read()

    def do_differences(self) -> None:
        """Show what differs, or both texts again."""
        self._as_lines = not self._as_lines
        self.draw()

    def do_merge(self) -> None:
        """Compose one text of the two."""
        record = self.review.record
        self.app.switch_screen(MergeScreen(self.key, [(record.id, record.status)]))
