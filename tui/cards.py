"""From a review to the card that is shown of it, and to the sign that its row carries."""

from __future__ import annotations

from datetime import datetime

from render.tree import Group, Node, Text, TextStyle
from render.visible import reveal
from store.records import Record, Review


def is_flagged(record: Record) -> bool:
    """Tell whether a record holds something that an operator must be warned of."""
    return any(reveal(text, newlines=True, tab=4).marks for text in (record.title, record.content))


def node_of(review: Review, now: datetime) -> Node:
    """Return the card of a record as a tree."""
    record = review.record
    return Group((Group((Text(record.title, TextStyle.BOLD),)), Group((Text(record.content),))))
