"""The state of the queue, and the filters that the operator has saved: groups of drafts to go to."""

from __future__ import annotations

from store.cards import age
from tui import queue as words_of
from tui.linear.finding import filter_list, show_drafts
from tui.linear.sitting import Sitting
from tui.linear.speaking import amount
from tui.queue import Share


def queue(sitting: Sitting, words: str) -> None:
    """Say what waits, in groups by number, or list the drafts of one group."""
    if words:
        _show_share(sitting, words)
        return
    counted = sitting.desk.queue()
    *_, found = words_of.read_warnings(sitting.desk)
    oldest = (
        f", the oldest from {age(counted.oldest[1], sitting.clock())}" if counted.oldest else ""
    )
    sitting.say(f"{amount(counted.waiting, 'draft')}, {found.flagged} flagged{oldest}.")
    groups = (
        *(("waiting", share) for share in words_of.ages(counted)),
        *(("type", share) for share in words_of.types(counted)),
        *(("written by", share) for share in words_of.sources(counted)),
        *(("warning", share) for share in words_of.warned(found)),
    )
    sitting.shares = tuple(share for _, share in groups)
    for number, (title, share) in enumerate(groups, 1):
        more = f" {words_of.accepted(counted, share.name)}" if title == "written by" else ""
        sitting.say(f"{number}. {title} {share.name}: {share.count:,}.{more}")
    left = max(counted.waiting - len(sitting.marks.to_apply()), 0)
    sitting.say(*words_of.pace_words(sitting.pace, left))
    if found.looked_at < counted.waiting:
        sitting.say(f"Warnings are of the newest {found.looked_at:,} drafts.")
    if sitting.shares:
        sitting.say("queue and a number lists those drafts.")


def _show_share(sitting: Sitting, words: str) -> None:
    share = _share(sitting, words)
    if share is None:
        sitting.say(
            f"queue: {words} is none of its groups, of which there are {len(sitting.shares)}"
        )
    elif not share.filter:
        sitting.say(f"queue: no filter leaves {share.name} alone")
    else:
        sitting.say(share.about)
        show_drafts(sitting, share.filter)


def _share(sitting: Sitting, words: str) -> Share | None:
    if words.isdecimal() and 1 <= int(words) <= len(sitting.shares):
        return sitting.shares[int(words) - 1]
    return None


def section(sitting: Sitting, words: str) -> None:
    """Narrow the list by a filter of the operator's settings; without a name, say which there are."""
    sections = sitting.settings.sections
    named = {name.casefold(): text for name, text in sections.items()}
    if words.casefold() in named:
        filter_list(sitting, named[words.casefold()])
        return
    if words:
        sitting.say(f"section: none is called {words}")
    for name, text in sections.items():
        sitting.say(f"{name}: {text}")
    if not sections:
        sitting.say("No filters are saved: config.toml has them under [sections].")
