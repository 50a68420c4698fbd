"""A draft beside what is much like it, and one text made of several."""

from __future__ import annotations

from collections.abc import Sequence

from render.diff import diff
from store.records import NearMatch, Record
from tui.actions import Need
from tui.linear.composing import compose
from tui.linear.listing import places
from tui.linear.sitting import Sitting
from tui.linear.speaking import amount
from tui.lists import find_review
from tui.merging import begin, merge, note_merge

INTO = "into"
"""The word before the number of what the draft is merged into."""


def compare(sitting: Sitting, words: str) -> None:
    """Say what is much like the card, and how the texts differ."""
    if sitting.card is None:
        sitting.say(f"compare: {Need.ROW}")
        return
    near, mine = sitting.card.near, sitting.card.record
    if not near:
        sitting.say(f"compare: {Need.NEAR}")
        return
    chosen = _of_near(sitting, near, words or "1", "compare")
    if chosen is None:
        return
    for number, like in enumerate(near, 1):
        sitting.say(f"{number}. {like.id}, {like.status}, {like.likeness:.0f} % alike")
    other = find_review(sitting.desk, (chosen.id, chosen.status)).record
    compared = diff(other.content, mine.content)
    if not compared.hunks:
        sitting.say(f"{other.id} and {mine.id}: the two texts are the same.")
        return
    sitting.say(f"From {other.id} to {mine.id}:")
    sitting.voice.show(compared)
    sitting.say(f"End of the differences. go {other.id} reads it whole.")


def _of_near(sitting: Sitting, near: Sequence[NearMatch], words: str, who: str) -> NearMatch | None:
    if words.isdecimal() and 1 <= int(words) <= len(near):
        return near[int(words) - 1]
    sitting.say(f"{who}: say a number; {amount(len(near), 'record')} much like this draft")
    return None


def merge_drafts(sitting: Sitting, words: str) -> None:
    """Make one text of the card's draft and others, or of what is like it and the draft."""
    if sitting.card is None or not sitting.card.record.pending:
        sitting.say(f"merge: {Need.ROW if sitting.card is None else Need.DRAFT}")
        return
    here = sitting.card.record
    first, _, rest = words.partition(" ")
    if first == INTO:
        near = sitting.card.near
        chosen = _of_near(sitting, near, rest.strip() or "1", "merge") if near else None
        if chosen is not None:
            target = find_review(sitting.desk, (chosen.id, chosen.status)).record
            _merge(sitting, target, (here,))
        elif not near:
            sitting.say(f"merge: {Need.NEAR}")
    elif words:
        _merge(sitting, here, _told(sitting, here, words))
    else:
        sitting.say(
            "merge: say the numbers of drafts to merge into this one, or into 1 of its likes"
        )


def _told(sitting: Sitting, here: Record, words: str) -> tuple[Record, ...]:
    """Return the drafts of these numbers, as far as they are what the operator was told of."""
    rows = sitting.listing.look_at(sitting.desk, places(words, len(sitting.listing.rows)))
    seen = sitting.opened | sitting.listed
    keys = [
        row.key
        for row in rows
        if not row.gone and row.id != here.id and (row.id, row.revision) in seen
    ]
    found = (find_review(sitting.desk, key).record for key in keys)
    return tuple(
        record for record in found if record.pending and (record.id, record.revision) in seen
    )


def _merge(sitting: Sitting, target: Record, sources: Sequence[Record]) -> None:
    if not sources:
        sitting.say("merge: none of these is another draft that you were told of as it is now")
        return
    named = ", ".join(source.id for source in sources)
    sitting.say(f"Merging {named} into {target.id}. The text begins as:")
    begun = begin(target, sources)
    sitting.voice.quote(begun)
    made = compose(sitting, target.title, begun)
    if made is None:
        return
    after, edit = merge(sitting.desk, target, sources, *made, sitting.reviewer)
    step = note_merge(sitting.marks, after, edit, sources)
    sitting.keep_marks()
    sitting.say(f"{step.words}.")
    sitting.visit((after.id, after.status))
