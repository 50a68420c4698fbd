"""Fixing a link that leads nowhere: what it may mean, and for each the texts that would change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widgets import Input

from render.tree import Group, Text, TextStyle
from store.alike import Suggestion
from store.errors import InvalidArgument
from store.provider import Desk
from store.retarget import Retarget
from tui.actions import Need, Where, bindings_of
from tui.applying import fix_links
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.editing import shown_text
from tui.fixing import Faulty, changes_tree, places_tree, read_faulty, work_out
from tui.item_list import Item, ItemHighlighted, ItemList
from tui.lists import AnyKey
from tui.messages import LinksFixed
from tui.screens.items import ItemScreen
from tui.text_area import LineEditor

SUGGESTED = 12


@dataclass
class FaultyRead(Message):
    """The places of a name and the names of all records were read."""

    faulty: Faulty


@dataclass
class FixWorkedOut(Message):
    """It was worked out what texts become when the links lead to a record; or why they cannot."""

    to: str
    changes: tuple[Retarget, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """The choice to write the record that is wanted."""


class FixScreen(ItemScreen):
    """What the link may mean on the left; on the right every text that would change, line by line.

    Args:
        name: what the links name.
    """

    WHERE = Where.FIX
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.FIX)]
    PLACE = "Fix a link"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name_wanted = name
        self.faulty: Faulty | None = None
        self.worked_out: FixWorkedOut | None = None
        self._fixing = False

    def compose(self) -> ComposeResult:
        """Lay out the name, what it may mean, and what would change."""
        yield TopBar(self.PLACE, id="top")
        box = LineEditor(
            shown_text(self.name_wanted), id="path", compact=True, select_on_focus=False
        )
        box.border_title = "What is meant"
        yield box
        with Container(id="panes"):
            with Vertical(id="list-pane"):
                yield ItemList(id="items")
            yield Card(id="card")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Read the places, and what there is."""
        self.rows.focus()
        self.rows.border_title = "Point it to"
        self.do_refresh()

    def do_refresh(self) -> None:
        """Read them again."""
        name = self.name_wanted
        self.rows.notice = "Reading the names …"
        self.ask(
            lambda desk: FaultyRead(read_faulty(desk, name)),
            group="fix:read",
            description=f"reading the places of {name}",
        )
        self.refresh_bars()

    def desk_opened(self, desk: Desk) -> None:
        """Read the places."""
        self.do_refresh()

    @property
    def box(self) -> LineEditor:
        """Where a name is typed."""
        return self.query_one(LineEditor)

    def on_faulty_read(self, message: FaultyRead) -> None:
        """Show what it may mean."""
        self.faulty = message.faulty
        self._suggest()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Follow what is typed."""
        event.stop()
        self._suggest()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the suggestions."""
        event.stop()
        self.rows.focus()

    def _suggest(self) -> None:
        if self.faulty is not None:
            self.rows.show(tuple(self._items(self.faulty)))
            self.refresh_bars()

    def _items(self, faulty: Faulty) -> Iterator[Item]:
        typed = self.box.value.strip()
        asked = typed != shown_text(self.name_wanted)
        typed = typed if asked else faulty.name
        if not asked:
            for id in faulty.candidates:
                yield Item(Suggestion(id, 100.0), id, "answers to it", "→")
        having = faulty.names.having(typed, SUGGESTED) if asked else ()
        found = {each.id: each for each in (*having, *faulty.names.like(typed, SUGGESTED))}
        for each in found.values():
            if asked or each.id not in faulty.candidates:
                yield Item(each, each.id, f"{each.likeness:.0f} % alike", "→")
        if not faulty.candidates:
            yield Item(Write(), f"write {faulty.name}", "a new draft", "+", "kind")

    def facts(self) -> tuple[str, ...]:
        """Say how many places there are."""
        if self.faulty is None:
            return ()
        places, texts = len(self.faulty.places), len(self.faulty.sources)
        return (f"[[{shown_text(self.name_wanted)}]]", f"{places} places in {texts} records")

    @property
    def _choice(self) -> object:
        item = self.rows.item
        return item.thing if item is not None else None

    def met(self) -> frozenset[Need]:
        """Tell whether it is known what would change."""
        needs, choice = set(super().met()), self._choice
        out = self.worked_out
        ready = (
            isinstance(choice, Suggestion)
            and out is not None
            and out.to == choice.id
            and bool(out.changes)
        )
        if (ready or isinstance(choice, Write)) and not self._fixing:
            needs.add(Need.CHOICE)
        return frozenset(needs)

    def on_item_highlighted(self, message: ItemHighlighted) -> None:
        """Work out what the choice under the cursor changes."""
        self.trail.start(("", None))
        super().want(None)
        self.worked_out = None
        faulty, choice = self.faulty, message.item.thing if message.item else None
        if faulty is None:
            return
        if isinstance(choice, Write):
            self.card.show(places_tree(faulty), "A new draft")
        elif isinstance(choice, Suggestion):
            to = choice.id
            self.ask(
                lambda desk: _work_out(desk, faulty, to),
                group="fix:preview",
                description="working out what would change",
            )
        self.refresh_bars()

    def on_fix_worked_out(self, message: FixWorkedOut) -> None:
        """Show every text that would change."""
        choice = self._choice
        if not isinstance(choice, Suggestion) or choice.id != message.to:
            return
        self.worked_out = message
        self._show_changes()
        self.refresh_bars()

    def _show_changes(self) -> None:
        out = self.worked_out
        if out is None:
            return
        if out.problem:
            self.card.show(Group((Text(out.problem, TextStyle.WARNING),)), out.to)
        else:
            self.card.show(changes_tree(out.changes, out.to), f"[[{out.to}]]")

    def want(self, key: AnyKey | None, revision: str | None = None) -> None:
        """Show a record; where the way began, what would change."""
        if key == ("", None):
            self.on_item_highlighted(ItemHighlighted(self.rows.item))
        else:
            super().want(key, revision)

    def do_other_name(self) -> None:
        """Type a name."""
        self.box.focus()

    def do_apply_fix(self) -> None:
        """Change exactly the texts that are shown, or begin the draft."""
        choice, out, faulty = self._choice, self.worked_out, self.faulty
        if isinstance(self.focused, Input) or faulty is None:
            return
        if isinstance(choice, Write):
            self._begin_draft(faulty)
        elif out is not None:
            self._fixing = True
            name, by = self.name_wanted, self.inbox.reviewer
            self.ask(
                lambda desk: fix_links(desk, name, out.to, out.changes, by),
                group="fix",
                description=f"fixing the links to {name}",
                exclusive=False,
            )

    def _begin_draft(self, faulty: Faulty) -> None:
        source = faulty.sources[0] if faulty.sources else ""
        self.inbox.pop_screen()
        self.inbox.begin_draft(faulty.name, source)

    def on_links_fixed(self, message: LinksFixed) -> None:
        """Leave, and let the app tell of it."""
        message.stop()
        self.inbox.pop_screen()
        self.inbox.post_message(message)

    def on_job_failed(self) -> None:
        """Let it be tried again."""
        self._fixing = False

    def do_links(self) -> None:
        """Leave the field that is typed in, else go to the card's links."""
        if isinstance(self.focused, Input):
            self.rows.focus()
        else:
            super().do_links()

    def do_back(self) -> None:
        """Leave the field that is typed in, then as elsewhere."""
        if isinstance(self.focused, Input):
            self.rows.focus()
        else:
            super().do_back()


def _work_out(desk: Desk, faulty: Faulty, to: str) -> FixWorkedOut:
    try:
        return FixWorkedOut(to, work_out(desk, faulty, to))
    except InvalidArgument as problem:
        return FixWorkedOut(to, problem=str(problem))
