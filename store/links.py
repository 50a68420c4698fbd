"""The `[[links]]` of every entry, resolved when written and again whenever a name comes or goes.

Order of resolution: exact id, exact name, folded name; two records at the same step are ambiguous,
never guessed. What a canonical record answers to comes first, so that no draft can redirect or spoil a
link that ratified records answer; only where none does, drafts are asked in the same order. The whole
inner text, bars and all, comes before the part before the bar.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update

from render.wikilink import find_links, fold_name
from store.checks import NAME_LENGTH
from store.names import Name, known_names, normal, retired_names
from store.prepared import Prepared
from store.records import LinkClass
from store.tables import link, record

_AT = (link.c.source_pk == bindparam("at_pk"), link.c.seq == bindparam("at_seq"))
_SET_STATE = Prepared(
    update(link).where(*_AT).values(state=bindparam("new_state"), target_id=bindparam("new_target"))
)
_SET_LINKS = Prepared(
    update(record).where(record.c.pk == bindparam("at_pk")).values(links=bindparam("new_links"))
)
_FIELDS = ("target", "folded", "whole", "whole_folded")
_CALLING = Prepared(
    select(
        link.c.source_pk, link.c.seq, link.c.state, link.c.target_id, *(link.c[f] for f in _FIELDS)
    ).where(or_(link.c.folded == bindparam("form"), link.c.whole_folded == bindparam("form")))
)
_IDS = Prepared(
    select(func.coalesce(link.c.target_id, link.c.target))
    .where(link.c.source_pk == bindparam("of"))
    .order_by(link.c.seq)
)
_ADD = Prepared(
    insert(link), ("source_pk", "source_id", "seq", *_FIELDS, "alias", "line", "state", "target_id")
)
_DROP = Prepared(delete(link).where(link.c.source_pk == bindparam("of")))


class Called(NamedTuple):
    """What a link calls, with the folded forms it is found by."""

    target: str
    folded: str
    whole: str | None
    whole_folded: str | None


def call_of(row: Row[Any]) -> Called:
    """Return what a row of `link` calls."""
    return Called(row.target, row.folded, row.whole, row.whole_folded)


@dataclass(frozen=True, slots=True)
class Resolution:
    """What became of a link: ``id`` when resolved, ``candidates`` when ambiguous.

    ``called`` is what answered: the link's target, or its whole inner text.
    """

    state: LinkClass
    called: str
    id: str | None = None
    candidates: tuple[str, ...] = ()


class Names:
    """The names that a set of links calls, read once, and the one rule of resolution over them.

    Args:
        known: the names that answer, by folded form.
        retired: folded forms that once answered.
    """

    def __init__(self, known: Mapping[str, Sequence[Name]], retired: set[str]) -> None:
        self.known = known
        self.retired = retired

    @classmethod
    def read(cls, conn: Connection, calls: Iterable[Called]) -> Names:
        """Read what the links need."""
        folded = {form for call in calls for form in (call.folded, call.whole_folded) if form}
        known = known_names(conn, folded)
        return cls(known, retired_names(conn, folded - known.keys()))

    def resolve(self, call: Called) -> Resolution:
        """Say what a link means now."""
        forms = [(call.whole, call.whole_folded), (call.target, call.folded)]
        for canonical in (True, False):
            for text, folded in forms:
                if text is None or folded is None:
                    continue
                answers = self._answers(normal(text), folded, canonical)
                if len(answers) == 1:
                    return Resolution(LinkClass.RESOLVED, text, answers[0])
                if answers:
                    return Resolution(LinkClass.AMBIGUOUS, text, None, answers)
        once = call.folded in self.retired or call.whole_folded in self.retired
        return Resolution(LinkClass.BROKEN if once else LinkClass.WANTED, call.target)

    def _answers(self, text: str, folded: str, canonical: bool) -> tuple[str, ...]:
        names = [each for each in self.known.get(folded, ()) if each.canonical is canonical]
        for step in (
            [each.id for each in names if each.is_id and each.name == text],
            [each.id for each in names if each.name == text],
            [each.id for each in names],
        ):
            if step:
                return tuple(dict.fromkeys(step))
        return ()


def calls_in(content: str) -> list[tuple[Called, str, int]]:
    """Return the links of a text in order, each with its alias and line."""
    found = []
    for each in find_links(content):
        if max(len(each.target), len(each.whole)) > NAME_LENGTH:
            continue  # no record can have such a name
        whole = each.whole if each.whole != each.target else None
        call = Called(
            each.target, fold_name(each.target), whole, fold_name(whole) if whole else None
        )
        found.append((call, each.alias, each.line))
    return found


def write_links(conn: Connection, pk: int, id: str, content: str, *, fresh: bool = False) -> None:
    """Set the links of an entry to those of its text.

    Args:
        fresh: the entry was just made, so there are none to replace.
    """
    found = calls_in(content)
    if not fresh:
        _DROP.run(conn, {"of": pk})
    if not found:
        if not fresh:
            _SET_LINKS.run(conn, {"at_pk": pk, "new_links": "[]"})
        return
    names = Names.read(conn, [call for call, _, _ in found])
    rows = []
    ids = []
    for seq, (call, alias, line) in enumerate(found):
        meant = names.resolve(call)
        ids.append(meant.id or call.target)
        rows.append(
            call._asdict()
            | {"source_pk": pk, "source_id": id, "seq": seq, "alias": alias, "line": line}
            | {"state": meant.state.value, "target_id": meant.id}
        )
    _ADD.run_each(conn, rows)
    _SET_LINKS.run(conn, {"at_pk": pk, "new_links": _as_json(ids)})


def restate(conn: Connection, folded: Iterable[str]) -> None:
    """Resolve again every link that calls one of these folded names; call when one comes or goes."""
    places: dict[tuple[int, int], tuple[LinkClass, str | None]] = {}
    calls: dict[tuple[int, int], Called] = {}
    for form in folded:
        for pk, seq, state, target_id, *called in _CALLING.all(conn, {"form": form}):
            places[pk, seq] = state, target_id
            calls[pk, seq] = Called(*called)
    if not calls:
        return
    names = Names.read(conn, calls.values())
    meanings = {call: names.resolve(call) for call in set(calls.values())}
    changed: list[dict[str, Any]] = []
    sources: set[int] = set()
    for (pk, seq), call in calls.items():
        meant = meanings[call]
        if places[pk, seq] != (meant.state, meant.id):
            new = {"new_state": meant.state.value, "new_target": meant.id}
            changed.append({"at_pk": pk, "at_seq": seq, **new})
            sources.add(pk)
    _SET_STATE.run_each(conn, changed)
    # The `links` column follows: ids where there are any, targets as written where not.
    for pk in sources:
        ids = [id for (id,) in _IDS.all(conn, {"of": pk})]
        _SET_LINKS.run(conn, {"at_pk": pk, "new_links": _as_json(ids)})


def _as_json(ids: Iterable[str]) -> str:
    return json.dumps(list(dict.fromkeys(ids)), ensure_ascii=False)
