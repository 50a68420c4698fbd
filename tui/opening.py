"""Opening the inbox on this terminal, drawn or line by line.

Most starts are of the bare command: `run_inbox` is its way past the command line's parser, which would take
a sixth of the time until the first paint.
"""

from __future__ import annotations

import os
import sys

from store.errors import MemoryError
from tui.cli.output import report
from tui.cli.session import Session, name_of, open_desk

PROGRAM = "memory-inbox"
FAILURE, USAGE = 1, 2
_TURN = 0.0005  # seconds that another thread may keep the drawing one waiting
_PARSED = ("MEMORY_INBOX_LOG_FILE", "_MEMORY_INBOX_COMPLETE")  # variables that the parser acts on


def is_bare(arguments: list[str]) -> bool:
    """Tell whether a command line asks for the inbox alone: no option, no log, no completion."""
    return not arguments and not any(os.environ.get(name) for name in _PARSED)


def tolerate_terminal() -> None:
    """Let a terminal that cannot show a character get its number, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def run_inbox() -> int:
    """Open the inbox as the environment says; returns the exit code."""
    tolerate_terminal()
    store = os.environ.get("MEMORY_INBOX_STORE") or None
    reviewer = os.environ.get("MEMORY_INBOX_REVIEWER", "").strip()
    try:
        return open_inbox(Session(store, None, reviewer))
    except MemoryError as error:
        report(error.title, str(error), error.hint)
        return FAILURE


def open_inbox(chosen: Session) -> int:
    """Open the review inbox on this terminal; returns the exit code."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        report(
            "No terminal",
            "the review inbox needs one for input and output",
            f"{PROGRAM} --linear works without, and so do the commands",
        )
        return USAGE
    from tui.app import InboxApp
    from tui.app_settings import fit_app
    from tui.keeping import Keeper, marks_file
    from tui.settings import read_settings, settings_file

    # Reading and the lens run beside the app, whose thread would wait 5 ms for its turn time and again.
    sys.setswitchinterval(_TURN)
    place = name_of(chosen)
    inbox = InboxApp(
        lambda: open_desk(chosen),
        store_name=place,
        reviewer=chosen.who,
        keeper=Keeper(marks_file(place), place),
        settings=fit_app(read_settings(settings_file(), chosen.provider)),
    )
    inbox.run()
    return inbox.return_code or 0


def open_linear(chosen: Session) -> int:
    """Hold a sitting line by line, on whatever stdin and stdout are; returns the exit code."""
    from datetime import UTC, datetime

    from tui.keeping import Keeper, marks_file
    from tui.linear.session import hold
    from tui.linear.sitting import Sitting
    from tui.linear.speaking import Voice
    from tui.settings import read_settings, settings_file

    place = name_of(chosen)
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    voice = Voice(sys.stdin, sys.stdout, prompts=sys.stdin.isatty() and sys.stdout.isatty())
    with chosen.desk() as desk:
        hold(
            Sitting(
                desk,
                voice,
                lambda: datetime.now(UTC),
                reviewer=chosen.who,
                store_name=place,
                keeper=Keeper(marks_file(place), place),
                settings=read_settings(settings_file(), chosen.provider),
            )
        )
    return 0
