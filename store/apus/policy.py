"""Who may read what: the host's contract as one table. Pure: it knows neither a store nor a database.

Only what the host grants counts. An audience is never made up from ids, keys or their patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from store.apus.callers import Caller, Host, Operator, Session
from store.apus.failures import PermissionDenied
from store.audience import Audience
from store.records import MemoryScope


class Viewer(StrEnum):
    """Who asks, seen from the agent that the provider was opened for."""

    OPERATOR = "operator"
    OWNER = "session, owner-private"
    CONVERSATION = "session, a conversation"
    UNGRANTED = "session without an audience"
    FOREIGN = "session, another agent's audience"
    SANDBOXED = "sandboxed session"
    HOST = "host"


class Whose(StrEnum):
    """Whose a record is, seen from the viewer."""

    OWNER = "the agent's, for its owner"
    CONVERSATION = "of this conversation"
    OTHER_CONVERSATION = "of another conversation"
    OTHER_AGENT = "another agent's"
    NOBODYS = "nobody's"
    NOBODYS_SESSION = "nobody's, of a session elsewhere"


_ALL_OF_AGENT = {Whose.OWNER, Whose.CONVERSATION, Whose.OTHER_CONVERSATION}
SEES: Mapping[Viewer, frozenset[Whose]] = {
    Viewer.OPERATOR: frozenset({*_ALL_OF_AGENT, Whose.NOBODYS}),
    Viewer.OWNER: frozenset({*_ALL_OF_AGENT, Whose.NOBODYS}),
    Viewer.CONVERSATION: frozenset({Whose.CONVERSATION}),
    Viewer.UNGRANTED: frozenset(),
    Viewer.FOREIGN: frozenset(),
    Viewer.SANDBOXED: frozenset(),
    Viewer.HOST: frozenset(),
}
_DENIED: Mapping[Viewer, str] = {
    Viewer.UNGRANTED: "the host grants this session no memory audience",
    Viewer.FOREIGN: "the session's audience is another agent's",
    Viewer.SANDBOXED: "a sandboxed session has no memory",
    Viewer.HOST: "the host may ask for nothing but health",
}


@dataclass(frozen=True, slots=True)
class Reach:
    """What one caller may read; it may read something.

    Args:
        agent_id: of the opened agent.
        conversation: the one that it is confined to, None for a caller that is not.
        session_id: of the caller, empty when unknown; what is bound to it applies to it.
    """

    viewer: Viewer
    agent_id: str
    conversation: Audience | None = None
    session_id: str = ""

    @property
    def readers(self) -> tuple[str, ...]:
        """The names under which it is noted what it was given: what repeats it may be written under each.

        An owner's has a second one, for a flush of its context is a session of its own.
        """
        session = self.conversation.session_id if self.conversation else self.session_id
        owner = (owner_of(self.agent_id),) if self.viewer is Viewer.OWNER else ()
        return (session, *owner)

    def whose(self, audience: Audience | None, scope: MemoryScope) -> Whose:
        """Return whose a record is, seen from here."""
        if audience is None:
            return Whose.NOBODYS_SESSION if scope is MemoryScope.SESSION else Whose.NOBODYS
        if audience.agent_id != self.agent_id:
            return Whose.OTHER_AGENT
        if not audience.is_conversation:
            return Whose.OWNER
        return Whose.CONVERSATION if audience == self.conversation else Whose.OTHER_CONVERSATION

    def sees(self, audience: Audience | None, scope: MemoryScope) -> bool:
        """Tell whether a record may be read."""
        return self.whose(audience, scope) in SEES[self.viewer]


def owner_of(agent_id: str) -> str:
    """Return the name under which all is noted that an agent was given for its owner."""
    return f"apus:{agent_id}"


def viewer_of(caller: Caller) -> Viewer:
    """Return who a caller is; being sandboxed and holding a foreign audience come before any grant."""
    authority = caller.authority
    if isinstance(authority, Operator):
        return Viewer.OPERATOR
    if isinstance(authority, Host):
        return Viewer.HOST
    if authority.sandboxed:
        return Viewer.SANDBOXED
    if authority.audience is None:
        return Viewer.UNGRANTED
    if authority.audience.agent_id != caller.agent_id:
        return Viewer.FOREIGN
    return Viewer.CONVERSATION if authority.audience.is_conversation else Viewer.OWNER


def reach_of(caller: Caller) -> Reach:
    """Return what a caller may read; PermissionDenied where that is nothing at all."""
    viewer = viewer_of(caller)
    if not SEES[viewer]:
        raise PermissionDenied(_DENIED[viewer])
    if not isinstance(caller.authority, Session):
        return Reach(viewer, caller.agent_id)
    audience = caller.authority.audience
    confined = audience if viewer is Viewer.CONVERSATION else None
    return Reach(viewer, caller.agent_id, confined, caller.authority.session_id)
