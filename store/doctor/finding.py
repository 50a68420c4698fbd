"""What a look at a store turns up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

_NAMED = 3  # of the entries that a finding is about


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"  # something is lost, wrong or unsafe
    WARNING = "warning"  # all works, but had better be seen to
    NOTE = "note"  # worth knowing


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    Args:
        check: the name of the check that found it, one word.
        what: what is wrong, for people; ids are named, texts never.
        how: how to mend it, empty when nobody has to.
        mendable: whether `store.doctor.mend` can.
    """

    check: str
    level: Level
    what: str
    how: str = ""
    mendable: bool = False


def listed(ids: Sequence[str]) -> str:
    """Return the first few ids, and how many more there are."""
    named = ", ".join(ids[:_NAMED])
    return named if len(ids) <= _NAMED else f"{named} and {len(ids) - _NAMED:,} more"
