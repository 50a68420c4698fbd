"""The audience policy as a condition on `record`, and what else a query may want of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store.apus.policy import SEES, Reach, Viewer, Whose
from store.index import Within
from store.reader import listed
from store.records import MemoryScope, MemoryType

_OF_AGENT = "record.agent_id = ? AND record.agent_id <> ''"
_OWNERS = "record.conversation_key = ''"
_OF_CONVERSATION = "record.conversation_key = ? AND record.conversation_id = ?"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a caller asks for, of what it may read; an empty tuple means all.

    Args:
        roots: of the projects that are active; None where the caller does not say.
    """

    types: tuple[MemoryType, ...] = ()
    scopes: tuple[MemoryScope, ...] = ()
    roots: Sequence[str] | None = None


ALL = Wanted()


def within(reach: Reach, wanted: Wanted = ALL) -> Within:
    """Return the condition that an approved entry may be read, and is wanted."""
    parts = [Within("record.status = 'canonical'"), audience(reach), *_wanted(reach, wanted)]
    condition = " AND ".join(f"({part.condition})" for part in parts)
    return Within(condition, tuple(value for part in parts for value in part.values))


def audience(reach: Reach) -> Within:
    """Return the condition that an entry may be read, approved or not."""
    sees = SEES[reach.viewer]
    if Whose.OWNER not in sees:
        own = reach.conversation
        assert own is not None  # noqa: S101 - a reach that sees no owner's is a conversation's
        return Within(
            f"{_OF_AGENT} AND {_OF_CONVERSATION}",
            (reach.agent_id, own.session_key, own.session_id),
        )
    if Whose.NOBODYS not in sees:
        return Within(_OF_AGENT, (reach.agent_id,))
    return Within(
        f"({_OF_AGENT}) OR (record.agent_id = '' AND record.scope <> 'session')", (reach.agent_id,)
    )


def _wanted(reach: Reach, wanted: Wanted) -> Iterable[Within]:
    if wanted.types:
        yield _among("record.type", wanted.types)
    if wanted.scopes:
        yield _among("record.scope", wanted.scopes)
    if wanted.roots is not None:
        active = _among("record.project_root", wanted.roots)
        yield Within(f"record.scope <> 'project' OR {active.condition}", active.values)
    elif reach.viewer is not Viewer.OPERATOR:
        # In no known project, of what other doors wrote only that applies which applies everywhere.
        yield Within("record.agent_id <> '' OR record.scope = 'global'")


def _among(column: str, values: Iterable[str]) -> Within:
    condition = f"{column} IN ??"
    return Within(condition, (listed(map(str, values)),))
