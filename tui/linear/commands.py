"""The table of commands: names, short forms and help, from the table of actions where it has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from tui.actions import BY_ID, spell_key, writes
from tui.keeping import describe_unapplied
from tui.linear import (
    comparing,
    composing,
    counting,
    deciding,
    finding,
    fixing,
    importing,
    moving,
    naming,
    recalling,
)
from tui.linear.deciding import Deciding
from tui.linear.sitting import Sitting
from tui.linear.speaking import CONFIRM, amount
from tui.marks import Mark

LEAVE = "leave"
"""The word that quits with marks unapplied."""

NO_KEYS: Mapping[str, str] = {}
"""As the app comes: no key was set."""


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to say.

    Args:
        takes: the words behind its name, as help shows them.
        action: the row of `tui.actions` that it is: its keys are the short forms, its help is the help.
        about: help in place of the row's, where there is no row or its words are of keys and screens.
        uses: methods of the desk that not every provider has, beside those of the row.
    """

    name: str
    does: Deciding
    takes: str = ""
    action: str = ""
    about: str = ""
    uses: tuple[str, ...] = ()

    def short(self, set_keys: Mapping[str, str]) -> tuple[str, ...]:
        """Short forms: the keys of the action that are one character, as the operator has set them."""
        if not self.action:
            return ()
        names = set_keys.get(self.action, BY_ID[self.action].keys).split()
        return tuple(key for key in map(spell_key, names) if len(key) == 1 and key.isascii())

    @property
    def help(self) -> str:
        """One sentence or two."""
        return self.about or (BY_ID[self.action].help if self.action else "")

    def unmet(self, sitting: Sitting) -> str | None:
        """Return why it cannot run with this provider."""
        action = (*BY_ID[self.action].uses, *writes(self.action)) if self.action else ()
        uses = (*self.uses, *action, *writes(self.name))
        missing = sitting.desk.missing
        return next((missing[name] for name in uses if name in missing), None)


def quit_sitting(sitting: Sitting, words: str) -> None:
    """Leave, asking first when marks are not applied."""
    count = len(sitting.marks.to_apply())
    if count:
        unapplied = describe_unapplied(count, kept=sitting.keeper is not None)
        sitting.say(*unapplied.splitlines(), f"Say {LEAVE} to leave; anything else stays.")
        if sitting.voice.hear("leave? ") not in {LEAVE, None}:
            sitting.say("You are still here.")
            return
    sitting.left = True


def status(sitting: Sitting, words: str) -> None:
    """Say where one is and what is marked."""
    listing, counts = sitting.listing, sitting.marks.counts()
    marked = ", ".join(f"{counts[mark]} {mark}" for mark in Mark if counts[mark])
    place = f"at {sitting.at + 1} of {len(listing.rows)}" if sitting.at >= 0 else "at none"
    narrowed = f" Filter {listing.text}." if listing.text else ""
    sitting.say(f"{amount(len(listing.rows), listing.place)}, {place}.{narrowed}")
    sitting.say(f"Marks: {marked or 'none'}.")


def tell_help(sitting: Sitting, words: str) -> None:
    """Say all commands, or one with its help."""
    keys = sitting.settings.keys
    chosen = find(words, keys) if words else None
    if words and chosen is None:
        sitting.say(unknown(words))
        return
    sitting.say(
        *(line for command in ([chosen] if chosen else COMMANDS) for line in _told(command, keys))
    )
    if not words:
        sitting.say(
            "NUMBERS are those of the list: 3, 5-9, 2 4 6, or all.",
            "Filters have words, and type: scope: status: from: older: newer: has: link:.",
        )


def _told(command: Command, keys: Mapping[str, str]) -> Iterator[str]:
    short = (key for key in command.short(keys) if find(key, keys) is command)
    names = ", ".join((f"{command.name} {command.takes}".strip(), *short))
    yield f"{names}: {command.help}"


_MANY = "[NUMBERS]"
_BULK = "Numbers mark drafts that were listed; flagged ones are approved one by one."

