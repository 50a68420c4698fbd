"""Whose a record is, in a host that serves several agents and conversations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Audience:
    """An agent's owner, or one conversation of an agent; stamped on what is written, never changed.

    A record without one is nobody's in particular: it came by a door that knows no audiences.

    Args:
        agent_id: the host's name of the agent, never empty.
        session_key, session_id: the conversation, as the host names it; both empty for the owner.
    """

    agent_id: str
    session_key: str = ""
    session_id: str = ""

    @property
    def is_conversation(self) -> bool:
        """Whether it is a conversation's, not the owner's alone."""
        return bool(self.session_key)
