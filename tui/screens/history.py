"""What was decided, line by line, and the trash, to restore from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from render.links import memory_url
from render.markdown import RULE, markdown
from render.tree import Group, Link, Node, Table, Text, TextStyle
from store.provider import Desk
from store.records import JournalEntry, RecordResult, TrashItem
from tui.actions import Need, Where, bindings_of
from tui.item_list import Item, ItemHighlighted
from tui.lists import AnyKey
from tui.rows import short_age
from tui.screens.items import ItemScreen

PAGE = 200


@dataclass
class HistoryRead(Message):
    """The trash and the newest lines of the journal were read."""

    trash: tuple[TrashItem, ...]
    lines: tuple[JournalEntry, ...]


@dataclass
class OlderRead(Message):
    """Older lines of the journal were read; none when there are no more."""

    lines: tuple[JournalEntry, ...]


@dataclass
class Restored(Message):
    """A record is back from the trash."""

    result: RecordResult


@dataclass(frozen=True, slots=True)
class Section:
    """A title line of the list."""

    about: str


class HistoryScreen(ItemScreen):
    """The journal, newest first, below what is in the trash."""

    WHERE = Where.HISTORY
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.HISTORY)]
    PLACE = "History"

    def __init__(self) -> None:
        super().__init__()
        self.trash: tuple[TrashItem, ...] = ()
        self.lines: list[JournalEntry] = []
        self._complete = False

    def on_mount(self) -> None:
        """Read the journal and the trash."""
        self.rows.focus()
        self.rows.border_title = "Decisions"
        self.do_refresh()

    def do_refresh(self) -> None:
        """Read them again."""
        self.rows.notice = "Reading the journal …"
        self.ask(
            lambda desk: HistoryRead(desk.trash(), desk.history(limit=PAGE)),
            group="history",
            description="reading the journal",
        )
        self.refresh_bars()

    def desk_opened(self, desk: Desk) -> None:
        """Read the journal and the trash."""
        self.do_refresh()

    def on_history_read(self, message: HistoryRead) -> None:
        """Show them."""
        self.trash, self.lines = message.trash, list(message.lines)
        self._complete = len(message.lines) < PAGE
        self.rows.notice = "Nothing was decided yet."
        items = self._items()
        self.rows.show(items, cursor=1 if len(items) > 1 else 0)
        self.refresh_bars()

    def on_older_read(self, message: OlderRead) -> None:
        """Add older lines below."""
        self.lines += message.lines
        self._complete = len(message.lines) < PAGE
        self.rows.items = self._items()
        self.rows.lines_changed()

    def _items(self) -> tuple[Item, ...]:
        return (*_trash_items(self.trash, self.now), *_journal_items(self.lines, self.now))

    def facts(self) -> tuple[str, ...]:
        """Return the counts."""
        more = "" if self._complete else "+"
        return (f"{len(self.lines)}{more} lines", f"{len(self.trash)} in the trash")

    def met(self) -> frozenset[Need]:
        """Tell whether there is something to restore under the cursor."""
        needs = set(super().met())
        if self._thrown is not None:
            needs.add(Need.TRASHED)
        return frozenset(needs)

    @property
    def _thrown(self) -> TrashItem | None:
        item = self.rows.item
        return item.thing if item is not None and isinstance(item.thing, TrashItem) else None

    def on_item_highlighted(self, message: ItemHighlighted) -> None:
        """Show what is under the cursor; read on near the end of what was read."""
        thing = message.item.thing if message.item else None
        self.trail.start(("", None))
        super().want(None)
        if isinstance(thing, TrashItem):
            self.card.show(trash_tree(thing, self.now), thing.record.id)
        elif isinstance(thing, JournalEntry):
            self.card.show(journal_tree(thing), thing.id)
        elif isinstance(thing, Section):
            self.card.show(Group((Text(thing.about),)))
        if self.rows.cursor > self.rows.line_count() - PAGE // 2 and not self._complete:
            self._read_older()
        self.refresh_bars()

    def _read_older(self) -> None:
        before = self.lines[-1].seq
        self.ask(
            lambda desk: OlderRead(desk.history(limit=PAGE, before=before)),
            group="history:older",
            description="reading more of the journal",
        )

    def want(self, key: AnyKey | None, revision: str | None = None) -> None:
        """Show a record; where the way began, the line under the cursor."""
        if key == ("", None):
            self.on_item_highlighted(ItemHighlighted(self.rows.item))
        else:
            super().want(key, revision)

    def do_restore(self) -> None:
        """Bring the record back."""
        thrown = self._thrown
        if thrown is not None:
            id, by = thrown.record.id, self.inbox.reviewer
            self.ask(
                lambda desk: Restored(desk.restore(id, by)),
                group="restore",
                description=f"restoring {id}",
                exclusive=False,
            )

    def store_changed(self) -> None:
        """Read everything again: it was changed."""
        self.forget_reviews()
        self.do_refresh()

    def on_restored(self, message: Restored) -> None:
        """Say so, and read everything anew."""
        self.inbox.say(f"{message.result.id} is back.")
        self.forget_reviews()
        self.do_refresh()


def _trash_items(trash: tuple[TrashItem, ...], now: datetime) -> Iterator[Item]:
    if trash:
        about = "Deleted records. R restores the one under the cursor."
        yield Item(Section(about), "trash", str(len(trash)), " ", "title")
        for thrown in trash:
            yield Item(thrown, thrown.record.id, short_age(now - thrown.deleted_at), "✗")


def _journal_items(lines: list[JournalEntry], now: datetime) -> Iterator[Item]:
    if lines:
        about = (
            "Every decision, newest first. The text of a rejected draft is gone; its hash stays."
        )
        yield Item(Section(about), "journal", "", " ", "title")
        for line in lines:
            yield Item(line, f"{line.decision:9} {line.id}", short_age(now - line.at))


def trash_tree(thrown: TrashItem, now: datetime) -> Node:
    """Return a deleted record: what became of it and until when, then its text."""
    record = thrown.record
    return Group(
        (
            Group(
                (
                    Text(record.title, TextStyle.BOLD),
                    Text(f"\n{record.type} · {record.scope} scope · {record.tokens} tokens"),
                    Text(
                        f"\ndeleted {short_age(now - thrown.deleted_at)} ago by {thrown.deleted_by}",
                        TextStyle.DIM,
                    ),
                    Text(
                        f"\nR restores it; destroyed on {thrown.purge_at:%d %B %Y}",
                        TextStyle.WARNING,
                    ),
                )
            ),
            Group((RULE,)),
            *markdown(record.content).children,
        )
    )


def journal_tree(line: JournalEntry) -> Node:
    """Return all that a line of the journal says."""
    facts = (
        ("decision", str(line.decision)),
        ("when", f"{line.at:%Y-%m-%d %H:%M:%S} UTC"),
        ("by", line.by),
        ("detail", line.detail),
        ("line", str(line.seq)),
        ("SHA-256", line.content_hash),
    )
    rows = tuple((name, value) for name, value in facts if value)
    head = Link(line.id, memory_url(line.id)) if line.id else Text("the store")
    return Group((Group((head,)), Table((), rows)))
