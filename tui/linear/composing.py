"""Composing texts: in the operator's editor on a terminal, line by line anywhere else."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from store.checks import memory_scope, memory_type
from store.errors import Conflict
from store.records import MemoryScope, NewRecord, Origin, Record, RecordStatus
from tui.actions import Need
from tui.editing import edit_outside, editor, note_edit, origin_of_own, write_draft
from tui.linear.sitting import Sitting
from tui.linear.speaking import brief

END = "."
"""The line that ends a dictated text, as with mail since ever; a line of two dots stands for one."""


class Composed(NamedTuple):
    """A title and a text."""

    title: str
    content: str


def compose(sitting: Sitting, title: str, content: str) -> Composed | None:
    """Let the operator make a title and a text of others; None, with the reason said, when that fails.

    On a terminal this is the operator's editor where there is one.
    """
    command = editor() if sitting.voice.prompts else None
    if command is not None:
        sitting.voice.spoken.flush()
        try:
            made: Composed | None = Composed(*edit_outside(command, title, content))
        except OSError as error:
            sitting.say(f"{command[0]}: {error.strerror}")
            return None
    else:
        made = _dictated(sitting, title, content)
    if made is None:
        sitting.say("The text did not end; nothing was written.")
    return made


def _dictated(sitting: Sitting, title: str, content: str) -> Composed | None:
    kept = f" Nothing keeps {brief(title)}." if title else ""
    sitting.say(f"Say the title.{kept}")
    named = sitting.voice.hear("title> ")
    if named is None:
        return None
    sitting.say("Say the text, line by line. A dot on a line of its own ends it, at once keeps it.")
    lines: list[str] = []
    while (line := sitting.voice.dictate("text> ")) != END:
        if line is None:
            return None
        lines.append(END if line == END * 2 else line)
    return Composed(named or title, "".join(f"{line}\n" for line in lines) or content)


def edit(sitting: Sitting, words: str) -> None:
    """Change the title and the text of the card."""
    if sitting.card is None:
        sitting.say(f"edit: {Need.ROW}")
        return
    record = sitting.card.record
    made = compose(sitting, record.title, record.content)
    if made is None:
        return
    if made == (record.title, record.content):
        sitting.say("nothing was changed")
        return
    try:
        after = sitting.desk.edit(
            record.id, record.revision, title=made.title, content=made.content, by=sitting.reviewer
        )
    except Conflict:
        sitting.say(f"{record.id} has changed since you opened it; nothing was saved.")
        return
    if after.pending:
        note_edit(sitting.marks, record, after, None)
        sitting.keep_marks()
    sitting.say(f"Saved {record.id}.")
    sitting.read_card((after.id, after.status))


def new(sitting: Sitting, words: str) -> None:
    """Write a record of one's own, as a draft that is decided like all others."""
    kind, _, rest = words.partition(" ")
    scope, _, title = rest.strip().partition(" ")
    if not scope:
        sitting.say(
            "new: say a type, a scope and a title, as in new feedback global No force pushes"
        )
        return
    place = memory_scope(scope.casefold())
    if place is MemoryScope.SESSION:
        sitting.say("new: a record of a session is written with its session: memory-inbox record")
        return
    kind_of = memory_type(kind.casefold())
    made = compose(sitting, title.strip(), "")
    if made is None:
        return
    origin = origin_of_own(place, str(Path.cwd()), "")
    written = write_draft(sitting.desk, NewRecord(kind_of, place, made.title, made.content), origin)
    sitting.say(f"Written {written.id}.")
    sitting.visit((written.id, written.status))


def reclassify(sitting: Sitting, words: str) -> None:
    """Give the card's record another type or scope."""
    if sitting.card is None:
        sitting.say(f"change: {Need.ROW}")
        return
    record, kind, scope = sitting.card.record, None, None
    for part in words.split():
        key, _, value = part.casefold().partition(":")
        if key == "type":
            kind = memory_type(value)
        elif key == "scope":
            scope = memory_scope(value)
        else:
            words = ""
    if not words:
        sitting.say("change: say type: or scope: or both, as in change type:feedback scope:global")
        return
    after = sitting.desk.reclassify(
        record.id,
        record.revision,
        type=kind,
        scope=scope,
        project_root=str(Path.cwd()),
        by=sitting.reviewer,
    )
    sitting.say(f"{after.id} is {after.type}, {after.scope} scope.")
    sitting.read_card((after.id, after.status))


def delete(sitting: Sitting, words: str) -> None:
    """Move the card's record to the trash."""
    if sitting.card is None:
        sitting.say(f"delete: {Need.ROW}")
    elif sitting.card.record.pending:
        sitting.say("delete: this is a draft; reject marks it, and its text goes for good")
    else:
        _delete(sitting, sitting.card.record)


def _delete(sitting: Sitting, record: Record) -> None:
    """Delete what was read out, and nothing that has become of it meanwhile."""
    now = sitting.desk.review(record.id, RecordStatus.CANONICAL).record
    if now.revision != record.revision:
        sitting.say(f"delete: {Need.UNCHANGED}; show reads it")
        return
    sitting.desk.delete_record(record.id, Origin(recorded_by=sitting.reviewer))
    sitting.card = None
    sitting.say(f"{record.id} is in the trash: restore {record.id} brings it back.")