COMMANDS: tuple[Command, ...] = (
    Command("approve", deciding.decide(Mark.APPROVE), _MANY, "approve",
            f"{BY_ID['approve'].help} {_BULK}"),
    Command("reject", deciding.decide(Mark.REJECT), _MANY, "reject"),
    Command("skip", deciding.decide(Mark.SKIP), _MANY, "skip"),
    Command("unmark", deciding.unmark, _MANY, "unmark"),
    Command("takeover", deciding.take_over, _MANY, "take_over"),
    Command("undo", deciding.undo, action="undo"),
    Command("redo", deciding.redo, action="redo"),
    Command("plan", deciding.plan, action="plan"),
    Command("apply", deciding.apply, action="apply",
            about=f"Say the plan, then ask: {CONFIRM} does it. What fails keeps its mark and says why."),
    Command("takeback", deciding.take_back, action="take_back"),
    Command("edit", composing.edit, action="edit_outside",
            about="Change title and text: in your own editor on a terminal, else line by line."),
    Command("compare", comparing.compare, "[NUMBER]", "compare",
            "Say what is much like the draft, and how it differs from the first or another of these."),
    Command("merge", comparing.merge_drafts, "NUMBERS or into NUMBER", "merge",
            "Compose one text of the draft and others, or of one of its likes and the draft."),
    Command("fix", fixing.fix, "NUMBER or ID", "fix_link",
            "Point the links of the name that was said last elsewhere; every change is said first."),
    Command("unfix", fixing.unfix, about=BY_ID["undo_fix"].help),
    Command("new", composing.new, "TYPE SCOPE TITLE", "new",
            "Write a record of your own, as a draft to be approved like all others."),
    Command("change", composing.reclassify, "type:TYPE scope:SCOPE", "kind"),
    Command("delete", composing.delete, action="delete"),
    Command("show", moving.show, about="Read the card once more, as it is now."),
    Command("next", moving.next_undecided, action="next_undecided"),
    Command("previous", moving.previous_undecided, action="previous_undecided"),
    Command("down", moving.down, action="down"),
    Command("up", moving.up, action="up"),
    Command("go", moving.go, "NUMBER or ID", about="Go to a row of the list, or to a record."),
    Command("links", moving.links, about="Say where the links of the card lead, by number."),
    Command("follow", moving.follow, "NUMBER", about="Follow a link of the card."),
    Command("back", moving.back, action="link_back"),
    Command("forward", moving.forward, action="link_forward"),
    Command("list", finding.say_list, _MANY, about="Say the rows from here on, or those of the numbers."),
    Command("more", finding.more, about="Say the rows after those."),
    Command("filter", finding.filter_list, "[FILTER]", "filter",
            f"{BY_ID['filter'].help} Without words: {BY_ID['clear_filter'].help}"),
    Command("section", counting.section, "[NAME]",
            about="Narrow the list by a filter of your settings, or say which there are."),
    Command("browse", finding.browse, "[FILTER]", "browse"),
    Command("drafts", finding.show_drafts, "[FILTER]", about="Go back to the drafts."),
    Command("search", finding.search, "WORDS", about="List the best matches, in texts and titles."),
    Command("names", naming.names, "[KIND or NUMBER]", "show_links",
            f"{BY_ID['show_links'].help} Each with the places that refer."),
    Command("recall", recalling.recall, "[in:DIRECTORY] [file:PATH] [budget:TOKENS] [drafts]",
            "show_recall"),
    Command("queue", counting.queue, "[NUMBER]", "show_queue"),
    Command("import", importing.import_memories, "[NUMBER or PATH]", "show_import"),
    Command("refresh", finding.refresh, action="refresh"),
    Command("history", finding.history, "[ID]", "show_history",
            "What was decided, newest first, of everything or of one record."),
    Command("older", finding.older, about="Say the lines of the journal before those.",
            uses=("history",)),
    Command("trash", finding.say_trash, "[NUMBER]", uses=("trash",),
            about="What was deleted and can be restored, or the text of one."),
    Command("restore", finding.restore, "NUMBER or ID", about=BY_ID["restore"].help,
            uses=("restore",)),
    Command("status", status, about="Say where you are and how many marks there are."),
    Command("help", tell_help, "[COMMAND]", "help", "Say all commands, or one of them."),
    Command("quit", quit_sitting, action="quit"),
)  # fmt: skip
"""Every command, in the order of the help."""


def find(name: str, set_keys: Mapping[str, str] = NO_KEYS) -> Command | None:
    """Return the command of a name or a short form; capitals only matter in short forms.

    Args:
        set_keys: keys that the operator has set, by the id of their action.
    """
    known = _vocabulary(tuple(set_keys.items()))
    return known.get(name) or (known.get(name.casefold()) if len(name) > 1 else None)


@lru_cache(maxsize=8)
def _vocabulary(set_keys: tuple[tuple[str, str], ...]) -> dict[str, Command]:
    """Return commands by all that is understood: names before keys, keys that were set before the others."""
    keys = dict(set_keys)
    known: dict[str, Command] = {}
    for command in sorted(COMMANDS, key=lambda command: command.action in keys):
        known.update(dict.fromkeys(command.short(keys), command))
    return known | {command.name: command for command in COMMANDS}


def unknown(name: str) -> str:
    """Return what is said to somebody who says what is no command."""
    near = get_close_matches(name.casefold(), [command.name for command in COMMANDS], n=1)
    guess = f" Did you mean {near[0]}?" if near else ""
    return f"There is no command {name[:60]}.{guess} help says all of them."
