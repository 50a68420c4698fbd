"""The tables of `store.models` as Core tables, under short names: what every statement is built from."""

from __future__ import annotations

from sqlalchemy import MetaData, Table
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
