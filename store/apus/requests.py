"""What requests ask for: fields checked and bounded, with errors that name the field and never its value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from store.apus.failures import PermissionDenied
from store.errors import InvalidArgument

MOST_HITS = 50  # of a page
HITS = 20
_QUERY = 100_000  # characters
_KEYS = 100
_SOURCE = "memory"


@dataclass(frozen=True, slots=True)
class Reference:
    """What a caller holds of a record: a name for it, no right to it."""

    id: str
    revision: str = ""


def text(fields: Mapping[str, Any], name: str, longest: int = _QUERY) -> str:
    """Return a text that must be there."""
    value = fields.get(name)
    if not isinstance(value, str) or len(value) > longest:
        raise InvalidArgument(f"{name}: expected a text of at most {longest:,} characters")
    return value


def number(fields: Mapping[str, Any], name: str, default: int, least: int, most: int) -> int:
    """Return a whole number, the default when it is not given, and ``most`` when it is larger."""
    value = fields.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= least:
        raise InvalidArgument(f"{name}: expected a number from {least}")
    return int(min(value, most))


def score(fields: Mapping[str, Any]) -> float:
    """Return the least score, 0 when it is not given."""
    value = fields.get("minScore")
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise InvalidArgument("minScore: expected a number")
    return float(value)


def texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """Return a list of texts, None when it is not given."""
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > _KEYS:
        raise InvalidArgument(f"{name}: expected a list of at most {_KEYS} texts")
    if not all(isinstance(each, str) and len(each) <= _QUERY for each in value):
        raise InvalidArgument(f"{name}: expected a list of texts")
    return tuple(value)


def require_sources(fields: Mapping[str, Any]) -> None:
    """Refuse sources that this provider has not declared."""
    sources = texts(fields, "sources")
    if sources is not None and (not sources or set(sources) != {_SOURCE}):
        raise InvalidArgument(f"sources: there is only {_SOURCE!r}")


def reference(fields: Mapping[str, Any], provider_id: str) -> Reference | None:
    """Return a reference; None for a part of a record, which this provider never refers to.

    Raises:
        PermissionDenied: it is another provider's.
    """
    value = fields.get("reference")
    if not isinstance(value, Mapping):
        raise InvalidArgument("reference: expected an object")
    if value.get("providerId") != provider_id:
        raise PermissionDenied("the reference is another provider's")
    revision = "" if value.get("revision") is None else text(value, "revision", 200)
    found = Reference(text(value, "id", 1000), revision)
    return None if value.get("fragment") is not None else found
