"""What a ``[[link]]`` became, and the nodes that say so.

A record link is one link node, ``memory:`` and the percent-encoded id; one that leads nowhere certain is
the same node followed by a warning that says what is the matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from render.tree import Link, Text, TextStyle

if TYPE_CHECKING:  # the Markdown parser comes with it: whoever only tells links apart need not wait
    from render.wikilink import WikiLink

MEMORY = "memory:"
_ASKED = ("http:", "https:", "mailto:")


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


Resolve: TypeAlias = "Callable[[WikiLink], Resolution]"


def as_written(link: WikiLink) -> Resolution:
    """Resolve a link to its own target, for texts that are shown without a store."""
    return Resolution(Standing.RESOLVED, link.target)


def is_record(url: str) -> bool:
    """Tell whether a URL is one of a record."""
    return url.startswith(MEMORY)


def leads_out(url: str) -> bool:
    """Tell whether a link may lead out of the store, after asking; one that does neither is text."""
    return url.lower().startswith(_ASKED)


def memory_url(id: str) -> str:
    """Return the URL of a record: every character that is not unreserved is percent-encoded."""
    return MEMORY + quote(id.encode("utf-8", "surrogatepass"), safe="")


def link_nodes(link: WikiLink, found: Resolution) -> tuple[Link | Text, ...]:
    """Return the nodes of a ``[[link]]`` in a text: alias or title, a warning if need be, its heading."""
    text = link.alias or found.title or link.target
    heading = f" #{link.heading}" if link.heading else ""
    return (*standing_nodes(text, found), Text(heading, TextStyle.DIM))


def standing_nodes(text: str, found: Resolution) -> tuple[Link | Text, ...]:
    """Return a link node and, if it leads nowhere certain, the warning behind it."""
    link = Link(text, memory_url(found.id))
    if found.standing is Standing.RESOLVED:
        return (link,)
    target = "" if text == found.id else found.id
    told = (", ".join(found.candidates) or target).replace("\n", "␊")
    warning = f" ({found.standing}: {told})" if told else f" ({found.standing})"
    return (link, Text(warning, TextStyle.WARNING))
