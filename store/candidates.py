"""Where Recall looks: entries that the turn may see, found by recency, by words and by links.

Each source is bounded, so that the cost does not grow with the store: the latest of each kind, the best
by the rarest words, the neighbours of strong matches. A store of some hundred entries is within all bounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, literal_column, select

from store import fts5, ranking, tables
from store.prepared import Prepared
from store.records import MemoryScope, MemoryType, RecallRequest, RecordStatus
from store.rescoring import Weighed
from store.turn import roots_of

LATEST_PER_KIND = 100  # of each status, type and binding
BEST_BY_WORDS = 250  # in the whole store, before looking which of them the turn may see
SCORED_BY_WORDS = 8_000  # entries, at most, that have the words by which those are found
NEIGHBOURS = 200  # of strong matches, each way

_record, _link = tables.record.c, tables.link.c
_CANONICAL, _PENDING = RecordStatus.CANONICAL.value, RecordStatus.PENDING.value
_BINDINGS: dict[str, ColumnElement[str] | None] = {
    MemoryScope.GLOBAL: None,
    MemoryScope.PROJECT: _record.project_root,
    MemoryScope.SESSION: _record.session_id,
}


class Candidate(NamedTuple):
    """An entry that the turn may see, with what its score needs; ``updated_at`` in µs."""

    type: str
    scope: str
    updated_at: int


Candidates = dict[int, Candidate]


class Sight:
    """What a turn may see.

    Global records; session records only in their session and its descendants; project records only at
    or below their root; drafts only when asked for. A pending revision never: its record is served,
    with the text that was approved.
    """

    def __init__(self, request: RecallRequest) -> None:
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
            entry.status in self.statuses
            and entry.type in self.types
            and binding in self.bound.get(MemoryScope(entry.scope), ())
            and (entry.status == _CANONICAL or entry.base_revision is None)
        )


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


_LOOK = select(*(_record[name] for name in _Looked._fields)).where(
    _record.pk.in_(bindparam("pks", expanding=True))
)


def _latest_of(scope: str, status: str) -> Prepared:
    """Return the statement for the latest entries of a scope and status, bound as ``binding`` says."""
    # Spelled out and not a parameter, for only then the engine may use the partial index of the scope,
    # from which all is read that is needed of a canonical record.
    of_scope: ColumnElement[str] = literal_column(f"'{scope}'")
    kind = [_record.scope == of_scope, _record.status == status, _record.type == bindparam("type")]
    if (column := _BINDINGS[scope]) is not None:
        kind.append(column == bindparam("binding"))
    if status == _PENDING:
        kind.append(_record.base_revision.is_(None))
    newest = select(_record.pk, _record.updated_at).where(*kind)
    return Prepared(newest.order_by(_record.updated_at.desc()).limit(LATEST_PER_KIND))


_LATEST = {
    (scope, status): _latest_of(scope, status)
    for scope in _BINDINGS
    for status in (_CANONICAL, _PENDING)
}
_OUTGOING = (
    select(_link.source_pk, _record.pk)
    .join(tables.record, _record.id == _link.target_id)
    .where(_link.source_pk.in_(bindparam("pks", expanding=True)))
    .limit(NEIGHBOURS)
)
_IDS = select(_record.id, _record.pk).where(_record.pk.in_(bindparam("pks", expanding=True)))
_INCOMING = (
    select(_link.target_id, _link.source_pk)
    .where(_link.target_id.in_(bindparam("ids", expanding=True)))
    .limit(NEIGHBOURS)
)


def latest(conn: Connection, sight: Sight) -> Candidates:
    """Return the latest entries of each kind in sight, by key."""
    seen: Candidates = {}
    for (scope, bindings), status, type in product(
        sight.bound.items(), sight.statuses, sight.types
    ):
        for binding in bindings:
            rows = _LATEST[scope, status].all(conn, {"type": type, "binding": binding})
            seen.update((pk, Candidate(type, scope, updated_at)) for pk, updated_at in rows)
    return seen


def best_by_words(conn: Connection, weighed: Sequence[Weighed]) -> list[int]:
    """Return the keys of the entries that say most of the rarest of some words, best first."""
    if not weighed:
        return []
    rare, _ = ranking.part(weighed, SCORED_BY_WORDS)
    expression = fts5.any_of(each.phrase for each in rare)
    few = rare[0].frequency <= ranking.SCORED
    return list(ranking.best_matching(conn, expression, limit=BEST_BY_WORDS, few=few))


def look_at(conn: Connection, sight: Sight, pks: Iterable[int]) -> Candidates:
    """Return those of some entries that are in sight."""
    looked = map(_Looked._make, conn.execute(_LOOK, {"pks": list(pks)}))
    return {
        each.pk: Candidate(each.type, each.scope, each.updated_at)
        for each in looked
        if sight.has(each)
    }


def neighbours(conn: Connection, strong: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield the links between strong matches and others, both ways: key of the match, key of the other."""
    pks = list(strong)
    yield from ((match, other) for match, other in conn.execute(_OUTGOING, {"pks": pks}))
    by_id = {row.id: row.pk for row in conn.execute(_IDS, {"pks": pks})}
    for target_id, source in conn.execute(_INCOMING, {"ids": list(by_id)}):
        yield by_id[target_id], source
