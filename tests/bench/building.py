"""Stores of any size to measure on, filled in bulk and kept under tests/bench/.cache.

Rows are those that recording each memory would have written (`doctor` agrees), without the time it takes.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from render.wikilink import fold_name
from store.engine import Database
from store.location import resolve
from store.near import keys_of
from store.records import content_hash
from store.revisions import revision_of
from store.schema import MIGRATIONS, prepare
from store.search import words_of
from store.tokens import fallback_tokens
from tests.bench.corpus import SEED, Corpus, Memory

CACHE = Path(__file__).parent / ".cache"
SHAPE = 3  # of the corpus; another number makes stores anew
_BATCH = 5000
Rows = dict[str, list[dict[str, Any]]]


def store_of(size: int, seed: int = SEED) -> Path:
    """Return the database with so many memories, made if it is not there; never write to it."""
    path = CACHE / f"{SHAPE}-{_schema()}-{seed}-{size}" / "inbox.db"
    if path.exists():
        return path
    making = path.with_name("making.db")
    making.unlink(missing_ok=True)
    with closing(Database(resolve(str(making)))) as database:
        prepare(database)
    with closing(sqlite3.connect(making)) as conn:
        _fill(conn, Corpus(size, seed))
    making.rename(path)
    return path


def _schema() -> str:
    """Return what changes with the tables."""
    steps = sorted((MIGRATIONS / "versions").glob("[0-9]*.py"))
    return hashlib.sha256(b"".join(step.read_bytes() for step in steps)).hexdigest()[:8]


def _fill(conn: sqlite3.Connection, corpus: Corpus) -> None:
    conn.execute("PRAGMA synchronous=OFF")
    conn.execute("PRAGMA cache_size=-400000")
    # The index is built at once in the end, many times faster than row by row.
    (trigger,) = conn.execute(
        "SELECT sql FROM sqlite_master WHERE name = 'search_text_added'"
    ).fetchone()
    conn.execute("DROP TRIGGER search_text_added")
    known: set[str] = set()
    memories = iter(enumerate(corpus, 1))
    while batch := list(islice(memories, _BATCH)):
        rows: Rows = {"record": [], "name": [], "link": [], "search_text": [], "near_key": []}
        for pk, memory in batch:
            _add(rows, pk, memory, known)
            known.add(memory.id)
        for table, values in rows.items():
            _insert(conn, table, values)
        conn.commit()
        print(f"\r  {batch[-1][0]:,} of {corpus.size:,} memories", end="", file=sys.stderr)
    print("; indexing …", file=sys.stderr)
    conn.execute("INSERT INTO search_index(search_index) VALUES ('rebuild')")
    conn.execute(trigger)
    conn.commit()
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _insert(conn: sqlite3.Connection, table: str, values: list[dict[str, Any]]) -> None:
    if values:
        columns = ", ".join(values[0])
        marks = ", ".join(f":{name}" for name in values[0])
        conn.executemany(f"INSERT INTO {table}({columns}) VALUES ({marks})", values)


def _add(rows: Rows, pk: int, memory: Memory, known: set[str]) -> None:
    rows["record"].append(_record(pk, memory))
    names = dict.fromkeys((memory.id, memory.title))
    rows["name"].extend(
        {"record_pk": pk, "name": name, "folded": fold_name(name), "is_id": name == memory.id}
        for name in names
    )
    rows["link"].extend(_links(pk, memory, known))
    words = words_of(memory.title, "", (memory.id,), memory.content)
    rows["search_text"].append({"pk": pk, **words})
    rows["near_key"].extend(keys_of(pk, memory.type, memory.scope, memory.title, memory.id))


def _links(pk: int, memory: Memory, known: set[str]) -> Iterator[dict[str, Any]]:
    first_line = memory.content.count("\n") + 2 - len(memory.links)
    for seq, target in enumerate(memory.links):
        resolved = target in known
        yield {
            "source_pk": pk,
            "seq": seq,
            "source_id": memory.id,
            "target": target,
            "folded": fold_name(target),
            "whole": None,
            "whole_folded": None,
            "alias": "",
            "line": first_line + seq,
            "state": "resolved" if resolved else "wanted",
            "target_id": target if resolved else None,
        }


def _record(pk: int, memory: Memory) -> dict[str, Any]:
    seen = (memory.id, memory.type, memory.scope, memory.title, "", memory.content)
    return {
        "pk": pk,
        "id": memory.id,
        "status": memory.status,
        "type": memory.type,
        "scope": memory.scope,
        "title": memory.title,
        "summary": "",
        "content": memory.content,
        "tokens": fallback_tokens(memory.content),
        "links": json.dumps(list(dict.fromkeys(memory.links)), ensure_ascii=False),
        "content_hash": content_hash(memory.content),
        "revision": revision_of(*seen),
        "base_revision": None,
        "created_at": memory.created_at,
        "updated_at": memory.created_at,
        "source_session_id": memory.session_id,
        "source_turn_id": None,
        "recorded_by": "memory.remember",
        "session_id": memory.session_id,
        "project_root": memory.project_root,
    }
