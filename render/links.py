"""What a ``[[link]]`` became, and the nodes that say so.

A record link is one link node, ``memory:`` and the percent-encoded id; one that leads nowhere certain is
the same node followed by a warning that says what is the matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias
from urllib.parse import quote

from render.tree import Link, Text, TextStyle
from render.wikilink import WikiLink

MEMORY = "memory:"


class Standing(StrEnum):
    """The classes of links, in the words that the store uses."""

    RESOLVED = "resolved"
    WANTED = "wanted"
    BROKEN = "broken"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a link leads.

    Args:
        standing: its class.
        id: of the record, or the target as written where there is no one record.
        title: of the record; shown where the link has no alias.
        candidates: ids of the records that an ambiguous target may mean.
    """

    standing: Standing
    id: str
    title: str = ""
    candidates: tuple[str, ...] = ()


Resolve: TypeAlias = Callable[[WikiLink], Resolution]


def as_written(link: WikiLink) -> Resolution:
    """Resolve a link to its own target, for texts that are shown without a store."""
    return Resolution(Standing.RESOLVED, link.target)


def is_record(url: str) -> bool:
    """Tell whether a URL is one of a record."""
    return url.startswith(MEMORY)


def memory_url(id: str) -> str:
    """Return the URL of a record: every character that is not unreserved is percent-encoded."""
    return MEMORY + quote(id.encode("utf-8", "surrogatepass"), safe="")


def link_nodes(link: WikiLink, found: Resolution) -> tuple[Link | Text, ...]:
    """Return the link node of a ``[[link]]``, a warning if it leads nowhere certain, and its heading."""
    text = link.alias or found.title or link.target
    heading = f" #{link.heading}" if link.heading else ""
    return (
        Link(text, memory_url(found.id)),
        Text(_warning(text, found), TextStyle.WARNING),
        Text(heading, TextStyle.DIM),
    )


def _warning(text: str, found: Resolution) -> str:
    """Say what is the matter with a link, and its target where the text is another."""
    if found.standing is Standing.RESOLVED:
        return ""
    target = "" if text == found.id else found.id
    told = ", ".join(found.candidates) or target
    return f" ({found.standing}: {told})" if told else f" ({found.standing})"
