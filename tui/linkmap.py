"""The links of a store, sorted by what is the matter with them. Plain functions: they run in jobs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from store.provider import Desk
from store.records import LinkClass, LinkEntry, RecordFilter

if TYPE_CHECKING:
    from store.alike import Names, Suggestion

PAGE = 500
MOST_LINKS = 50_000
"""Links that are read at most; a larger store is shown in part, and says so."""

MOST_RECORDS = 20_000
"""Records that are looked through for orphans."""

MOST_LINKED = 30
"""How many of the most linked records are listed."""

MOST_GUESSED = 200
"""Names of a class for which like ones are sought."""


@dataclass(frozen=True, slots=True)
class Target:
    """A name that links use, and the places that use it.

    Args:
        name: the record's id for resolved links, else the name as written.
        candidates: ids of the records that an ambiguous name may mean.
        like: records that read much like a name that leads nowhere, the likest first.
    """

    name: str
    link_class: LinkClass
    places: tuple[LinkEntry, ...]
    candidates: tuple[str, ...] = ()
    like: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkMap:
    """Every section is ordered by what is most used.

    Args:
        orphans: ids of records that no link leads to or from.
        whole: whether all of the store was read.
    """

    broken: tuple[Target, ...] = ()
    wanted: tuple[Target, ...] = ()
    ambiguous: tuple[Target, ...] = ()
    most_linked: tuple[Target, ...] = ()
    orphans: tuple[str, ...] = ()
    whole: bool = True


def read_links(desk: Desk) -> LinkMap:
    """Read the links of a store."""
    from store.alike import Names

    entries, whole = _entries(desk)
    by_class: dict[LinkClass, dict[str, list[LinkEntry]]] = defaultdict(lambda: defaultdict(list))
    tied: set[str] = set()
    for entry in entries:
        name = entry.resolved_id or entry.target
        by_class[entry.link_class][name].append(entry)
        tied |= {entry.source_id, name}
    named = list(read_names(desk))
    ids = [id for id, _ in named]
    names = Names([*zip(ids, ids, strict=True), *named])
    return LinkMap(
        broken=_targets(LinkClass.BROKEN, by_class, names),
        wanted=_targets(LinkClass.WANTED, by_class, names),
        ambiguous=_targets(LinkClass.AMBIGUOUS, by_class),
        most_linked=_targets(LinkClass.RESOLVED, by_class)[:MOST_LINKED],
        orphans=tuple(dict.fromkeys(id for id in ids[:MOST_RECORDS] if id not in tied)),
        whole=whole and len(ids) <= MOST_RECORDS,
    )


def _entries(desk: Desk) -> tuple[list[LinkEntry], bool]:
    entries: list[LinkEntry] = []
    after = ""
    while len(entries) < MOST_LINKS:
        page = desk.links((), PAGE, after)
        entries += page
        if len(page) < PAGE:
            return entries, True
        after = page[-1].source_id
    return entries, False


def _targets(
    link_class: LinkClass,
    by_class: dict[LinkClass, dict[str, list[LinkEntry]]],
    known: Names | None = None,
) -> tuple[Target, ...]:
    found = by_class[link_class]
    names = sorted(found, key=lambda name: (-len(found[name]), name))
    return tuple(
        Target(
            name,
            link_class,
            tuple(found[name]),
            tuple(dict.fromkeys(id for entry in found[name] for id in entry.candidates)),
            known.like(name) if known is not None and rank < MOST_GUESSED else (),
        )
        for rank, name in enumerate(names)
    )


def read_names(desk: Desk) -> Iterator[tuple[str, str]]:
    """Yield the ids and titles of records, the newest first: `MOST_RECORDS` and one more at most."""
    return islice(_named(desk), MOST_RECORDS + 1)


def _named(desk: Desk) -> Iterator[tuple[str, str]]:
    token = ""
    while True:
        page = desk.browse(RecordFilter(), PAGE, token)
        yield from ((record.id, record.title) for record in page.records)
        token = page.next_page_token
        if not token:
            return
