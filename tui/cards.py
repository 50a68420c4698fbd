"""From a review to the card that is shown of it, and to the sign that its row carries.

Runs in jobs. The lens and the cards are imported when the first one is needed: they take a while and bring
the store's libraries with them, and the first paint does not wait for that.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from render.lens.policy import AS_IT_COMES, Policy
from render.tree import Node
from store.records import Record, Review

if TYPE_CHECKING:
    from render.lens.finding import Finding

_REMEMBERED = 20_000  # revisions: their sign is known without looking at the text again
_flagged: MutableMapping[str, bool] = {}
_policy = AS_IT_COMES


def judge_by(policy: Policy) -> None:
    """Set what the operator's settings say of warnings: once, where the settings are read."""
    global _policy
    if policy != _policy:
        _policy = policy
        _flagged.clear()


def findings(record: Record, now: datetime | None = None) -> tuple[Finding, ...]:
    """Return what an operator should be told about a record before believing it, the worst first."""
    from store.cards import findings as found_by_the_lens

    return found_by_the_lens(record, now, _policy)


def known_flag(record: Record) -> bool | None:
    """Return what `is_flagged` has found before about this revision, None when it was not asked."""
    return _flagged.get(record.revision) if record.revision else None


def is_flagged(record: Record) -> bool:
    """Tell whether a record is kept out of bulk approvals until it was looked at.

    A revision stands for all that is looked at, so each is looked at once.
    """
    known = known_flag(record)
    if known is not None:
        return known
    from render.lens.lens import DEFAULT

    flagged = DEFAULT.is_flagged(findings(record))
    if record.revision:
        if len(_flagged) >= _REMEMBERED:
            _flagged.clear()
        _flagged[record.revision] = flagged
    return flagged


def node_of(review: Review, now: datetime, *, secrets_shown: bool = False) -> Node:
    """Return the card of a record as a tree; secrets in its texts are masked unless they are to be shown."""
    from render.record import card
    from store.cards import facts_of

    return card(replace(facts_of(review, now, policy=_policy), secrets_shown=secrets_shown))


def hides_secrets(review: Review) -> bool:
    """Tell whether the card of a record masks anything."""
    from render.lens.secrets import masked

    records = filter(None, (review.record, review.base, review.base_was))
    texts = (text for each in records for text in (each.title, each.summary, each.content))
    return any(masked(text) != text for text in texts)
