"""How many tokens a text is: what the host says, kept by content hash and model, else one exact rule."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from sqlalchemy import Engine, select
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlalchemy.exc import SQLAlchemyError

from store.records import content_hash
from store.records import fallback_tokens as fallback_tokens
from store.tables import token_count

_BATCH = 500  # hashes looked up at once; well under any engine's limit on parameters


class TokenCounter(Protocol):
    """Whoever can count tokens: a host over its wire, or the fallback."""

    def count(self, contents: Sequence[str], model: str) -> list[int]:
        """Return the tokens of each text, in order, as the model of this id counts them."""
        ...


class FallbackCounter:
    """Count without a host. The same for every model, and cheap: needs no cache."""

    def count(self, contents: Sequence[str], model: str = "") -> list[int]:
        """Return the fallback count of each text, in order."""
        return [fallback_tokens(text) for text in contents]


class CachedCounter:
    """A counter that asks another one once for a text and model, and keeps the answer in the store.

    Counts of an unnamed model (``""``) are kept too: a host counts them by its default model.

    Args:
        inner: whom to ask; its errors pass through and nothing is kept then.
        engine: the store. Read and written in transactions of its own, so never call `count` inside a
            write transaction of the same store.
    """

    def __init__(self, inner: TokenCounter, engine: Engine) -> None:
        self._inner = inner
        self._engine = engine

    def count(self, contents: Sequence[str], model: str) -> list[int]:
        """Return the tokens of each text, in order; unknown texts are asked for in one call."""
        hashes = [content_hash(text) for text in contents]
        known = self._look_up(hashes, model)
        missing = {
            key: text for key, text in zip(hashes, contents, strict=True) if key not in known
        }
        if missing:
            counted = self._inner.count(list(missing.values()), model)
            fresh = dict(zip(missing, counted, strict=True))
            # A store that is locked now is no reason to fail: the host is asked again another time.
            with suppress(SQLAlchemyError):
                self._keep(fresh, model)
            known |= fresh
        return [known[key] for key in hashes]

    def _look_up(self, hashes: Sequence[str], model: str) -> dict[str, int]:
        found: dict[str, int] = {}
        distinct = list(dict.fromkeys(hashes))
        with self._engine.connect() as conn:
            for start in range(0, len(distinct), _BATCH):
                batch = distinct[start : start + _BATCH]
                query = select(token_count.c.content_hash, token_count.c.tokens).where(
                    token_count.c.content_hash.in_(batch), token_count.c.model == model
                )
                found.update((row.content_hash, row.tokens) for row in conn.execute(query))
        return found

    def _keep(self, counts: dict[str, int], model: str) -> None:
        rows = [{"content_hash": key, "model": model, "tokens": n} for key, n in counts.items()]
        with self._engine.begin() as conn:
            insert = insert_sqlite if conn.dialect.name == "sqlite" else insert_postgresql
            conn.execute(insert(token_count).on_conflict_do_nothing(), rows)
