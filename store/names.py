"""What links may call a record: its id, its titles, and the aliases of its import.

A name belongs to a canonical record or a new draft. A pending revision has none: its new title becomes
a name when it is approved.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select

from render.wikilink import fold_name
from store.prepared import Prepared
from store.records import RecordStatus
from store.tables import name, record, retired

_OF = Prepared(select(name.c.name).where(name.c.record_pk == bindparam("of")).order_by(name.c.pk))
_KNOWN = Prepared(
    select(name.c.name, name.c.is_id, record.c.id, record.c.status)
    .join(record, record.c.pk == name.c.record_pk)
    .where(name.c.folded == bindparam("form"))
    .order_by(record.c.id)
)
_ADD = Prepared(insert(name), ("record_pk", "name", "folded", "is_id"))
_DROP = Prepared(
    delete(name).where(name.c.record_pk == bindparam("of"), name.c.name == bindparam("gone"))
)
_RETIRED = Prepared(select(retired.c.id).where(retired.c.digest == bindparam("key")))
_RETIRE = Prepared(insert(retired), ("digest", "id", "at"))
_UNRETIRE = Prepared(delete(retired).where(retired.c.digest == bindparam("key")))


@dataclass(frozen=True, slots=True)
class Name:
    """A name that answers: ``name`` is NFC, ``id`` its record's."""

    name: str
    is_id: bool
    id: str
    canonical: bool


def normal(text: str) -> str:
    """Return a name as it is kept and compared: NFC, without blanks around it."""
    return unicodedata.normalize("NFC", text).strip()


def names_of(conn: Connection, pk: int) -> tuple[str, ...]:
    """Return the names of an entry: the id first, then titles and aliases as they came."""
    return tuple(text for (text,) in _OF.all(conn, {"of": pk}))


def add_names(
    conn: Connection, pk: int, names: Iterable[str], *, id: str | None = None
) -> set[str]:
    """Give an entry further names and return their folded forms; blank and known ones are skipped.

    Args:
        id: the entry's id, given once, when it gets its first names.
    """
    known = set(names_of(conn, pk)) if id is None else set[str]()
    wanted = [(id, True)] if id is not None else []
    wanted += [(normal(each), False) for each in names]
    rows = []
    for each, is_id in wanted:
        if each and each not in known:
            known.add(each)
            folded = fold_name(each)
            rows.append({"record_pk": pk, "name": each, "folded": folded, "is_id": is_id})
    _ADD.run_each(conn, rows)
    return {str(row["folded"]) for row in rows}


def drop_names(conn: Connection, pk: int, id: str, names: Iterable[str], now: int) -> set[str]:
    """Take names from an entry, remember that they once answered, and return their folded forms."""
    gone = list(names)
    _DROP.run_each(conn, ({"of": pk, "gone": each} for each in gone))
    return retire(conn, id, gone, now)


def retire(conn: Connection, id: str, names: Iterable[str], now: int) -> set[str]:
    """Remember that names once answered, by digest alone, and return their folded forms."""
    folded = {fold_name(each) for each in names}
    digests = [digest(each) for each in folded]
    _UNRETIRE.run_each(conn, ({"key": each} for each in digests))
    _RETIRE.run_each(conn, ({"digest": each, "id": id, "at": now} for each in digests))
    return folded


def known_names(conn: Connection, folded: Iterable[str]) -> dict[str, list[Name]]:
    """Return the names that answer to folded forms, by folded form and in order of id."""
    found: dict[str, list[Name]] = {}
    for form in folded:
        rows = _KNOWN.all(conn, {"form": form})
        if rows:
            found[form] = [
                Name(text, bool(is_id), id, status == RecordStatus.CANONICAL)
                for text, is_id, id, status in rows
            ]
    return found


def retired_names(conn: Connection, folded: Iterable[str]) -> set[str]:
    """Return those of the folded forms that once answered."""
    return {form for form in folded if _RETIRED.first(conn, {"key": digest(form)})}


def digest(folded: str) -> str:
    """Return the key of a retired name."""
    return hashlib.sha256(folded.encode()).hexdigest()
