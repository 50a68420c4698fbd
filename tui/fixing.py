"""Fixing a link that leads nowhere: the places that have it, what it may mean, and pointing it there.

Plain functions over a desk; `store.retarget` says what a text becomes, here is what that is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from render.links import memory_url
from render.tree import Group, Link, Node, Text, TextStyle
from store.errors import MemoryError
from store.provider import Desk
from store.records import LinkClass, LinkEntry, Record
from tui.failures import Failure, describe_failure
from tui.linkmap import MOST_LINKS, PAGE, read_names

if (
    TYPE_CHECKING
):  # the app knows of fixes from its start, and needs no likeness, diff or rule of links before one
    from store.alike import Names
    from store.retarget import Retarget

DANGLING = frozenset({LinkClass.BROKEN, LinkClass.WANTED, LinkClass.AMBIGUOUS})
"""Links that can be fixed."""


@dataclass(frozen=True, slots=True)
class Faulty:
    """A name that links use and that leads nowhere, or to several records.

    Args:
        places: that use it, in every record.
        names: of all records, to look for what it may mean.
    """

    name: str
    places: tuple[LinkEntry, ...]
    names: Names

    @property
    def sources(self) -> tuple[str, ...]:
        """Ids of the records that use it."""
        return tuple(dict.fromkeys(place.source_id for place in self.places))

    @property
    def candidates(self) -> tuple[str, ...]:
        """Ids that an ambiguous name may mean."""
        return tuple(dict.fromkeys(id for place in self.places for id in place.candidates))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Texts whose links were pointed elsewhere, each as it was and as it is."""

    name: str
    to: str
    texts: tuple[tuple[Record, Record], ...]


def dangling(links: Sequence[LinkEntry]) -> LinkEntry | None:
    """Return the first link that can be fixed, None when all lead to one record."""
    return next((link for link in links if link.link_class in DANGLING), None)


def read_faulty(desk: Desk, name: str) -> Faulty:
    """Read every place that uses a name, and the names of all records."""
    from store.alike import Names

    places: list[LinkEntry] = []
    after, seen = "", 0
    while seen < MOST_LINKS:
        page = desk.links(DANGLING, PAGE, after)
        places += (link for link in page if link.target == name)
        seen += len(page)
        if len(page) < PAGE:
            break
        after = page[-1].source_id
    named = list(read_names(desk))
    ids = dict.fromkeys(id for id, _ in named)
    return Faulty(name, tuple(places), Names([*((id, id) for id in ids), *named]))


def work_out(desk: Desk, faulty: Faulty, to: str) -> tuple[Retarget, ...]:
    """Return what each text becomes when the name's links lead to a record."""
    from store.retarget import retarget

    changes = (retarget(desk, id, {faulty.name: to}) for id in faulty.sources)
    return tuple(change for change in changes if change.changes)


def carry_out(
    desk: Desk, changes: Sequence[Retarget], by: str
) -> Iterator[tuple[Record, Record | Failure]]:
    """Write changes; one text that fails does not stop the rest.

    Yields:
        Each record as it was, and as it is, or why it could not be changed.
    """
    from store.retarget import write

    for change in changes:
        try:
            yield change.record, write(desk, change, by)
        except MemoryError as error:
            yield change.record, describe_failure(error, f"changing {change.record.id}")


def undo(
    desk: Desk, texts: Sequence[tuple[Record, Record]], by: str
) -> Iterator[tuple[Record, Record | Failure]]:
    """Give texts back what they were; those that somebody changed since are left alone."""
    from store.retarget import Retarget

    changes = [Retarget(after, before.content, frozenset()) for before, after in reversed(texts)]
    return carry_out(desk, changes, by)


def changes_tree(changes: Sequence[Retarget], to: str) -> Node:
    """Return what a fix changes, place by place: nothing else is written."""
    from render.diff import diff
    from render.lens.secrets import masked

    if not changes:
        return Group((Text("No text has this link any more.", TextStyle.WARNING),))
    count_of = "1 text changes" if len(changes) == 1 else f"{len(changes)} texts change"
    blocks: list[Node] = [Group((Text(f"{count_of}; A does it.", TextStyle.BOLD),))]
    for change in changes:
        record = change.record
        kind = "revision" if record.is_revision else record.status.value
        about = f"  {record.type} · {record.scope} scope · {kind}"
        blocks.append(Group((Link(record.id, memory_url(record.id)), Text(about, TextStyle.DIM))))
        blocks.append(diff(masked(record.content), masked(change.content), context=0))
        if record.is_revision:
            text = "Its approved text gets the link when this revision is approved."
            blocks.append(Group((Text(text, TextStyle.DIM),)))
    return Group(tuple(blocks))


def places_tree(faulty: Faulty) -> Node:
    """Return the places that a new record would answer."""
    blocks: list[Node] = [
        Group((Text(f"A begins a draft with the name {faulty.name}.", TextStyle.BOLD),)),
        Group((Text("Once it is saved, these links lead to it:"),)),
    ]
    blocks += (
        Group(
            (
                Link(place.source_id, memory_url(place.source_id)),
                Text(f"  line {place.line}\n", TextStyle.DIM),
                Text(place.line_text.strip(), TextStyle.DIM),
            )
        )
        for place in faulty.places
    )
    return Group(tuple(blocks))
