"""The state of the queue for people: what waits in groups that can be gone to, and what is told of all of it.

Plain functions: they run in jobs, and wherever a queue is told of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from render.lens.finding import Severity
from store.provider import Desk
from store.queue import Queue
from store.records import RecordFilter, RecordStatus
from tui.cards import findings
from tui.pace import Pace

PAGE = 250
MOST_LOOKED_AT = 5_000
"""Drafts that are looked at for warnings, the newest: a look at a text takes about a millisecond."""

_AGES = (
    ("under an hour", "newer:1h"),
    ("under a day", "older:1h newer:1d"),
    ("under a week", "older:1d newer:7d"),
    ("under a month", "older:7d newer:30d"),
    ("longer", "older:30d"),
)


@dataclass(frozen=True, slots=True)
class Warnings:
    """What the warning lens found in drafts.

    Args:
        looked_at: how many drafts were looked at, the newest.
        flagged: how many of them are kept out of bulk approvals.
        rules: how many drafts each rule warns of.
        complete: whether no more drafts will be looked at.
    """

    looked_at: int = 0
    flagged: int = 0
    rules: Mapping[str, int] = field(default_factory=dict)
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the drafts.

    Args:
        about: a sentence that says which.
        filter: the filter text that leaves them alone in a list.
    """

    name: str
    count: int
    about: str
    filter: str


def read_warnings(desk: Desk) -> Iterator[Warnings]:
    """Look at the drafts for warnings, the newest first; yields what was found so far, page by page."""
    waiting = RecordFilter(status=RecordStatus.PENDING)
    rules: Counter[str] = Counter()
    looked_at, flagged, token = 0, 0, ""
    while True:
        page = desk.browse(waiting, PAGE, token)
        for record in page.records:
            found = {each.rule for each in findings(record) if each.severity is not Severity.NOTE}
            rules.update(found)
            flagged += bool(found)
        looked_at += len(page.records)
        token = page.next_page_token
        complete = not token or looked_at >= MOST_LOOKED_AT
        yield Warnings(looked_at, flagged, _ordered(rules), complete)
        if complete:
            return


def _ordered(rules: Mapping[str, int]) -> dict[str, int]:
    """Return rules by how many drafts they warn of, those of as many by name."""
    return dict(sorted(rules.items(), key=lambda each: (-each[1], each[0])))


def ages(queue: Queue) -> tuple[Share, ...]:
    """Return the drafts by age; empty ages are left out."""
    named = zip(_AGES, queue.ages, strict=True)
    return tuple(
        Share(name, count, f"Drafts that have waited {name}.", filter)
        for (name, filter), count in named
        if count
    )


def types(queue: Queue) -> tuple[Share, ...]:
    """Return the drafts by type, the most first."""
    return tuple(
        Share(type.value, count, f"Drafts of the type {type}.", f"type:{type}")
        for type, count in sorted(queue.types.items(), key=lambda each: (-each[1], each[0]))
    )


def sources(queue: Queue) -> tuple[Share, ...]:
    """Return the drafts by who wrote them, the most first; with how much of theirs was accepted so far."""
    return tuple(
        Share(
            source or "unknown",
            count,
            f"Drafts written by {source or 'nobody knows whom'}. {accepted(queue, source)}",
            f"from:{max(source.split(), key=len)}" if source.split() else "",
        )
        for source, count in sorted(queue.sources.items(), key=lambda each: (-each[1], each[0]))
    )


def warned(found: Warnings) -> tuple[Share, ...]:
    """Return the drafts with warnings, by rule."""
    return tuple(
        Share(rule, count, f"Drafts that the rule {rule} warns of.", "has:warning")
        for rule, count in found.rules.items()
    )


def accepted(queue: Queue, source: str) -> str:
    """Say how much of what a source wrote was accepted so far."""
    decided = queue.decided.get(source)
    if decided is None or decided.acceptance is None:
        return "None of its drafts were decided yet."
    total = decided.approved + decided.rejected
    return f"{decided.approved} of its last {total} were accepted, {decided.acceptance:.0%}."


def pace_words(pace: Pace, left: int) -> tuple[str, ...]:
    """Say how fast the sitting goes, and how long the drafts that are left take at that pace."""
    if pace.per_minute is None:
        return ("Nothing was decided in this sitting yet.",)
    minutes, rest = pace.minutes, pace.minutes_for(left) or 0
    done = "1 decision" if pace.decisions == 1 else f"{pace.decisions} decisions"
    words = [f"{done} in {span(minutes)}: {pace.per_minute:.1f} a minute."]
    if left:
        words.append(f"At this pace the {left:,} that are left take {span(rest)}.")
    return tuple(words)


def span(minutes: float) -> str:
    """Return a time in words, to the minute."""
    if minutes < 1:
        return "less than a minute"
    whole = round(minutes)
    if whole >= 120:
        return f"{whole // 60} h {whole % 60} min"
    return "1 minute" if whole == 1 else f"{whole} minutes"
