"""The lines of an assistant's message that ask for something to be remembered.

``Remember (type, scope): text``, in any case; the parenthesis may be left out, and in it the scope.
Nothing else is taken for a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from store.records import MemoryScope, MemoryType

_LINE = re.compile(r"[ \t]*remember[ \t]*(?:\(([^()]*)\)[ \t]*)?:(.*)", re.IGNORECASE)
_TITLE = 80  # characters


@dataclass(frozen=True, slots=True)
class Asked:
    """One line that asks."""

    type: MemoryType
    scope: MemoryScope
    text: str

    @property
    def title(self) -> str:
        """The text's beginning, cut between words."""
        if len(self.text) <= _TITLE:
            return self.text
        return self.text[:_TITLE].rsplit(None, 1)[0] + "…"


def asked(text: str) -> Iterator[Asked]:
    """Yield what the lines of a text ask for, in order."""
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found and (said := found[2].strip()) and (kind := _kind(found[1])):
            yield Asked(*kind, said)


def _kind(words: str | None) -> tuple[MemoryType, MemoryScope] | None:
    """Return the type and scope of a parenthesis; None when it holds anything else."""
    if words is None:
        return MemoryType.FEEDBACK, MemoryScope.PROJECT
    given = [word.strip().lower() for word in words.split(",")]
    if len(given) > 2 or given[0] not in list(MemoryType):
        return None
    scope = given[1] if len(given) == 2 else MemoryScope.PROJECT.value
    return (MemoryType(given[0]), MemoryScope(scope)) if scope in list(MemoryScope) else None
