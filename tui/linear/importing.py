"""Folders of memories taken in as drafts: found by number or named, tried first, then asked about."""

from __future__ import annotations

from pathlib import Path

from store.folders.report import Outcome, Report
from tui.linear.sitting import Sitting
from tui.linear.speaking import CONFIRM, amount

_SAID = 20  # lines of a report; a folder may have thousands of files


def import_memories(sitting: Sitting, words: str) -> None:
    """Say which folders of memories there are, or try one and ask whether to import it."""
    # Imported here: a sitting begins without what reads files.
    from store.folders.importer import ImportOptions, import_folder
    from store.local import own

    desk = own(sitting.desk)
    if not words:
        _say_folders(sitting)
        return
    path = _path(sitting, words)
    if path is None or not path.exists():
        sitting.say(f"import: nothing is at {path or words}")
        return
    tried = import_folder(desk, path, ImportOptions(dry_run=True))
    _say_report(sitting, tried, f"{path} would be")
    if not any(tried.counts[outcome] for outcome in _TAKEN):
        sitting.say("Nothing to import.")
        return
    sitting.say(f"Say {CONFIRM} to import it as drafts; anything else does not.")
    if sitting.voice.hear("import? ") != CONFIRM:
        sitting.say("Nothing was imported.")
        return
    done = import_folder(desk, path, ImportOptions())
    told = ", ".join(f"{count} {outcome}" for outcome, count in done.counts.items() if count)
    sitting.say(f"Imported: {told}.")


_TAKEN = (Outcome.NEW, Outcome.REVISION, Outcome.UPDATED, Outcome.AGAIN, Outcome.RENAMED)


def _say_folders(sitting: Sitting) -> None:
    from store.folders.discover import discover

    found = discover()
    sitting.folders = tuple(place.path for place in found)
    for number, place in enumerate(found, 1):
        sitting.say(f"{number}. {place.agent}, {amount(place.files, 'file')}: {place.path}")
    sitting.say(
        "import and a number or a path tries one."
        if found
        else "No memories in the usual places. import and the path of a folder or file tries it."
    )


def _path(sitting: Sitting, words: str) -> Path | None:
    if words.isdecimal() and not Path(words).exists():
        number = int(words)
        return sitting.folders[number - 1] if 1 <= number <= len(sitting.folders) else None
    return Path(words).expanduser()


def _say_report(sitting: Sitting, report: Report, what: str) -> None:
    counts = ", ".join(f"{count} {outcome}" for outcome, count in report.counts.items() if count)
    sitting.say(f"{what}: {amount(report.files, 'file')}, {counts or 'nothing to take'}.")
    sitting.say(*(f"Note: {notice}." for notice in report.notices))
    told = [line for line in report.lines if line.outcome is not Outcome.NEW or line.notes]
    for line in told[:_SAID]:
        notes = "; ".join(note.what for note in line.notes)
        why = ", ".join(filter(None, (line.id, line.why, notes)))
        sitting.say(f"{line.path}: {line.outcome}{', ' if why else ''}{why}")
    if len(told) > _SAID:
        sitting.say(f"{len(told) - _SAID} more files with something to say: the app shows them.")
