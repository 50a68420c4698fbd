"""How the queue is: what waits by age, type, writer and warning, what is accepted, how fast one is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.worker import get_current_worker

from render.links import memory_url
from render.markdown import RULE
from render.tree import Group, Link, Node, Table, Text, TextStyle
from store.provider import Desk
from store.queue import Queue
from tui import queue as words
from tui.actions import Need, Where, bindings_of
from tui.item_list import Item, ItemChosen, ItemHighlighted
from tui.lists import AnyKey
from tui.queue import Share, Warnings
from tui.rows import short_age
from tui.screens.items import ItemScreen

BAR = 10  # cells of the longest bar


@dataclass
class QueueRead(Message):
    """The state of the queue was read."""

    queue: Queue


@dataclass
class WarningsFound(Message):
    """Drafts were looked at for warnings, as far as that came."""

    warnings: Warnings


@dataclass(frozen=True, slots=True)
class Section:
    """A title line of the list."""

    about: str


class QueueScreen(ItemScreen):
    """Groups of drafts on the left, each a filter of the inbox; on the right what is told of all of them."""

    WHERE = Where.QUEUE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.QUEUE)]
    PLACE = "Queue"

    def __init__(self) -> None:
        super().__init__()
        self.queue: Queue | None = None
        self.warnings = Warnings()

    def on_mount(self) -> None:
        """Count."""
        self.rows.focus()
        self.rows.border_title = "What waits"
        self.do_refresh()

    def desk_opened(self, desk: Desk) -> None:
        """Count."""
        self.do_refresh()

    def do_refresh(self) -> None:
        """Count again: numbers first, warnings when the texts were looked at."""
        self.rows.notice = "Counting …"
        self.warnings = Warnings()
        self.ask(
            lambda desk: QueueRead(desk.queue()), group="queue", description="counting the drafts"
        )
        self.ask(self._look, group="queue:warnings", description="looking for warnings")
        self.refresh_bars()

    def _look(self, desk: Desk) -> Message | None:
        worker = get_current_worker()
        for found in words.read_warnings(desk):
            if worker.is_cancelled or not self.is_attached:
                break
            self.post_message(WarningsFound(found))
        return None

    def on_queue_read(self, message: QueueRead) -> None:
        """Show the counts."""
        self.queue = message.queue
        self.rows.notice = "No drafts wait for you."
        self._show()

    def on_warnings_found(self, message: WarningsFound) -> None:
        """Show what was found so far."""
        self.warnings = message.warnings
        if self.queue is not None:
            self._show()

    def _show(self) -> None:
        if self.queue is None:
            return
        items = tuple(_items(self.queue, self.warnings))
        at = self.rows.cursor if len(self.rows.items) else 1
        self.rows.items = items
        self.rows.lines_changed(cursor=at)
        if not items:
            self.on_item_highlighted(ItemHighlighted(None))
        self.refresh_bars()

    def facts(self) -> tuple[str, ...]:
        """Return the counts."""
        queue = self.queue
        if queue is None:
            return ()
        oldest = short_age(self.now - queue.oldest[1]) if queue.oldest else ""
        looked = f"{self.warnings.flagged} flagged" + ("" if self.warnings.complete else " so far")
        return (f"{queue.waiting:,} pending", looked, f"oldest {oldest}" if oldest else "")

    @property
    def _share(self) -> Share | None:
        item = self.rows.item
        return item.thing if item is not None and isinstance(item.thing, Share) else None

    def met(self) -> frozenset[Need]:
        """Tell whether there are drafts under the cursor to go to."""
        needs = set(super().met())
        if self._share is not None and self._share.filter:
            needs.add(Need.DRAFTS)
        return frozenset(needs)

    def on_item_highlighted(self, message: ItemHighlighted) -> None:
        """Say what is under the cursor, above what is told of the whole queue."""
        thing = message.item.thing if message.item else None
        self.trail.start(("", None))
        super().want(None)
        if self.queue is not None:
            about = thing.about if isinstance(thing, Share | Section) else ""
            self.card.show(self._tree(about), "The queue")
        self.refresh_bars()

    def want(self, key: AnyKey | None, revision: str | None = None) -> None:
        """Show a record; where the way began, the queue."""
        if key == ("", None):
            self.on_item_highlighted(ItemHighlighted(self.rows.item))
        else:
            super().want(key, revision)

    def _tree(self, about: str) -> Node:
        queue = self.queue or Queue()
        left = max(queue.waiting - len(self.inbox.marks.to_apply()), 0)
        blocks: list[Node] = [Group((Text(about),)), Group((RULE,))] if about else []
        if queue.oldest is not None:
            id, since = queue.oldest
            blocks.append(
                Group(
                    (
                        Text(f"The oldest draft has waited {short_age(self.now - since)}: "),
                        Link(id, memory_url(id)),
                    )
                )
            )
        blocks += _titled("This sitting", *words.pace_words(self.inbox.pace, left))
        blocks += self._acceptance(queue)
        if not self.warnings.complete:
            blocks.append(Group((Text("Still looking for warnings …", TextStyle.DIM),)))
        elif self.warnings.looked_at < queue.waiting:
            text = f"Warnings are of the newest {self.warnings.looked_at:,} drafts."
            blocks.append(Group((Text(text, TextStyle.DIM),)))
        return Group(tuple(blocks))

    def _acceptance(self, queue: Queue) -> Iterator[Node]:
        desk = self.inbox.desk
        if desk is not None and "history" in desk.missing:
            yield from _titled("Accepted so far", f"Unknown: {desk.missing['history']}.")
            return
        if not queue.decided:
            yield from _titled("Accepted so far", "Nothing was decided yet.")
            return
        yield from _titled("Accepted so far", "Of the latest decisions, by who wrote the draft.")
        order = sorted(
            queue.decided.items(), key=lambda each: -(each[1].approved + each[1].rejected)
        )
        yield Table(
            ("writer", "accepted", "approved", "rejected"),
            tuple(
                (source, f"{each.acceptance:.0%}", f"{each.approved:,}", f"{each.rejected:,}")
                for source, each in order
            ),
        )

    def do_show_these(self) -> None:
        """Go back to the inbox, filtered."""
        share = self._share
        if share is not None:
            self.inbox.filter_inbox(share.filter)

    def on_item_chosen(self, message: ItemChosen) -> None:
        """Go there by two clicks."""
        self.action_act("show_these")


def _items(queue: Queue, found: Warnings) -> Iterator[Item]:
    for title, about, shares in (
        ("waiting for", "How long drafts have waited.", words.ages(queue)),
        ("type", "What they are about.", words.types(queue)),
        ("writer", "Through which door they came.", words.sources(queue)),
        ("warning", "What the card of a draft would warn of.", words.warned(found)),
    ):
        if not shares:
            continue
        most = max(share.count for share in shares)
        yield Item(Section(about), title, "", " ", "title")
        for share in shares:
            sign = "!" if title == "warning" else " "
            yield Item(share, share.name, f"{share.count:>7,} {_bar(share.count, most)}", sign)


def _bar(count: int, most: int) -> str:
    return f"{'█' * max(round(count / most * BAR), 1):{BAR}}"


def _titled(title: str, *lines: str) -> tuple[Node, ...]:
    return (Group((Text(title, TextStyle.BOLD), *(Text(f"\n{line}") for line in lines))),)
