"""A list of things beside a card: what the screens for links, history and folders share."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical

from tui.actions import Need
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.item_list import ItemList
from tui.screens.reader import ReaderScreen


class ItemScreen(ReaderScreen):
    """Things on the left; on the right the card of one, and of the records that it leads to."""

    PLACE: ClassVar[str] = ""
    """The name of the screen in the header."""

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two panes."""
        yield TopBar(self.PLACE, id="top")
        with Container(id="panes"):
            with Vertical(id="list-pane"):
                yield ItemList(id="items")
            yield Card(id="card")
        yield KeyBar(id="keys")

    @property
    def rows(self) -> ItemList:
        """The list."""
        return self.query_one(ItemList)

    def met(self) -> frozenset[Need]:
        """Tell whether there is a thing under the cursor."""
        needs = set(super().met())
        if self.rows.item is not None:
            needs.add(Need.ROW)
        return frozenset(needs)

    def refuse(self, why: str) -> None:
        """Say it in the list's border."""
        self.rows.say(why)

    def acted(self) -> None:
        """Clear what was said."""
        self.rows.say("")

    def refresh_bars(self) -> None:
        """Draw the header and the footer anew."""
        top = self.query_one(TopBar)
        top.aside = self.inbox.store_name
        top.facts = self.facts()
        self.query_one(KeyBar).refresh()

    def facts(self) -> tuple[str, ...]:
        """Return what the header says, the most needed first."""
        return ()

    def do_down(self) -> None:
        """Next row."""
        self.rows.move(1)

    def do_up(self) -> None:
        """Row before."""
        self.rows.move(-1)

    def do_page_down(self) -> None:
        """A screen of rows on."""
        self.rows.page(1)

    def do_page_up(self) -> None:
        """A screen of rows back."""
        self.rows.page(-1)

    def do_first(self) -> None:
        """First row."""
        self.rows.jump(0)

    def do_last(self) -> None:
        """Last row."""
        self.rows.jump(self.rows.line_count() - 1)

    def do_open(self) -> None:
        """Give the card the whole screen, or give it back."""
        self.toggle_class("-card-full")
        (self.card if self.has_class("-card-full") else self.rows).focus()

    def do_card(self) -> None:
        """Go into the card."""
        self.card.focus()

    def do_links(self) -> None:
        """Go to the first link of the card, or back to the list."""
        if self.card.has_focus:
            self.do_list()
        elif self.card.stops:
            self.card.focus()
            self.card.do_next_link()
        else:
            self.refuse("this card has no links")

    def do_list(self) -> None:
        """Go back to the list."""
        self.remove_class("-card-full")
        self.rows.focus()

    def do_back(self) -> None:
        """Leave the innermost thing that is open."""
        if self.trail.behind:
            self.do_link_back()
        elif self.has_class("-card-full") or self.card.has_focus:
            self.do_list()
        else:
            self.inbox.pop_screen()
