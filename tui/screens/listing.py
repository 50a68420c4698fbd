"""A list beside a card: what the inbox and the browser share."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content

from render.links import memory_url
from render.tree import Node
from render.visible import visible
from store.records import Claim, Review
from tui.actions import Action, Need
from tui.bars import KeyBar, TopBar
from tui.cards import is_flagged
from tui.detail import Card
from tui.filter_bar import FilterBar
from tui.filters import parse_filter, target_of
from tui.fixing import dangling
from tui.inbox_list import RowList
from tui.marks import Marked
from tui.messages import FilterClosed, FilterTyped, RecordEdited, RowHighlighted
from tui.rows import key_of, row_of
from tui.screens.paged import PagedScreen


class ListScreen(PagedScreen):
    """A filterable list on the left, the card of the row under the cursor on the right."""

    PLACE: ClassVar[str] = ""
    """The name of the screen in the header."""

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two panes."""
        yield TopBar(self.PLACE, id="top")
        with Container(id="panes"):
            with Vertical(id="list-pane"):
                yield FilterBar(id="filter")
                yield RowList(
                    marked=self.mark_of,
                    claimed=self.claim_of,
                    clock=self.inbox.clock,
                    mixed=self.LISTED is None,
                    id="rows",
                )
            yield Card(id="card")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin with the list; say why it is empty."""
        self.rows.focus()
        self.rows.border_title = self.list_title
        self.rows.notice = "Opening the store …"
        if self.inbox.desk is not None:
            self.reload()
        self.refresh_bars()

    @property
    def filter_bar(self) -> FilterBar:
        """The line where a filter is typed."""
        return self.query_one(FilterBar)

    @property
    def list_title(self) -> str:
        """The list's title."""
        return "Records"

    def mark_of(self, id: str) -> Marked | None:
        """Return the mark that a row carries."""
        return None

    def claim_of(self, id: str) -> Claim | None:
        """Return somebody else's claim on a draft."""
        return None

    def met(self) -> frozenset[Need]:
        """Tell what the list and the card allow."""
        row, needs = self.rows.row, set(super().met())
        if row is not None and not row.gone:
            needs.add(Need.ROW)
            on_card = self.shown is not None and row.key == key_of(self.shown.record)
            if on_card and not self.card.painting:
                needs.add(Need.CARD)
        if self.filtered:
            needs.add(Need.FILTER)
        if self.shown is not None and dangling(self.shown.links):
            needs.add(Need.DANGLING)
        if self.shown is not None and self.shown.record.provenance.source_session_id.strip():
            needs.add(Need.SESSION)
        if self.shown is not None and target_of(self.shown):
            needs.add(Need.TARGET)
        return frozenset(needs)

    def unmet(self, action: Action) -> str | None:
        """Return why an action cannot run; after a followed link, that the card shows another record."""
        why = super().unmet(action)
        if why is Need.CARD and self.shown is not None and not self.card.painting:
            return f"the card shows {self.shown.record.id}: esc goes back"
        return why

    def refuse(self, why: str) -> None:
        """Say it in the list's border."""
        self.echo(why)

    def acted(self) -> None:
        """Clear what was said."""
        self.echo("")

    def echo(self, text: str) -> None:
        """Say something short in the list's border, until the next action."""
        self.rows.say(text)

    def present(self, review: Review, node: Node) -> None:
        """Draw a review, and read ahead what comes next."""
        super().present(review, node)
        near = (self.rows.pages.key(line) for line in self.lines_ahead())
        self.read_ahead(key for key in near if key is not None)

    def lines_ahead(self) -> tuple[int, ...]:
        """Return the lines whose cards are likely to be wanted next."""
        cursor = self.rows.cursor
        return (cursor + 1, cursor + 2, cursor - 1)

    def on_row_highlighted(self, message: RowHighlighted) -> None:
        """Show the card of the row that the cursor came to."""
        row = message.row
        if row is None:
            self.want(None)
        elif (
            self.wanted is None  # the list was empty meanwhile
            or row.key != self.trail.here
            or (self.shown and self.shown.record.revision != row.revision)
        ):
            self.trail.start(row.key)
            self.want(row.key, row.revision)
        self.refresh_bars()

    # -- actions

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
        self.rows.jump(len(self.rows.pages) - 1)

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
            self.echo("this card has no links")

    def do_fix_link(self) -> None:
        """Fix the lit link, else the first that leads nowhere."""
        if self.shown is None:
            return
        stop = self.card.active_stop
        lit = [link for link in self.shown.links if stop and memory_url(link.target) == stop.target]
        faulty = dangling(lit) or dangling(self.shown.links)
        if faulty is not None:
            self.inbox.show_fix(faulty.target)

    def do_same_session(self) -> None:
        """Show what the same session wrote, or everything again."""
        if self.shown is not None:
            self._filter_or_not(f"from:{self.shown.record.provenance.source_session_id}")

    def do_same_target(self) -> None:
        """Show what is about the same record, or everything again."""
        if self.shown is not None and (id := target_of(self.shown)):
            self._filter_or_not(f"about:{id}")

    def _filter_or_not(self, text: str) -> None:
        if self.filter_bar.value == text:
            self.filter_bar.value = ""
            self.remove_class("-filtering")
        else:
            self.filter_by(text)

    def do_new(self) -> None:
        """Write a record."""
        self.inbox.show_new(like=self.shown.record if self.shown is not None else None)

    def do_list(self) -> None:
        """Go back to the list."""
        self.remove_class("-card-full")
        self.rows.focus()

    def do_filter(self) -> None:
        """Open the filter bar."""
        self.add_class("-filtering")
        self.remove_class("-card-full")
        self.filter_bar.focus()

    def record_edited(self, message: RecordEdited) -> None:
        """Show a record as it reads now."""
        record = message.after
        self.forget_reviews()
        self.rows.pages.replace(row_of(record, flagged=is_flagged(record)))
        self.rows.refresh()
        if self.trail.here == key_of(record):
            self.want(key_of(record))

    def store_changed(self) -> None:
        """Read everything again: it was changed from another screen."""
        self.forget_reviews()
        self.reload()

    def do_refresh(self) -> None:
        """Read the list again; open the store first if that failed."""
        if self.inbox.desk is None:
            self.rows.notice = "Opening the store …"
            self.inbox.open_store()
        else:
            self.forget_reviews()
            self.reload()

    def do_back(self) -> None:
        """Leave the innermost thing that is open."""
        if self.trail.behind:
            self.do_link_back()
        elif self.has_class("-card-full") or self.card.has_focus:
            self.do_list()
        elif self.rows.selection is not None:
            self.rows.end_range()
        elif self.filtered:
            self.filter_bar.value = ""
            self.remove_class("-filtering")
        else:
            self.leave()

    def leave(self) -> None:
        """Leave the screen: nothing inside is open any more."""
        self.inbox.pop_screen()

    def on_filter_typed(self, message: FilterTyped) -> None:
        """Filter the list by what is typed."""
        chosen = parse_filter(message.text)
        self.filter_bar.border_subtitle = Content(visible(" · ".join(chosen.problems)))
        if chosen != self.chosen:
            self.chosen = chosen
            self.card.find(chosen.words.split())
            self.reload()

    def filter_by(self, text: str) -> None:
        """Filter the list by a text as if it had been typed."""
        self.add_class("-filtering")
        self.filter_bar.value = text

    def on_filter_closed(self, message: FilterClosed) -> None:
        """Go back to the list, filtered or not."""
        if not message.kept:
            self.filter_bar.value = ""
        self.set_class(message.kept, "-filtering")
        self.rows.focus()

    # -- the bars

    def refresh_bars(self) -> None:
        """Draw the header and the footer anew."""
        top = self.query_one(TopBar)
        top.aside = self.inbox.store_name
        top.facts = self.facts()
        self.query_one(KeyBar).refresh()

    def facts(self) -> tuple[str, ...]:
        """Return what the header says, the most needed first."""
        total = len(self.rows.pages)
        return (f"{self.rows.cursor + 1 if total else 0}/{total}",)

    def on_descendant_focus(self) -> None:
        """Say what the keys do there."""
        if self.is_mounted:
            self.refresh_bars()
