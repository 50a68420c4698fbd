"""The language of the filter bar: words, and ``key:value`` parts that narrow further.

Words must all occur. ``type:``, ``scope:`` and ``status:`` take a value or its beginning, repeated for
"or"; ``from:`` is part of a session or of the door that wrote; ``older:`` and ``newer:`` take an age like
``7d``; ``has:`` takes ``warning`` or ``revision``; ``link:`` is an id that the text links to, ``about:`` one
that it would change, links to or is named like. A key that is
unknown is a word like any other, so times and URLs need no quoting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from store.records import MemoryScope, MemoryType, Record, RecordFilter, RecordStatus, Review

MUCH_ALIKE = 85.0  # percent: names that are that alike mean one thing

_Word = TypeVar("_Word", bound=StrEnum)


class Having(StrEnum):
    """What ``has:`` asks for."""

    WARNING = "warning"
    REVISION = "revision"


@dataclass(frozen=True, slots=True)
class Filter:
    """What a filter text means.

    Args:
        problems: parts that say nothing, each in a sentence for people; they do not narrow.
    """

    words: str = ""
    types: tuple[MemoryType, ...] = ()
    scopes: tuple[MemoryScope, ...] = ()
    statuses: tuple[RecordStatus, ...] = ()
    sources: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    having: tuple[Having, ...] = ()
    older: timedelta | None = None
    newer: timedelta | None = None
    problems: tuple[str, ...] = ()

    @property
    def narrows(self) -> bool:
        """Whether it asks for more than the store can filter by, so that pages are sifted after reading."""
        return bool(
            self.sources or self.links or self.subjects or self.having or self.older or self.newer
        )

    def query(self, status: RecordStatus | None = None) -> RecordFilter:
        """Return the part that the store filters by.

        Args:
            status: what is listed where the text does not say; None lists both.
        """
        if self.statuses:
            status = self.statuses[0] if len(self.statuses) == 1 else None
        return RecordFilter(self.types, self.scopes, status, self.words)

    def keeps(self, record: Record, now: datetime, is_flagged: Callable[[Record], bool]) -> bool:
        """Tell whether a record that the store gave passes the rest."""
        age = now - record.created_at
        came = (record.provenance.source_session_id, record.provenance.recorded_by)
        agent = record.audience.agent_id if record.audience else ""
        origin = " ".join((*came, record.rewritten_by, agent)).casefold()
        return (
            (self.older is None or age >= self.older)
            and (self.newer is None or age <= self.newer)
            and all(source in origin for source in self.sources)
            and all(link in record.links for link in self.links)
            and all(_is_about(record, subject) for subject in self.subjects)
            and (Having.REVISION not in self.having or record.is_revision)
            and (Having.WARNING not in self.having or is_flagged(record))
        )


def parse_filter(text: str) -> Filter:
    """Read a filter text; nothing in it is an error, what says nothing is named in ``problems``."""
    words: list[str] = []
    found = Filter()
    for part in text.split():
        key, colon, value = part.partition(":")
        take = _KEYS.get(key.casefold()) if colon else None
        if take is None:
            words.append(part)
        elif value:
            found = take(found, value)
    return replace(found, words=" ".join(words))


def target_of(review: Review) -> str:
    """Return the id of the record that a draft is about: the one it replaces, else the one most like it."""
    if review.record.is_revision or not review.record.pending:
        return review.record.id
    return max(review.near, key=lambda near: near.likeness).id if review.near else ""


def complete(text: str) -> str | None:
    """Return the text with its last part completed as far as there is one way, None when there is none."""
    head, _, last = text.rpartition(" ")
    key, colon, value = last.partition(":")
    choices = _VALUES.get(key.casefold(), ()) if colon else tuple(f"{name}:" for name in _KEYS)
    start = value if colon else key
    ways = [choice for choice in choices if start and choice.startswith(start.casefold())]
    if not ways:
        return None
    done = f"{key}:{ways[0]}" if colon else ways[0]
    return f"{head} {done}" if head else done


_AGE = re.compile(r"(\d{1,4})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def _one_of(name: str, enum: type[_Word], value: str) -> _Word | str:
    """Return the one member that starts with a value, else what is wrong."""
    fits = [member for member in enum if member.value.startswith(value.casefold())]
    if len(fits) == 1:
        return fits[0]
    return f"{name}: is one of {', '.join(enum)}"


def _with_problem(found: Filter, problem: str) -> Filter:
    return replace(found, problems=(*found.problems, problem))


def _take_type(found: Filter, value: str) -> Filter:
    word = _one_of("type", MemoryType, value)
    if isinstance(word, MemoryType):
        return replace(found, types=(*found.types, word))
    return _with_problem(found, word)


def _take_scope(found: Filter, value: str) -> Filter:
    word = _one_of("scope", MemoryScope, value)
    if isinstance(word, MemoryScope):
        return replace(found, scopes=(*found.scopes, word))
    return _with_problem(found, word)


def _take_status(found: Filter, value: str) -> Filter:
    word = _one_of("status", RecordStatus, value)
    if isinstance(word, RecordStatus):
        return replace(found, statuses=(*found.statuses, word))
    return _with_problem(found, word)


def _take_having(found: Filter, value: str) -> Filter:
    word = _one_of("has", Having, value)
    if isinstance(word, Having):
        return replace(found, having=(*found.having, word))
    return _with_problem(found, word)


def _take_older(found: Filter, value: str) -> Filter:
    age = _age(value)
    return (
        replace(found, older=age) if age else _with_problem(found, "older: takes an age, as in 7d")
    )


def _take_newer(found: Filter, value: str) -> Filter:
    age = _age(value)
    return (
        replace(found, newer=age) if age else _with_problem(found, "newer: takes an age, as in 2h")
    )


def _age(value: str) -> timedelta | None:
    match = _AGE.fullmatch(value.casefold())
    return timedelta(**{_UNITS[match[2]]: int(match[1])}) if match else None


def _take_source(found: Filter, value: str) -> Filter:
    return replace(found, sources=(*found.sources, value.casefold()))


def _take_link(found: Filter, value: str) -> Filter:
    return replace(found, links=(*found.links, value))


def _take_subject(found: Filter, value: str) -> Filter:
    return replace(found, subjects=(*found.subjects, value))


def _is_about(record: Record, id: str) -> bool:
    """Tell whether a record is another's draft, links to it, or is named much like it."""
    if id == record.id or id in record.links:
        return True
    from store.alike import likeness  # few filters ask, and it takes a while to import

    return max(likeness(record.id, id), likeness(record.title, id)) >= MUCH_ALIKE


_KEYS: Mapping[str, Callable[[Filter, str], Filter]] = {
    "type": _take_type,
    "scope": _take_scope,
    "status": _take_status,
    "from": _take_source,
    "older": _take_older,
    "newer": _take_newer,
    "has": _take_having,
    "link": _take_link,
    "about": _take_subject,
}
_VALUES: Mapping[str, tuple[str, ...]] = {
    "type": tuple(MemoryType),
    "scope": tuple(MemoryScope),
    "status": tuple(RecordStatus),
    "has": tuple(Having),
}
