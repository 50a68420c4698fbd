"""What a memory event is drawn as: the review card of a draft, a notice for everything else."""

from __future__ import annotations

from sqlalchemy import Connection

from render.tree import Group, Node, Text, TextStyle
from store.records import MutationEvent


def draw(conn: Connection, event: MutationEvent) -> Node:
    """Draw a memory event."""
    return Group((Text(event.record_id, TextStyle.BOLD), Text(event.content)))
