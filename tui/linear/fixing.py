"""Pointing the links of a name elsewhere: what every text becomes is said first, and taken back on demand."""

from __future__ import annotations

from collections.abc import Iterator

from render.diff import diff
from render.lens.secrets import masked
from store.records import Record
from store.retarget import Retarget
from tui.actions import Need
from tui.failures import Failure
from tui.fixing import DANGLING, Fixed, carry_out, read_faulty, undo, work_out
from tui.linear.sitting import Sitting
from tui.linear.speaking import CONFIRM, amount
from tui.linkmap import Target


def fix(sitting: Sitting, words: str) -> None:
    """Point the links of the name that was said last to a record, by its number there or its id."""
    name = sitting.names[sitting.named] if sitting.names else None
    if not isinstance(name, Target) or name.link_class not in DANGLING:
        sitting.say(f"fix: {Need.DANGLING}; names and a number says one that does not")
        return
    to = words
    if words.isdecimal() and 1 <= int(words) <= len(sitting.targets):
        to = sitting.targets[int(words) - 1].id
    if not to:
        sitting.say(f"fix: {Need.CHOICE}: say a number or an id")
        return
    changes = work_out(sitting.desk, read_faulty(sitting.desk, name.name), to)
    if not changes:
        sitting.say("fix: no text has this link any more")
        return
    _say_changes(sitting, changes)
    sitting.say(f"Say {CONFIRM} to change {amount(len(changes), 'text')}; anything else does not.")
    if sitting.voice.hear("fix? ") != CONFIRM:
        sitting.say("Nothing was changed.")
        return
    fixed = Fixed(
        name.name, to, _written(sitting, carry_out(sitting.desk, changes, sitting.reviewer))
    )
    if fixed.texts:
        sitting.fixes.append(fixed)
    sitting.say(f"{amount(len(fixed.texts), 'text')} changed: {name.name} is now {to}.")


def _say_changes(sitting: Sitting, changes: tuple[Retarget, ...]) -> None:
    for change in changes:
        record = change.record
        kind = "revision" if record.is_revision else str(record.status)
        sitting.say(f"{record.id}, {kind}:")
        sitting.voice.show(diff(masked(record.content), masked(change.content), context=0))


def _written(
    sitting: Sitting, tried: Iterator[tuple[Record, Record | Failure]]
) -> tuple[tuple[Record, Record], ...]:
    """Return the texts that were changed, their marks with them; say which could not be."""
    texts = []
    for before, after in tried:
        if isinstance(after, Failure):
            sitting.fail(after)
            continue
        texts.append((before, after))
        sitting.marks.follow(before.id, before.revision, after.revision)
    sitting.card = None  # it may be one of these, as it was
    sitting.keep_marks()
    return tuple(texts)


def unfix(sitting: Sitting, words: str) -> None:
    """Give the texts of the last fix their links back."""
    if not sitting.fixes:
        sitting.say(f"unfix: {Need.FIXED}")
        return
    last = sitting.fixes.pop()
    texts = _written(sitting, undo(sitting.desk, last.texts, sitting.reviewer))
    sitting.say(f"{amount(len(texts), 'text')} as before: {last.name} is what the links say.")
