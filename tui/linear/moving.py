"""Going about: from draft to draft, along links and back."""

from __future__ import annotations

from collections.abc import Iterable

from render.address import where_to
from store.records import RecordStatus
from tui.actions import Need
from tui.linear.listing import places
from tui.linear.naming import NO_RECORD, say_name
from tui.linear.sitting import Sitting
from tui.lists import AnyKey


def show(sitting: Sitting, words: str) -> None:
    """Read the card once more."""
    key = sitting.trail.here
    if key is None:
        sitting.say(f"show: {Need.ROW}")
    elif sitting.trail.behind or key == NO_RECORD:
        _read(sitting, key)
    else:
        sitting.open_place(sitting.at)


def go(sitting: Sitting, words: str) -> None:
    """Go to a number, or to a record by its id."""
    listing = sitting.listing
    if not words:
        sitting.say("go: say a number or an id, as in go 3")
    elif words.isdecimal():
        place, *_ = places(words, len(listing.rows))
        sitting.open_place(place)
    elif (place_or_none := _place_of(sitting, words)) is not None:
        sitting.open_place(place_or_none)
    else:
        sitting.visit((words, None))


def _place_of(sitting: Sitting, id: str) -> int | None:
    rows = enumerate(sitting.listing.rows)
    found = (place for place, row in rows if row.id == id and not row.gone)
    return next(found, None)


def down(sitting: Sitting, words: str) -> None:
    """Next row."""
    _step(sitting, sitting.at + 1)


def up(sitting: Sitting, words: str) -> None:
    """Row before."""
    _step(sitting, sitting.at - 1)


def _step(sitting: Sitting, place: int) -> None:
    if 0 <= place < len(sitting.listing.rows):
        sitting.open_place(place)
    else:
        sitting.say("No row there.")


def next_undecided(sitting: Sitting, words: str) -> None:
    """Next draft without a mark."""
    _go_undecided(sitting, range(sitting.at + 1, len(sitting.listing.rows)))


def previous_undecided(sitting: Sitting, words: str) -> None:
    """Draft without a mark before this one."""
    _go_undecided(sitting, range(sitting.at - 1, -1, -1))


def _go_undecided(sitting: Sitting, lines: range) -> None:
    place = undecided(sitting, lines)
    if place is None:
        sitting.say("no undecided draft there")
    else:
        sitting.open_place(place)


def undecided(sitting: Sitting, lines: Iterable[int]) -> int | None:
    """Return the first of these places with a draft that needs a decision."""
    for place in lines:
        row = sitting.listing.rows[place]
        is_draft = row.status is RecordStatus.PENDING and not row.gone
        if is_draft and not sitting.marks.decided(row.id):
            return place
    return None


def advance(sitting: Sitting) -> None:
    """Go to the next undecided draft; from the end to the first one that is left."""
    length = len(sitting.listing.rows)
    place = undecided(sitting, (*range(sitting.at + 1, length), *range(min(sitting.at, length))))
    if place is not None:
        sitting.open_place(place)
    else:
        # No card is at hand now: one decision too many must not hit the last draft again.
        sitting.card = None
        sitting.say("All decided. plan says what the marks will do.")


def links(sitting: Sitting, words: str) -> None:
    """Say where the links lead of what was read out last."""
    if sitting.card is None and not sitting.targets:
        sitting.say(f"links: {Need.ROW}")
        return
    if not sitting.targets:
        sitting.say("No links.")
    for number, target in enumerate(sitting.targets, 1):
        named = "" if target.text in {"", target.id, target.url} else f", {target.text}"
        where = target.id or f"leads out of the store: {target.url}"
        sitting.say(f"{number}. {where}{named}", *filter(None, [where_to(target.url)]))


def follow(sitting: Sitting, words: str) -> None:
    """Follow a link by its number."""
    if sitting.card is None and not sitting.targets:
        sitting.say(f"follow: {Need.ROW}")
        return
    targets = sitting.targets
    if not words.isdecimal() or not 1 <= int(words) <= len(targets):
        sitting.say(f"follow: say the number of a link; this has {len(targets)}")
        return
    target = targets[int(words) - 1]
    if target.id:
        sitting.visit((target.id, None))
    else:
        sitting.say(
            f"This link leads out of the store, and is not opened: {target.url}",
            *filter(None, [where_to(target.url)]),
        )


def back(sitting: Sitting, words: str) -> None:
    """Go back to where the link was followed from."""
    _walk(sitting, sitting.trail.behind > 0, Need.BEHIND, forward=False)


def forward(sitting: Sitting, words: str) -> None:
    """Go forward again along the links that were followed."""
    _walk(sitting, sitting.trail.ahead > 0, Need.AHEAD, forward=True)


def _walk(sitting: Sitting, can: bool, need: Need, *, forward: bool) -> None:
    if not can:
        sitting.say(f"{'forward' if forward else 'back'}: {need}")
        return
    key = sitting.trail.forward() if forward else sitting.trail.back()
    if key is not None:
        _read(sitting, key)


def _read(sitting: Sitting, key: AnyKey) -> None:
    if key == NO_RECORD:
        say_name(sitting, sitting.named)
    else:
        sitting.read_card(key)
