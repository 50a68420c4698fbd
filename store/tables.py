"""The tables of `store.models` as Core tables, under short names: what every statement is built from."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlmodel import SQLModel

from store import models

metadata: MetaData = SQLModel.metadata


def _table(model: type[SQLModel]) -> Table:
    table = metadata.tables[str(model.__tablename__)]
    assert isinstance(table, Table)  # noqa: S101 - a narrowing for the type checker
    return table


record = _table(models.RecordRow)
name = _table(models.NameRow)
link = _table(models.LinkRow)
retired = _table(models.RetiredRow)
version = _table(models.VersionRow)
trash = _table(models.TrashRow)
journal = _table(models.JournalRow)
token_count = _table(models.TokenRow)
search_text = _table(models.SearchRow)
source = _table(models.SourceRow)
claim = _table(models.ClaimRow)
flush = _table(models.FlushRow)
served = _table(models.ServedRow)

# Ids and titles, folded, each with how many of its letters fall into each of some groups: what
# store/near.py compares. A whole partition lies together, by length, without another table's pages.
LETTER_GROUPS = tuple(f"g{number}" for number in range(12))
near_key = Table(
    "near_key",
    metadata,
    Column("type", String, primary_key=True),
    Column("scope", String, primary_key=True),
    Column("length", Integer, primary_key=True),
    Column(
        "pk",
        models._Key,
        ForeignKey("record.pk", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
        index=True,
    ),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("text", String, nullable=False),
    *(Column(name, Integer, nullable=False) for name in LETTER_GROUPS),
    sqlite_with_rowid=False,
)

# On a server only, see `store.tsvector`; on SQLite a virtual table has the name of the first.
server_metadata = MetaData()
search_index = Table(
    "search_index",
    server_metadata,
    Column("pk", BigInteger, primary_key=True, autoincrement=False),
    Column("words", TSVECTOR, nullable=False),
    Column("text", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Index("search_index_words", "words", postgresql_using="gin"),
)
search_total = Table(
    "search_total",
    server_metadata,
    Column("pk", BigInteger, primary_key=True, autoincrement=False),
    Column("entries", BigInteger, nullable=False),
    Column("words", BigInteger, nullable=False),
)
