"""All links of the store: names that lead nowhere or to several records, each with the places that use it."""

from __future__ import annotations

from collections.abc import Sequence

from store.records import LinkClass, LinkEntry, RecordStatus
from tui.fixing import DANGLING
from tui.linear.sitting import Name, Sitting
from tui.linear.speaking import PAGE, Target, amount, brief
from tui.linkmap import LinkMap, read_links
from tui.lists import AnyKey

NO_RECORD: AnyKey = ("", None)
"""Stands in a trail for the name where it begins."""


def names(sitting: Sitting, words: str) -> None:
    """Say how many names of each kind there are, those of one kind, or one with its places."""
    if words.isdecimal():
        if 1 <= int(words) <= len(sitting.names):
            sitting.trail.start(NO_RECORD)
            say_name(sitting, int(words) - 1)
        else:
            sitting.say(f"names: {words} is not in the list, which has {len(sitting.names)}")
        return
    kind, _, first = words.casefold().partition(" ")
    if first.isdecimal() and sitting.names:
        _say_names(sitting, int(first) - 1, kind)
        return
    read = read_links(sitting.desk)
    sections = _sections(read)
    if kind not in sections:
        counts = ", ".join(f"{len(found)} {title}" for title, found in sections.items())
        sitting.say(
            f"{counts}{'' if read.whole else ', in the part of a large store that was read'}."
        )
        sitting.say(f"Say names and one of them, as in names {next(iter(sections))}.")
        return
    sitting.names = tuple(sections[kind])
    _say_names(sitting, 0, kind)


def _sections(read: LinkMap) -> dict[str, Sequence[Name]]:
    return {
        "broken": read.broken,
        "wanted": read.wanted,
        "ambiguous": read.ambiguous,
        "most-linked": read.most_linked,
        "orphans": read.orphans,
    }


def _say_names(sitting: Sitting, first: int, kind: str) -> None:
    if not sitting.names:
        sitting.say(f"None: {kind}.")
        return
    listed = sitting.names[first : first + PAGE]
    for number, name in enumerate(listed, first + 1):
        if isinstance(name, str):
            sitting.say(f"{number}. {name}")
        else:
            sitting.say(f"{number}. {brief(name.name)}, {amount(len(name.places), 'place')}")
    rest = len(sitting.names) - first - len(listed)
    if rest > 0:
        sitting.say(f"{rest} after that: names {kind} {first + PAGE + 1} says them.")
    sitting.say("names and a number says the places that refer.")


def say_name(sitting: Sitting, place: int) -> None:
    """Say what is known of a name: the places that use it, what it may have meant, each with a number."""
    name = sitting.names[place]
    sitting.named, sitting.card = place, None
    if isinstance(name, str):
        sitting.targets = (Target(name, "", name),)
        sitting.say(f"{name}: no link leads to it or from it.", "follow 1 reads it.")
        return
    sitting.say(f"{brief(name.name)}, {name.link_class}: {amount(len(name.places), 'place')}.")
    told: list[tuple[str, str, str]] = [
        *(
            (name.name, "the record itself", "")
            for _ in range(name.link_class is LinkClass.RESOLVED)
        ),
        *((entry.source_id, _place(entry), entry.line_text) for entry in name.places),
        *((id, "may be meant", "") for id in name.candidates),
        *((each.id, "reads much like it", "") for each in name.like if not name.candidates),
    ]
    sitting.targets = tuple(Target(id, "", id) for id, _, _ in told)
    for number, (id, what, quoted) in enumerate(told, 1):
        sitting.say(f"{number}. {id}, {what}")
        if quoted:
            sitting.voice.quote(brief(quoted.strip()))
    sitting.say("follow and a number reads one of them; back leads here again.")
    if name.link_class in DANGLING:
        sitting.say("fix and a number or an id points the links there; new writes what is wanted.")


def _place(entry: LinkEntry) -> str:
    draft = ", a draft" if entry.source_status is RecordStatus.PENDING else ""
    return f"line {entry.line}{draft}:"
