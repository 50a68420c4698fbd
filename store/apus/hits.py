"""Records as the host gets them: hits with what it needs to recall them by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from store.apus.policy import Reach, Viewer
from store.apus.projects import keys_of
from store.apus.sight import ALL, Wanted, within
from store.reader import Reader, listed
from store.reading import COLUMNS, to_record
from store.records import MemoryScope, Record
from store.snippet import Snippets

_TRIGGERS = 8  # names by which a record is recalled
_SHORTEST = 3  # characters of one
_COLUMNS = ", ".join(f"record.{name}" for name in COLUMNS)
_NAMES = "SELECT record_pk, name FROM name WHERE record_pk IN ??"


def records(
    read: Reader, reach: Reach, pks: Sequence[int], wanted: Wanted = ALL
) -> dict[int, Record]:
    """Return those of some entries that may be read now, by key in the order given."""
    condition = within(reach, wanted)
    query = (
        f"SELECT {_COLUMNS} FROM record"  # noqa: S608
        f" WHERE pk IN ?? AND {condition.condition}"
    )
    found = {row[0]: to_record(row) for row in read.all(query, listed(pks), *condition.values)}
    return {pk: found[pk] for pk in pks if pk in found}


class Hits:
    """Makes hits of records.

    Args:
        provider_id: what references are marked with.
        active: the host's keys of the active projects, None where it does not say.
        snippets: finds the excerpt of each.
    """

    def __init__(
        self,
        read: Reader,
        reach: Reach,
        provider_id: str,
        active: Collection[str] | None,
        snippets: Snippets,
    ) -> None:
        self._read = read
        self._reach = reach
        self._provider_id = provider_id
        self._active = None if active is None else {key.strip() for key in active}
        self._snippets = snippets

    def of(
        self, found: Mapping[int, Record], scores: Mapping[int, float] | None = None
    ) -> list[dict[str, Any]]:
        """Return the hits of records by key, in their order."""
        names = self._names(found)
        hits = []
        for pk, record in found.items():
            reference = reference_of(record, self._provider_id)
            hit = {
                "reference": reference,
                "excerpt": self._snippets.of(record.content),
                "source": "memory",
                "citations": [{"label": record.title, "reference": reference}],
                "automaticRecall": self._recall(record, names.get(pk, ())),
            }
            hits.append(hit if scores is None else hit | {"score": scores[pk]})
        return hits

    def _names(self, pks: Iterable[int]) -> dict[int, list[str]]:
        names: dict[int, list[str]] = {}
        for pk, name in self._read.all(_NAMES, listed(pks)):
            names.setdefault(pk, []).append(name)
        return names

    def _recall(self, record: Record, names: Sequence[str]) -> dict[str, Any]:
        """Return what the host decides by whether it recalls a record unasked."""
        facts: dict[str, Any] = {
            "eligible": applies(record, self._reach),
            "triggers": triggers(record, names),
        }
        if record.scope is MemoryScope.PROJECT and (keys := keys_of(record.project_root)):
            # The host wants every key to be active, so it gets one: the one that it knows the project by.
            known = [key for key in keys if key in (self._active or ())]
            facts["projectKeys"] = (known or list(keys))[:1]
        return facts


def reference_of(record: Record, provider_id: str) -> dict[str, str]:
    """Return the reference to a record as it is now."""
    return {"providerId": provider_id, "id": record.id, "revision": record.revision}


def applies(record: Record, reach: Reach) -> bool:
    """Tell whether a record applies to a caller without being asked for.

    What is bound to a session does in that session alone; what is bound to no project in none.
    """
    if record.scope is MemoryScope.SESSION:
        return reach.viewer is not Viewer.OPERATOR and record.session_id == reach.session_id != ""
    return record.scope is MemoryScope.GLOBAL or bool(record.project_root)


def triggers(record: Record, names: Sequence[str]) -> list[str]:
    """Return the phrases that bring a record to mind: its title, and what else links call it."""
    phrases = (record.title, *names, record.id.replace("-", " "))
    distinct = {phrase.casefold(): phrase for phrase in reversed(phrases)}
    ordered = (distinct.pop(phrase.casefold(), "") for phrase in phrases)
    return [each for each in ordered if len(each) >= _SHORTEST and each != record.id][:_TRIGGERS]
