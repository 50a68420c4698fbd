"""What applies to a caller without being asked for, what was changed last first.

Each source is read off an index and ends at the limit, so that the cost does not grow with the store.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from store.apus.policy import SEES, Reach, Viewer, Whose
from store.apus.projects import all_roots
from store.apus.sight import Wanted, within
from store.index import Within
from store.reader import Reader
from store.records import MemoryType

_NEWEST = "ORDER BY updated_at DESC, pk DESC LIMIT ?"
_PROJECTS = "record.scope = 'project' AND record.project_root <> ''"


def latest(
    read: Reader, reach: Reach, wanted: Wanted, limit: int, *, of_projects: bool
) -> list[int]:
    """Return keys of entries that the host may recall by itself.

    Args:
        of_projects: only those of active projects; none where none is active.
    """
    if of_projects and not wanted.roots:
        return []
    condition = within(reach, wanted)
    found: dict[int, int] = {}
    for source in _sources(read, reach, wanted, of_projects):
        query = (
            f"SELECT pk, updated_at FROM record WHERE {source.condition}"  # noqa: S608
            f" AND {condition.condition} {_NEWEST}"
        )
        found.update(read.all(query, *source.values, *condition.values, limit))
    return heapq.nlargest(limit, found, key=lambda pk: (found[pk], pk))


def _sources(read: Reader, reach: Reach, wanted: Wanted, of_projects: bool) -> Iterator[Within]:
    applies = _PROJECTS if of_projects else f"record.scope = 'global' OR ({_PROJECTS})"
    session: tuple[str, ...] = ()
    if not of_projects and reach.session_id:
        applies += " OR (record.scope = 'session' AND record.session_id = ?)"
        session = (reach.session_id,)
    own = "record.agent_id = ? AND record.agent_id <> '' AND record.status = 'canonical'"
    yield Within(f"{own} AND ({applies})", (reach.agent_id, *session))
    if Whose.NOBODYS not in SEES[reach.viewer]:
        return
    # The scope is spelled out, for only then the engine may use its partial index.
    of_kind = "record.status = 'canonical' AND record.type = ? AND record.agent_id = ''"
    for type in MemoryType:
        if not of_projects:
            yield Within(f"record.scope = 'global' AND {of_kind}", (type.value,))
        for root in _roots(read, reach, wanted):
            bound = "record.scope = 'project' AND record.project_root = ?"
            yield Within(f"{bound} AND {of_kind}", (root, type.value))


def _roots(read: Reader, reach: Reach, wanted: Wanted) -> Iterator[str]:
    if wanted.roots is not None:
        yield from wanted.roots
    elif reach.viewer is Viewer.OPERATOR:
        yield from filter(None, all_roots(read))
