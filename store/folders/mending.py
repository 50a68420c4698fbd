"""Mend links: suggest what one may mean, point it elsewhere, rename a record with all that refers to it.

Every change is the operator's edit: in place, journaled, and on the next export in the files, too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from render.wikilink import find_links, fold_name
from store import entries
from store.alike import Names, Suggestion
from store.errors import Conflict, InvalidArgument, MemoryError
from store.folders.hygiene import Finding, Kind
from store.local import LocalDesk
from store.retarget import can_link, linkable, retarget, write
from store.tables import name, record

_MAX_NAMES = 200_000
_READ = select(name.c.name, record.c.id).join(record, record.c.pk == name.c.record_pk)


@dataclass(frozen=True, slots=True)
class Fix:
    """A link to be pointed elsewhere, wherever it stands in a record.

    Args:
        id: the record that has the link.
        target: the link's target as written.
        replacement: the name or id that it is to have instead.
    """

    id: str
    target: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of a fix; ``why`` says why it was not made, empty when it was."""

    fix: Fix
    why: str = ""


class Suggester:
    """Knows all names of a store and finds those that are like another.

    Args:
        conn: a transaction that reads.
    """

    def __init__(self, conn: Connection) -> None:
        rows = conn.execute(_READ.limit(_MAX_NAMES))
        self._names = Names((row.id, row.name) for row in rows)

    def suggest(self, finding: Finding, limit: int = 3) -> tuple[Suggestion, ...]:
        """Return the records that a link may mean, the likeliest first; empty for what is no link."""
        if finding.kind is Kind.AMBIGUOUS:
            return tuple(Suggestion(id, 100.0) for id in finding.candidates[:limit])
        if finding.kind not in (Kind.BROKEN, Kind.WANTED):
            return ()
        return self._names.like(finding.target, limit, except_id=finding.id)


def read_fixes(text: str) -> tuple[Fix, ...]:
    """Read fixes from JSON: a list, or one object a line, with ``id``, ``target`` and ``replacement``.

    What has an empty replacement is left out, so that a list of suggestions can be pruned by hand.

    Raises:
        InvalidArgument: it is no such JSON; the message names the first wrong entry.
    """
    try:
        if text.lstrip().startswith("["):
            listed = json.loads(text)
        else:
            listed = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise InvalidArgument(
            "the fixes are not JSON", hint="`links fix --json` writes them."
        ) from None
    fixes = []
    for number, each in enumerate(listed, 1):
        if not isinstance(each, dict) or not all(
            isinstance(each.get(key), str) for key in ("id", "target")
        ):
            raise InvalidArgument(f"fix {number} has no id and target")
        replacement = each.get("replacement") or ""
        if not isinstance(replacement, str):
            raise InvalidArgument(f"the replacement of fix {number} is no text")
        if replacement:
            fixes.append(Fix(each["id"], each["target"], replacement))
    return tuple(fixes)


def apply_fixes(desk: LocalDesk, fixes: Sequence[Fix]) -> tuple[Mended, ...]:
    """Point links elsewhere; a fix that cannot be made leaves the others alone."""
    done: list[Mended] = []
    by_record: dict[str, list[Fix]] = {}
    for fix in fixes:
        by_record.setdefault(fix.id, []).append(fix)
    for id, wanted in by_record.items():
        try:
            made = _rewrite(desk, id, {fix.target: fix.replacement for fix in wanted})
        except MemoryError as problem:
            done += [Mended(fix, str(problem)) for fix in wanted]
            continue
        done += [
            Mended(fix, "" if fix.target in made else "the record has no such link")
            for fix in wanted
        ]
    return tuple(done)


def rename(desk: LocalDesk, id: str, title: str) -> tuple[str, ...]:
    """Give a record another title and let every link that uses the old one use the new one.

    The id stays: links that use it, or another name, still lead there and are left alone. Where a link cannot
    be written with the new title, it gets the id.

    Returns:
        the ids of the records whose links were rewritten.

    Raises:
        NotFound: no such record. InvalidArgument: it cannot be a title.
        Conflict: a revision of it waits, whose title is another matter.
    """
    name = title if can_link(title) else id
    with desk.batch():
        was = desk.get_record(id)
        revision = _sole(desk, id)
        old = fold_name(was.title)
        referring = {
            entry.source_id for entry in desk.backlinks(id) if fold_name(entry.target) == old
        }
        desk.edit(id, revision, title=title)
        changed = [
            source for source in sorted(referring) if _rename_in(desk, source, was.title, name)
        ]
    return tuple(changed)


def _rename_in(desk: LocalDesk, source: str, old: str, new: str) -> bool:
    with desk.database.reading() as conn:
        canonical, pending = entries.find_both(conn, source)
        content = (pending if pending is not None else canonical).content  # type: ignore[union-attr]
    folded = fold_name(old)
    uses = {
        each
        for link in find_links(content)
        for each in (link.target, link.whole)
        if fold_name(each) == folded
    }
    return bool(_rewrite(desk, source, dict.fromkeys(uses, new)))


def _rewrite(desk: LocalDesk, id: str, mapping: dict[str, str]) -> frozenset[str]:
    """Replace link targets in what waits under an id, else in its canonical text; returns those found."""
    with desk.batch():
        for name in mapping.values():
            linkable(name)
        change = retarget(desk, id, mapping)
        write(desk, change)
        return change.found


def _sole(desk: LocalDesk, id: str) -> str:
    """Return the revision of the one entry of an id."""
    with desk.database.reading() as conn:
        canonical, pending = entries.find_both(conn, id)
    if canonical is not None and pending is not None:
        raise Conflict(f"a revision of {id!r} waits for a decision", hint="Decide it first.")
    kept = canonical if canonical is not None else pending
    assert kept is not None  # noqa: S101 - find_both
    return str(kept.revision)
