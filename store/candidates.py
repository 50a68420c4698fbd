"""Where Recall looks: entries that the turn may see, found by recency, by words and by links.

Each source is bounded, so that the cost does not grow with the store: the latest of each kind, the best
by the rarest words, the neighbours of strong matches. A store of some hundred entries is within all bounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from store import ranking
from store.index import Weighed
from store.reader import Reader, listed
from store.records import MemoryScope, MemoryType, RecallRequest, RecordStatus
from store.turn import roots_of

LATEST_PER_KIND = 100  # of each status, type and binding
BEST_BY_WORDS = 150  # in the whole store, before looking which of them the turn may see
SCORED_BY_WORDS = 6_000  # entries, at most, that have the words by which those are found
NEIGHBOURS = 200  # of strong matches, each way

_CANONICAL, _PENDING = RecordStatus.CANONICAL.value, RecordStatus.PENDING.value
_BINDING = {
    MemoryScope.GLOBAL.value: "''",
    MemoryScope.PROJECT.value: "project_root",
    MemoryScope.SESSION.value: "session_id",
}
_LOOK = """
    SELECT pk, type, scope, updated_at, status, base_revision, project_root, session_id, agent_id
    FROM record WHERE pk IN ??
"""
_OUTGOING = f"""
    SELECT source_pk, record.pk FROM link JOIN record ON record.id = link.target_id
    WHERE source_pk IN ?? LIMIT {NEIGHBOURS}
"""  # noqa: S608
_INCOMING = f"""
    SELECT target_id, source_pk FROM link
    WHERE target_id IN ?? LIMIT {NEIGHBOURS}
"""  # noqa: S608
_WAITING = f"""
    SELECT pk, id, base_revision IS NOT NULL, removes FROM record
    WHERE status = '{_PENDING}' AND id IN ??
"""  # noqa: S608
_CURRENT = f"""
    SELECT pk FROM record
    WHERE status = '{_CANONICAL}' AND id IN ??
"""  # noqa: S608
_IDS = "SELECT id, pk FROM record WHERE pk IN ??"


class Candidate(NamedTuple):
    """An entry that the turn may see, with what its score needs; ``updated_at`` in µs."""

    type: str
    scope: str
    updated_at: int


Candidates = dict[int, Candidate]


@dataclass(frozen=True, slots=True)
class Approving:
    """Drafts that are taken to be approved already, by key.

    Args:
        drafts: all of them but proposals to forget.
        revisions: those of them that are revisions of canonical records.
        replaced: the canonical records that are hidden by them.
    """

    drafts: frozenset[int] = frozenset()
    revisions: frozenset[int] = frozenset()
    replaced: frozenset[int] = frozenset()


NONE = Approving()


def approving(read: Reader, ids: Iterable[str]) -> Approving:
    """Return what approving the drafts of some ids would bring in sight, and hide; other ids do nothing."""
    waiting = list(read.all(_WAITING, listed(ids)))
    revised = [id for _, id, is_revision, _ in waiting if is_revision]
    texts = [(pk, is_revision) for pk, _, is_revision, removes in waiting if not removes]
    return Approving(
        frozenset(pk for pk, _ in texts),
        frozenset(pk for pk, is_revision in texts if is_revision),
        frozenset(pk for (pk,) in read.all(_CURRENT, listed(revised))),
    )


class Sight:
    """What a turn may see.

    Global records; session records only in their session and its descendants; project records only at
    or below their root; drafts only when asked for. Nothing that is an agent's own (`Audience`): only the
    door by which it came knows who may see it. A pending revision never: its record is served,
    with the text that was approved. Drafts that are taken to be approved are seen as if they were.
    """

    def __init__(self, request: RecallRequest, approving: Approving = NONE) -> None:
        self.approving = approving
        self.types = frozenset(map(str, request.types or MemoryType))
        pending = (_PENDING,) if request.include_pending else ()
        self.statuses = frozenset((_CANONICAL, *pending))
        bound: dict[str, list[str]] = {
            MemoryScope.GLOBAL: [""],
            MemoryScope.PROJECT: roots_of(request.working_directory),
            MemoryScope.SESSION: list(filter(None, (request.session_id, *request.ancestors))),
        }
        self.bound = {scope: frozenset(bound[scope]) for scope in request.scopes or MemoryScope}

    def has(self, entry: _Looked) -> bool:
        """Tell whether an entry is in sight."""
        binding = {
            MemoryScope.GLOBAL.value: "",
            MemoryScope.PROJECT.value: entry.project_root,
            MemoryScope.SESSION.value: entry.session_id,
        }[entry.scope]
        return (
            entry.pk not in self.approving.replaced
            and (self._is_served(entry) or entry.pk in self.approving.drafts)
            and entry.type in self.types
            and binding in self.bound.get(MemoryScope(entry.scope), ())
            and not entry.agent_id
        )

    def _is_served(self, entry: _Looked) -> bool:
        new = entry.status == _CANONICAL or entry.base_revision is None
        return new and entry.status in self.statuses


class _Looked(NamedTuple):
    """What decides whether an entry is in sight; columns of `record`."""

    pk: int
    type: str
    scope: str
    updated_at: int
    status: str
    base_revision: str | None
    project_root: str
    session_id: str
    agent_id: str


def latest(read: Reader, sight: Sight) -> Candidates:
    """Return the latest entries of each kind in sight, by key."""
    seen: Candidates = {}
    for (scope, bindings), status, type in product(
        sight.bound.items(), sight.statuses, sight.types
    ):
        for binding in bindings:
            rows = read.all(_latest(scope, status), status, type, binding)
            seen.update((pk, Candidate(type, scope, updated_at)) for pk, updated_at in rows)
    for pk in sight.approving.replaced:
        seen.pop(pk, None)
    return seen | look_at(read, sight, sight.approving.drafts - seen.keys())


def _latest(scope: str, status: str) -> str:
    """Return the query for the latest entries of a scope, given status, type and binding."""
    # The scope is spelled out, for only then the engine may use its partial index, from which all is
    # read that is needed of a canonical record.
    bound = f"{_BINDING[scope]} = ?"
    new = "AND base_revision IS NULL" if status == _PENDING else ""
    return f"""
        SELECT pk, updated_at FROM record
        WHERE scope = '{scope}' AND status = ? AND type = ? AND {bound} AND agent_id = '' {new}
        ORDER BY updated_at DESC LIMIT {LATEST_PER_KIND}
    """  # noqa: S608


def best_by_words(read: Reader, weighed: Sequence[Weighed]) -> list[int]:
    """Return the keys of the entries that say most of the rarest of some words, best first."""
    if not weighed:
        return []
    rare, _ = ranking.part(weighed, SCORED_BY_WORDS)
    expression = read.index.any_of(rare)
    few = rare[0].frequency <= ranking.SCORED
    return list(ranking.best_matching(read, expression, limit=BEST_BY_WORDS, few=few))


def look_at(read: Reader, sight: Sight, pks: Iterable[int]) -> Candidates:
    """Return those of some entries that are in sight."""
    looked = map(_Looked._make, read.all(_LOOK, listed(pks)))
    return {
        each.pk: Candidate(each.type, each.scope, each.updated_at)
        for each in looked
        if sight.has(each)
    }


def neighbours(read: Reader, strong: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield the links between strong matches and others, both ways: key of the match, key of the other."""
    yield from read.all(_OUTGOING, listed(strong))
    by_id = dict(read.all(_IDS, listed(strong)))
    for target_id, source in read.all(_INCOMING, listed(by_id)):
        yield by_id[target_id], source
