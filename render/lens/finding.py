"""What the lens tells a reviewer: where, why, and how bad it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding asks for attention."""

    NOTE = "note"
    WARNING = "warning"
    DANGER = "danger"

    @property
    def rank(self) -> int:
        """Its place in order, the worst highest."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True)
class Echo:
    """What a text repeats of one that its writer was given shortly before: a span, and that one's id."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason to look twice. It informs and sorts; it never blocks or edits.

    Args:
        rule: the name of the rule that found it, as in ``hidden-characters``.
        severity: how bad it is.
        reason: one line for people, without text of the record.
        start: offset of the span in the text that was looked at.
        end: offset after it.
        excerpt: raw text of the span or around it, cut to a line's length; a secret is masked in it.
        field: which text: ``content``, ``title``, ``summary``, ``id``, or a link's target.
    """

    rule: str
    severity: Severity
    reason: str
    start: int = 0
    end: int = 0
    excerpt: str = ""
    field: str = "content"
