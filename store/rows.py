"""Rows of `record` as the values that readers get, where Core statements read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.sql import ColumnElement

from store.reading import COLUMNS
from store.reading import to_record as to_record
from store.tables import record

# What `to_record` reads, and the key.
RECORD_COLUMNS: Sequence[ColumnElement[Any]] = tuple(record.c[name] for name in COLUMNS)
