"""The links of the store: broken, wanted, ambiguous, most linked, and the records that nothing is tied to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from render.links import memory_url
from render.tree import Group, Link, Node, Text, TextStyle
from store.provider import Desk
from store.records import LinkClass, LinkEntry
from tui.actions import Need, Where, bindings_of
from tui.fixing import DANGLING
from tui.item_list import Item, ItemChosen, ItemHighlighted
from tui.linkmap import LinkMap, Target, read_links
from tui.lists import AnyKey
from tui.screens.items import ItemScreen

_ABOUT = {
    LinkClass.BROKEN: "It was there once, and was deleted, rejected or renamed.",
    LinkClass.WANTED: "Nobody has written it yet.",
    LinkClass.AMBIGUOUS: "Several records answer to this name.",
    LinkClass.RESOLVED: "",
}


@dataclass
class LinksRead(Message):
    """The links of the store were read."""

    links: LinkMap


@dataclass(frozen=True, slots=True)
class Section:
    """A title line of the list; ``about`` explains it on the card."""

    title: str
    about: str
    count: int


@dataclass(frozen=True, slots=True)
class Orphan:
    """A record that no link leads to or from."""

    id: str


class LinksScreen(ItemScreen):
    """Each name that links use, and the places that use it."""

    WHERE = Where.LINKS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.LINKS)]
    PLACE = "Links"

    def __init__(self) -> None:
        super().__init__()
        self.links: LinkMap | None = None

    def on_mount(self) -> None:
        """Read the links."""
        self.rows.focus()
        self.rows.border_title = "Names"
        self.do_refresh()

    def do_refresh(self) -> None:
        """Read the links again."""
        self.rows.notice = "Reading the links …"
        self.ask(
            lambda desk: LinksRead(read_links(desk)), group="links", description="reading the links"
        )
        self.refresh_bars()

    def desk_opened(self, desk: Desk) -> None:
        """Read the links."""
        self.do_refresh()

    def on_links_read(self, message: LinksRead) -> None:
        """Show them."""
        self.links = message.links
        self.rows.notice = "No links yet: [[a name]] in a text makes one."
        items = tuple(_items(message.links))
        self.rows.show(items, cursor=self._place_of(items))
        self.refresh_bars()

    def _place_of(self, items: Sequence[Item]) -> int:
        """Return the line of the name that was under the cursor; when it is gone, the one in its place."""
        if (item := self.rows.item) is None:
            return 1
        names = [each.name for each in items]
        return names.index(item.name) if item.name in names else self.rows.cursor

    def facts(self) -> tuple[str, ...]:
        """Return the counts."""
        links = self.links
        if links is None:
            return ()
        return (
            f"{len(links.broken)} broken",
            f"{len(links.wanted)} wanted",
            f"{len(links.ambiguous)} ambiguous",
            f"{len(links.orphans)} orphans",
            *(() if links.whole else ("a large store: shown in part",)),
        )

    def on_item_highlighted(self, message: ItemHighlighted) -> None:
        """Show what is under the cursor."""
        thing = message.item.thing if message.item else None
        self.trail.start(("", None))
        if isinstance(thing, Orphan):
            self.trail.start((thing.id, None))
            self.want((thing.id, None))
            return
        self.want(None)
        if isinstance(thing, Section):
            self.card.show(_about(thing), thing.title)
        elif isinstance(thing, Target):
            self.card.show(target_tree(thing), thing.name)
        self.refresh_bars()

    @property
    def _faulty(self) -> Target | None:
        item = self.rows.item
        thing = item.thing if item is not None else None
        return thing if isinstance(thing, Target) and thing.link_class in DANGLING else None

    def met(self) -> frozenset[Need]:
        """Tell whether the name under the cursor can be fixed, and a fix taken back."""
        needs = set(super().met())
        if self._faulty is not None:
            needs.add(Need.DANGLING)
        if self.inbox.fixes:
            needs.add(Need.FIXED)
        return frozenset(needs)

    def do_fix_link(self) -> None:
        """Choose where the name under the cursor is to lead."""
        if self._faulty is not None:
            self.inbox.show_fix(self._faulty.name)

    def do_undo_fix(self) -> None:
        """Take the last fix back."""
        self.inbox.take_fix_back()

    def store_changed(self) -> None:
        """Read the links again: texts were changed."""
        self.forget_reviews()
        self.do_refresh()

    def on_item_chosen(self, message: ItemChosen) -> None:
        """Fix a name by two clicks."""
        self.action_act("fix_link")

    def want(self, key: AnyKey | None, revision: str | None = None) -> None:
        """Show a record; where the way began, the name under the cursor."""
        if key == ("", None) and self.rows.item is not None:
            self.on_item_highlighted(ItemHighlighted(self.rows.item))
        else:
            super().want(key, revision)


def _items(links: LinkMap) -> Iterator[Item]:
    for title, about, sign, targets in (
        ("broken", _ABOUT[LinkClass.BROKEN], "✗", links.broken),
        ("wanted", _ABOUT[LinkClass.WANTED], "?", links.wanted),
        ("ambiguous", _ABOUT[LinkClass.AMBIGUOUS], "≈", links.ambiguous),
        ("most linked", "What the others lean on.", "→", links.most_linked),
    ):
        if targets:
            yield _title(title, about, len(targets))
            for target in targets:
                yield Item(target, target.name, str(len(target.places)), sign)
    if links.orphans:
        yield _title("orphans", "No link leads to them or from them.", len(links.orphans))
        for id in links.orphans:
            yield Item(Orphan(id), id, "", "·")


def _title(title: str, about: str, count: int) -> Item:
    return Item(Section(title, about, count), title, str(count), " ", "title")


def _about(section: Section) -> Node:
    return Group((_line(Text(section.title, TextStyle.BOLD)), _line(Text(section.about))))


def target_tree(target: Target) -> Node:
    """Return what is known of a name: its class, the places that use it, what it may have meant."""
    count = len(target.places)
    places = "1 place refers" if count == 1 else f"{count} places refer"
    head: list[Text | Link] = [Text(target.name, TextStyle.BOLD)]
    if target.link_class is LinkClass.RESOLVED:
        head = [Link(target.name, memory_url(target.name))]
    else:
        head.append(Text(f" ({target.link_class})", TextStyle.WARNING))
    about = _ABOUT[target.link_class]
    blocks: list[Node] = [
        Group((*head, Text(f"\n{about} {places} to it." if about else f"\n{places} to it."))),
        *(_place(entry) for entry in target.places),
    ]
    if target.candidates:
        blocks.append(_meant("It may mean", target.candidates))
    elif target.like:
        blocks.append(_meant("Much like it", [each.id for each in target.like]))
    return Group(tuple(blocks))


def _place(entry: LinkEntry) -> Node:
    return Group(
        (
            Link(entry.source_id, memory_url(entry.source_id)),
            Text(f"  line {entry.line}", TextStyle.DIM),
            Text(f" · {entry.source_status}" if entry.source_status == "pending" else ""),
            Text("\n"),
            Text("> ", TextStyle.DIM),
            Text(entry.line_text.strip(), TextStyle.DIM),
        )
    )


def _meant(title: str, ids: Sequence[str]) -> Node:
    lines = [node for id in ids for node in (Text("\n"), Link(id, memory_url(id)))]
    return Group((Text(f"{title}:", TextStyle.DIM), *lines))


def _line(*nodes: Text | Link) -> Node:
    return Group(nodes)
