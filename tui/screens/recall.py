"""What an agent would be given: recall for a directory, files and a budget, with what was dropped and why."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from render.tree import Node
from render.visible import visible
from store.provider import Desk
from store.records import RecallRequest, Review
from tui.actions import Need, Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.item_list import Item, ItemHighlighted, ItemList
from tui.recalling import Line, Preview, budget_words, lines, preview, to_approve
from tui.screens.items import ItemScreen
from tui.text_area import LineEditor

BUDGET = 2000  # tokens; what a provider asks for by default


@dataclass
class RecallPreviewed(Message):
    """Recall was tried."""

    preview: Preview


class RecallScreen(ItemScreen):
    """Asks on top; below, the records in rank order with a line where the budget ends.

    Args:
        directory: where the agent would work; this process's own when empty.
    """

    WHERE = Where.RECALL
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.RECALL)]
    PLACE = "Recall"

    def __init__(self, directory: str = "") -> None:
        super().__init__()
        self.directory = directory or os.getcwd()
        self.with_drafts = False
        self.after = False
        self.preview: Preview | None = None

    def compose(self) -> ComposeResult:
        """Lay out the question, the budget and the two panes."""
        yield TopBar(self.PLACE, id="top")
        with Horizontal(id="question"):
            for name, title, value in (
                ("directory", "directory", self.directory),
                ("files", "files touched", ""),
                ("budget", "budget, tokens", str(BUDGET)),
            ):
                box = LineEditor(visible(value), id=name, compact=True, select_on_focus=False)
                box.border_title = title
                yield box
        yield Static(id="budget-bar")
        with Container(id="panes"):
            with Vertical(id="list-pane"):
                yield ItemList(id="items")
            yield Card(id="card")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Ask with what is known."""
        self.rows.focus()
        self.rows.border_title = "In the order of their score"
        self.do_refresh()

    def desk_opened(self, desk: Desk) -> None:
        """Ask again."""
        self.do_refresh()

    def request(self) -> RecallRequest:
        """Return the question as it stands; what is no number is no budget."""
        budget = self.query_one("#budget", Input).value.strip()
        return RecallRequest(
            token_budget=int(budget) if budget.isdecimal() else 0,
            files_touched=tuple(self.query_one("#files", Input).value.split()),
            working_directory=self.query_one("#directory", Input).value.strip(),
            include_pending=self.with_drafts,
        )

    def do_refresh(self) -> None:
        """Ask the store."""
        request = self.request()
        approved = to_approve(self.inbox.marks) if self.after else None
        self.ask(
            lambda desk: RecallPreviewed(preview(desk, request, approved)),
            group="recall",
            description="trying recall",
        )
        self.refresh_bars()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Ask with every key: the answer is there before the next."""
        event.stop()
        self.do_refresh()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the answer."""
        event.stop()
        self.rows.focus()

    def on_recall_previewed(self, message: RecallPreviewed) -> None:
        """Show the answer."""
        seen = self.preview = message.preview
        self.rows.notice = "Nothing would be given: no approved record applies here."
        # The cursor stays on its record: what changed around it is what one looks for.
        here = self.rows.item.name if self.rows.item else ""
        items = items_of(seen)
        names = [item.name for item in items]
        self.rows.show(items, cursor=names.index(here) if here in names else 0)
        bar = self.query_one("#budget-bar", Static)
        bar.update(Content(budget_line(seen, max(10, self.size.width // 4))))
        self.refresh_bars()

    def facts(self) -> tuple[str, ...]:
        """Return the counts."""
        if self.preview is None:
            return ()
        recalled = self.preview.shown
        when = (f"after {self.preview.approved} approved",) if self.preview.after else ()
        drafts = ("all drafts included",) if self.with_drafts else ()
        given, dropped = len(recalled.given), len(recalled.dropped)
        return (f"{given} given", f"{dropped} dropped", *when, *drafts)

    def met(self) -> frozenset[Need]:
        """Tell whether there are marks to look beyond."""
        needs = set(super().met())
        if self.after or to_approve(self.inbox.marks):
            needs.add(Need.MARKS)
        return frozenset(needs)

    def on_item_highlighted(self, message: ItemHighlighted) -> None:
        """Show the record under the cursor."""
        thing = message.item.thing if message.item else None
        if isinstance(thing, Line):
            key = (thing.scored.record.id, thing.scored.record.status)
            self.trail.start(key)
            self.want(key)
        else:
            self.want(None)

    def present(self, review: Review, node: Node) -> None:
        """Draw a record with the parts of its score in the border."""
        thing = self.rows.item.thing if self.rows.item is not None else None
        parts = ""
        if isinstance(thing, Line) and thing.scored.record.id == review.record.id:
            parts = "  ".join(f"{name} {part:.2f}" for name, part in thing.scored.parts.items())
            self.rows.say(thing.why)
        self.card.show(node, review.record.id, parts, length=len(review.record.content))

    def do_ask(self) -> None:
        """Change the question."""
        self.query_one("#directory", Input).focus()

    def do_after_marks(self) -> None:
        """Ask as if the marks were applied, or not."""
        self.after = not self.after
        self.with_drafts = False
        self.do_refresh()

    def do_with_drafts(self) -> None:
        """Ask as if all drafts were approved, or not."""
        self.with_drafts = not self.with_drafts
        self.after = False
        self.do_refresh()

    def do_links(self) -> None:
        """Go to the next part of the question while one asks, else to the card's links."""
        if isinstance(self.focused, Input):
            self.focus_next()
        else:
            super().do_links()

    def do_back(self) -> None:
        """Leave the question, then as elsewhere."""
        if isinstance(self.focused, Input):
            self.rows.focus()
        else:
            super().do_back()


def items_of(seen: Preview) -> tuple[Item, ...]:
    """Return the lines of an answer: what is given, where the budget ends, what is dropped."""
    shown = lines(seen)
    items = [Item(line, line.scored.record.id, _aside(line), str(line.change)) for line in shown]
    given = len(seen.shown.given)
    if given == len(items):
        return tuple(items)
    end = Item(None, "dropped: no room in the budget", "", "─", "title")
    return (*items[:given], end, *items[given:])


def _aside(line: Line) -> str:
    record = line.scored.record
    return f"{line.scored.score:.2f} {record.tokens:>6,} t"


def budget_line(seen: Preview, cells: int) -> str:
    """Return the budget as a bar and in words."""
    recalled = seen.shown
    share = min(1.0, recalled.tokens / recalled.token_budget) if recalled.token_budget > 0 else 0.0
    full = round(share * cells)
    return f" {'█' * full}{'░' * (cells - full)}  {budget_words(seen)}"
