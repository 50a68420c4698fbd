"""What only reads: pages, records, searches, recalls, near-matches and link queries."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from store import fts5
from store.local import LocalDesk
from store.records import LinkClass, MemoryScope, MemoryType, RecallRequest
from store.segment import pieces, terms
from tests.bench.corpus import Query, misspelt, sentence
from tests.bench.measuring import Operation

EVERYTHING = (
    "pk, id, status, type, scope, title, summary, content, tokens, links, created_at, updated_at"
)
PAGE = f"""
    SELECT {EVERYTHING} FROM record WHERE (created_at, pk) < (?, ?)
    ORDER BY created_at DESC, pk DESC LIMIT 50
"""
EXACT = """
    SELECT rowid FROM search_index WHERE search_index MATCH ?
    ORDER BY bm25(search_index, 4.0, 1.0) LIMIT 20
"""
MOST = 500  # distinct arguments of an operation


class Reading:
    """The operations, with arguments taken from a store.

    Args:
        path: the database; the desk is open on it.
        seed: of the arguments. Searches are tuned with other seeds than they are measured with.
    """

    def __init__(self, path: Path, desk: LocalDesk, seed: int) -> None:
        self.desk = desk
        self.raw = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, cached_statements=256)
        self._random = random.Random(seed)
        (self.size,) = self.raw.execute("SELECT max(pk) FROM record").fetchone()
        self.records = [self._some_record() for _ in range(MOST)]
        self.queries = [self._query(row) for row in self.records]

    def _some_record(self) -> tuple[Any, ...]:
        pk = self._random.randint(1, self.size)
        row = self.raw.execute(f"SELECT {EVERYTHING} FROM record WHERE pk = ?", (pk,)).fetchone()
        assert isinstance(row, tuple)
        return row

    def _query(self, row: tuple[Any, ...]) -> Query:
        return sentence(row[1], row[5], row[7], self._random)

    def operations(self) -> Iterator[Operation]:
        """Yield all that only reads."""
        yield self._page()
        yield self._get()
        yield self._search()
        yield self._recall()
        yield self._near()
        yield self._broken_links()

    def _page(self) -> Operation:
        tokens = self._page_tokens()
        places = [(row[10], row[0]) for row in self.records]
        return Operation(
            "list a page of 50",
            lambda turn: self.desk.list_records(
                page_size=50, page_token=tokens[turn % len(tokens)]
            ),
            lambda turn: self.raw.execute(PAGE, places[turn % MOST]).fetchall(),
            "keyset query",
            "≤ 2.5 ×; 1M ≤ 1.3 × 10k",
        )

    def _page_tokens(self) -> list[str]:
        """Return tokens of places all over the store; they are opaque, so they are walked to."""
        tokens, token = [], ""
        for _ in range(40):
            token = self.desk.list_records(page_size=500, page_token=token).next_page_token
            tokens.append(token)
            if not token:
                break
        return tokens

    def _get(self) -> Operation:
        ids = [row[1] for row in self.records]
        one = f"SELECT {EVERYTHING} FROM record WHERE id = ? ORDER BY status LIMIT 1"
        return Operation(
            "get a record",
            lambda turn: self.desk.get_record(ids[turn % MOST]),
            lambda turn: self.raw.execute(one, (ids[turn % MOST],)).fetchone(),
            "query by id",
            "≤ 10 ×; flat",
            rounds=500,
        )

    def _search(self) -> Operation:
        return Operation(
            "search a sentence, first 20",
            lambda turn: self.desk.search(self.queries[turn % MOST].text),
            lambda turn: self.exact(self.queries[turn % MOST].text),
            "exact FTS5 bm25",
            "≤ 0.2 × at 100k, 0.04 × at 1M",
            rounds=150,
        )

    def exact(self, text: str) -> list[int]:
        """Return the first 20 keys by FTS5's own ranking of all words of a query."""
        every = (piece for term in terms(text) for piece in pieces(term))
        words = fts5.any_phrase(
            dict.fromkeys(phrase for piece in every for phrase in piece.phrases)
        )
        return [pk for (pk,) in self.raw.execute(EXACT, (words,))]

    def _recall(self) -> Operation:
        requests = [self._request(turn) for turn in range(MOST)]
        return Operation(
            "recall, 2,000 tokens, 10 files",
            lambda turn: self.desk.preview_recall(requests[turn % MOST]),
            lambda turn: self.desk.search(self.queries[turn % MOST].text),
            "our own search",
            "≤ 1.5 ×; p95 < 100 ms at 1M",
            rounds=60,
        )

    def _request(self, turn: int) -> RecallRequest:
        row = self.records[turn]
        root, session = self.raw.execute(
            "SELECT project_root, session_id FROM record WHERE pk = ?", (row[0],)
        ).fetchone()
        words = [word for word in row[7].split() if word.isalpha()] or ["main"]
        files = [
            f"{root}/src/{self._random.choice(words)}/{self._random.choice(words)}_test.py"
            for _ in range(10)
        ]
        return RecallRequest(
            token_budget=2000,
            session_id=session,
            files_touched=tuple(files),
            working_directory=f"{root}/src",
        )

    def _near(self) -> Operation:
        asked = [
            (misspelt(row[5], self._random), MemoryType(row[3]), MemoryScope(row[4]))
            for row in self.records
        ]
        return Operation(
            "near-match check",
            lambda turn: self.desk.near(*asked[turn % MOST]),
            None,
            "",
            "p95 ≤ 5 ms at 100k, evenly spread",
        )

    def _broken_links(self) -> Operation:
        wanted = "SELECT * FROM link WHERE state = 'wanted' ORDER BY source_pk, seq"
        return Operation(
            "links --broken, whole store",
            lambda turn: self._all_links(),
            lambda turn: self.raw.execute(wanted).fetchall(),
            "query of the rows",
            "≤ 1 s at 1M",
            rounds=5,
        )

    def _all_links(self) -> int:
        count, after = 0, ""
        while page := self.desk.links(
            (LinkClass.WANTED, LinkClass.BROKEN), limit=5000, after=after
        ):
            count, after = count + len(page), page[-1].source_id
        return count
