"""From a review to the card that is shown of it, and to the sign that its row carries.

Runs in jobs. Cards are imported when the first one is drawn: they bring the store's libraries with them,
and the first paint does not wait for those.
"""

from __future__ import annotations

from datetime import datetime

from render.tree import Node
from render.visible import reveal
from store.records import Record, Review


def is_flagged(record: Record) -> bool:
    """Tell whether a record holds something that an operator must be warned of."""
    return any(reveal(text, newlines=True, tab=4).marks for text in (record.title, record.content))


def node_of(review: Review, now: datetime) -> Node:
    """Return the card of a record as a tree."""
    from render.record import card
    from store.cards import facts_of

    return card(facts_of(review, now))
