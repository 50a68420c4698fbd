"""Keyset pages, counts and single entries: how entries are read.

A page token is the position of the last entry of a page, so a sweep never misses or repeats an entry
that was there throughout, whatever is written meanwhile: an entry's position never changes.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import struct
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select, tuple_

from store import trash
from store.clock import from_micros
from store.errors import InvalidArgument, NotFound
from store.filters import condition
from store.records import Counts, Page, Record, RecordFilter, RecordStatus
from store.rows import RECORD_COLUMNS, to_record
from store.tables import record

PAGE = 50
LARGEST_PAGE = 500

_ORDER = (record.c.created_at.desc(), record.c.pk.desc())
_BELOW = tuple_(record.c.created_at, record.c.pk) < tuple_(
    bindparam("created_at", type_=record.c.created_at.type),
    bindparam("pk", type_=record.c.pk.type),
)
_ENTRIES = select(*RECORD_COLUMNS).where(record.c.id == bindparam("id"))
_LAYOUT = struct.Struct(">B8sqq4s")  # version, filter, created_at, pk, checksum
_VERSION = 1


def page(conn: Connection, query: RecordFilter, size: int, token: str) -> Page:
    """Return one page, newest first; an empty next token is the last page.

    Args:
        size: of the page; 0 means 50, more than 500 means 500.
        token: of the page before, empty for the first.

    Raises:
        InvalidArgument: a negative size, or a token that is damaged or from another listing.
    """
    if size < 0:
        raise InvalidArgument(f"a page of {size} entries does not exist", hint="0 means 50.")
    length = min(size or PAGE, LARGEST_PAGE)
    values: dict[str, Any] = {"limit": length + 1}
    if token:
        values["created_at"], values["pk"] = _position(token, query)
    rows = conn.execute(_statement(conn.dialect.name, query, bool(token)), values).all()
    records = tuple(to_record(row) for row in rows[:length])
    if len(rows) <= length:
        return Page(records)
    last = rows[length - 1]
    return Page(records, _token(last.created_at, last.pk, query))


@lru_cache(maxsize=256)
def _statement(dialect: str, query: RecordFilter, further: bool) -> Select[Any]:
    # Built once a filter: building costs more than running.
    statement = select(*RECORD_COLUMNS).where(condition(dialect, query))
    if further:
        statement = statement.where(_BELOW)
    return statement.order_by(*_ORDER).limit(bindparam("limit"))


def _token(created_at: int, pk: int, query: RecordFilter) -> str:
    body = _LAYOUT.pack(_VERSION, _fingerprint(query), created_at, pk, b"")[:-4]
    return base64.urlsafe_b64encode(body + _checksum(body)).rstrip(b"=").decode()


def _position(token: str, query: RecordFilter) -> tuple[int, int]:
    try:
        packed = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
        version, fingerprint, created_at, pk, checksum = _LAYOUT.unpack(packed)
    except (binascii.Error, ValueError, struct.error):
        raise _bad_token(token, "is not one of this provider's") from None
    if version != _VERSION or checksum != _checksum(packed[:-4]):
        raise _bad_token(token, "is not one of this provider's")
    if fingerprint != _fingerprint(query):
        raise _bad_token(token, "belongs to a listing with another filter")
    return created_at, pk


def _bad_token(token: str, why: str) -> InvalidArgument:
    shown = token if len(token) <= 60 else f"{token[:59]}…"
    return InvalidArgument(f"the page token {shown!r} {why}", hint="Start again without a token.")


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2s(body, digest_size=4, person=b"pagetokn").digest()


@lru_cache(maxsize=256)
def _fingerprint(query: RecordFilter) -> bytes:
    types, scopes = sorted(set(query.types)), sorted(set(query.scopes))
    text = json.dumps([types, scopes, query.status, query.text])
    return hashlib.blake2s(text.encode(), digest_size=8).digest()


def get(conn: Connection, id: str, *, drafts: bool = True) -> Record:
    """Return the canonical record of an id, else its draft; NotFound when there is neither."""
    found = None
    for row in conn.execute(_ENTRIES, {"id": id}):
        if row.status == RecordStatus.CANONICAL:
            return to_record(row)
        found = row
    if found is None or not drafts:
        raise NotFound.record(id)
    return to_record(found)


def count(conn: Connection, query: RecordFilter) -> Counts:
    """Count the entries that pass a filter, and all of the trash."""
    # Three queries, for each reads an index alone: none touches the records.
    passing = condition(conn.dialect.name, query)
    by_status = conn.execute(
        select(record.c.status, func.count().label("number"))
        .where(passing)
        .group_by(record.c.status)
    )
    counts = {row.status: row.number for row in by_status}
    waiting = counts.get(RecordStatus.PENDING.value, 0)
    return Counts(
        pending=waiting,
        canonical=counts.get(RecordStatus.CANONICAL.value, 0),
        revisions=_revisions(conn, query) if waiting else 0,
        trashed=trash.size(conn),
        oldest_pending=_oldest(conn, query) if waiting else None,
    )


def _revisions(conn: Connection, query: RecordFilter) -> int:
    # Only revisions have a base. Without the status, the index of them alone is used.
    passing = condition(conn.dialect.name, replace(query, status=None))
    revisions = passing & record.c.base_revision.is_not(None)
    return conn.execute(select(func.count()).select_from(record).where(revisions)).scalar_one()


def _oldest(conn: Connection, query: RecordFilter) -> datetime | None:
    waiting = condition(conn.dialect.name, replace(query, status=RecordStatus.PENDING))
    oldest = conn.execute(select(func.min(record.c.created_at)).where(waiting)).scalar()
    return None if oldest is None else from_micros(oldest)
