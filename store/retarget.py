"""Point links elsewhere: first what every text would become, then writing exactly that.

Over any desk. A change is the operator's edit, in place and checked against the text that it was made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from render.wikilink import find_links, replace_targets
from store.errors import InvalidArgument
from store.provider import Desk
from store.records import Record


@dataclass(frozen=True, slots=True)
class Retarget:
    """A text whose links are to lead elsewhere.

    Args:
        record: as it was read: what waits under its id, else the canonical record.
        content: its text with the links changed.
        found: the targets that it has, of those that were to be changed.
    """

    record: Record
    content: str
    found: frozenset[str]

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.content != self.record.content


def retarget(desk: Desk, id: str, mapping: Mapping[str, str]) -> Retarget:
    """Work out what a record's text becomes; nothing is written.

    Args:
        mapping: targets as written, to the names that links are to have instead.

    Raises:
        NotFound: no such record. InvalidArgument: a name cannot be written as a link.
    """
    record = desk.review(id).record
    there = {each for link in find_links(record.content) for each in (link.target, link.whole)}
    found = {target: linkable(name) for target, name in mapping.items() if target in there}
    return Retarget(record, replace_targets(record.content, found), frozenset(found))


def write(desk: Desk, change: Retarget, by: str = "") -> Record:
    """Write a change; returns the record as it is then.

    Raises:
        Conflict: the record has changed since the change was worked out.
    """
    if not change.changes:
        return change.record
    record = change.record
    return desk.edit(record.id, record.revision, content=change.content, by=by)


def linkable(name: str) -> str:
    """Return a name that links can use; InvalidArgument for one that cannot stand between double brackets."""
    if not can_link(name):
        raise InvalidArgument(
            f"{name!r} cannot be written as a link", hint="Use the record's id instead."
        )
    return name


def can_link(name: str) -> bool:
    """Say whether a link to a name leads there, also with an alias or heading behind it."""
    links = find_links(f"[[{name}]]")
    return len(links) == 1 and links[0].target == links[0].whole == name
