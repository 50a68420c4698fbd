"""What this inbox has claimed, kept in line with its marks, and the claims of others in words.

Claims are taken after the fact, off the UI thread: a mark stands at once, and falls with a notice when it
turns out that somebody else has the draft.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from store.errors import SourceUnavailable
from store.provider import Desk
from store.records import CLAIM_SECONDS, MOST_CLAIMS, Claim
from tui.marks import Marks

RENEWED_EVERY = CLAIM_SECONDS / 3
"""Seconds: two renewals may fail before a claim is lost."""


class Claiming:
    """The claims of one inbox. `settle` runs in jobs, one at a time."""

    def __init__(self) -> None:
        self._held: frozenset[str] = frozenset()

    def settle(self, desk: Desk, wanted: Sequence[str], *, renew: bool) -> tuple[Claim, ...]:
        """Claim what is wanted and not claimed yet, give up what is not wanted any more.

        A store that is away is asked again with the next mark or renewal: no claim is worth a notice.

        Args:
            wanted: ids of the drafts that are marked; those past `MOST_CLAIMS` go without.
            renew: whether to claim all of them anew.

        Returns:
            The claims of others on what is wanted.
        """
        if "claim" in desk.missing:
            return ()
        wanted = wanted[:MOST_CLAIMS]
        try:
            if given_up := self._held.difference(wanted):
                desk.release(sorted(given_up))
            new = [id for id in wanted if renew or id not in self._held]
            refused = desk.claim(new) if new else ()
        except SourceUnavailable:
            return ()
        self._held = frozenset(wanted).difference(claim.id for claim in refused)
        return refused


def to_claim(marks: Marks) -> tuple[str, ...]:
    """Return the drafts that marks will decide."""
    return tuple(marked.id for marked in marks.to_apply())


def claims_of_others(desk: Desk) -> tuple[Claim, ...]:
    """Return the claims of other reviewers, none where a provider knows of none."""
    return () if "claims" in desk.missing else desk.claims()


def has_expired(claim: Claim, now: datetime) -> bool:
    """Tell whether a claim can be taken over; also one that a clock put back since made for too long."""
    return not 0 < (claim.until - now).total_seconds() <= 2 * CLAIM_SECONDS


def words_of(claim: Claim, now: datetime) -> str:
    """Say who has a draft and for how long, in this machine's time."""
    if has_expired(claim, now):
        return f"claimed by {claim.by}, expired"
    return f"claimed by {claim.by} until {until_of(claim, now)}"


def until_of(claim: Claim, now: datetime) -> str:
    """Return when a claim ends as a column of a list shows it: a time of day, ``late`` when it has."""
    return "late" if has_expired(claim, now) else f"{claim.until.astimezone():%H:%M}"


def tell_lost(claims: Collection[Claim], now: datetime) -> dict[str, str]:
    """Return for each draft that somebody else has why its mark falls."""
    return {claim.id: f"is {words_of(claim, now)}" for claim in claims}
