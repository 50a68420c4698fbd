"""A sitting from its first line to its last: one command a line, until quit or the end of the input."""

from __future__ import annotations

import logging

from store.cards import age
from store.errors import MemoryError
from tui.failures import describe_failure
from tui.keeping import describe_unapplied
from tui.linear.commands import find, unknown
from tui.linear.listing import NoSuchRow
from tui.linear.moving import undecided
from tui.linear.news import tell_news
from tui.linear.sitting import Sitting
from tui.linear.speaking import amount
from tui.marks import Marks
from tui.pace import Pace

_log = logging.getLogger(__name__)


def hold(sitting: Sitting) -> None:
    """Hold a sitting. Marks are kept after each command, so that nothing ends it too early.

    Raises:
        MemoryError: the store could not be read at all.
    """
    _begin(sitting)
    while not sitting.left:
        line = sitting.voice.hear("inbox> ")
        if line is None:
            _end(sitting)
            break
        if line:
            obey(sitting, line)
            if not sitting.left:
                tell_news(sitting)
    sitting.voice.spoken.flush()


def obey(sitting: Sitting, line: str) -> None:
    """Do what one line says; what goes wrong is said, and the sitting goes on."""
    name, _, rest = line.partition(" ")
    command = find(name, sitting.settings.keys)
    if command is None:
        sitting.say(unknown(name))
        return
    if (reason := command.unmet(sitting)) is not None:
        sitting.say(f"{command.name}: {reason}")
        return
    try:
        sitting.renew_claims()
        command.does(sitting, rest.strip())
    except MemoryError as error:
        _log.warning("failed", exc_info=error, extra={"fields": {"command": command.name}})
        sitting.fail(describe_failure(error, f"at {command.name}"))
    except NoSuchRow as error:
        sitting.say(f"{command.name}: {error}")


def _begin(sitting: Sitting) -> None:
    """Take the marks of an earlier sitting up, and read the first card out."""
    if sitting.keeper is not None:
        sitting.marks = Marks(sitting.keeper.read())
        sitting.settle_claims(renew=True)
        sitting.pace = Pace(sitting.clock(), sitting.decided)
    sitting.read_list(sitting.drafts)
    rows = sitting.drafts.rows
    sitting.say(f"Memory Inbox, {sitting.store_name}.")
    sitting.say(*(f"Settings: {problem}." for problem in sitting.settings.problems))
    if not rows:
        sitting.say("No drafts wait for you. browse lists all records, help all commands.")
        if not sitting.desk.count().total:
            sitting.say(
                "Nothing is in this store yet: import finds memories that agents have kept."
            )
        return
    oldest = age(min(row.created_at for row in rows), sitting.clock())
    marked = f" {amount(len(sitting.marks), 'mark')} from before." if len(sitting.marks) else ""
    sitting.say(
        f"{amount(len(rows), 'draft')}, the oldest from {oldest}.{marked} help says all commands."
    )
    first = undecided(sitting, range(len(rows)))
    if first is None:
        sitting.say("All decided. plan says what the marks will do.")
    else:
        sitting.open_place(first)


def _end(sitting: Sitting) -> None:
    """Say at the end of the input what was not applied; nobody is there to be asked."""
    count = len(sitting.marks.to_apply())
    if count:
        unapplied = describe_unapplied(count, kept=sitting.keeper is not None)
        sitting.say(*unapplied.splitlines())
