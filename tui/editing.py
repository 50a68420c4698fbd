"""Editing a record's title and text: safe text for an editor on the screen, a file for one outside.

Plain functions. What is edited on the screen is what is shown: hidden characters stand as their marks, and
are saved as the marks, so that nobody approves what an editor does not show.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from render.visible import visible
from store.errors import Conflict, NotFound
from store.provider import Desk
from store.records import MemoryScope, NewRecord, Origin, Record, RecordStatus
from tui.marks import Edit, Mark, Marked, Marks, Wording

DOOR = "inbox.merge"
"""What the provenance of a revision says that was composed here."""

OWN_DOOR = "inbox.new"
"""What the provenance of a record says that an operator wrote."""


def wording_of(record: Record) -> Wording:
    """Return the title and text of a record, with the revision that has them."""
    return Wording(record.title, record.content, record.revision)


def shown_text(text: str) -> str:
    """Return a text as an editor on the screen may hold it: lines and tabs stay, what is hidden is marked."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(visible(part) for part in line.split("\t")) for line in lines)


def reword(desk: Desk, edit: Edit, by: str, *, back: bool) -> tuple[Record, Record]:
    """Take an edit back, or do it again; Conflict when somebody else wrote in between.

    Returns:
        The record as it was before and after.
    """
    now, then = (edit.after, edit.before) if back else (edit.before, edit.after)
    status = RecordStatus.CANONICAL if edit.made and not back else RecordStatus.PENDING
    before = desk.review(edit.id, status).record
    if not edit.made:
        after = desk.edit(edit.id, now.revision, title=then.title, content=then.content, by=by)
    elif back:
        desk.reject_record(edit.id, now.revision, by)
        after = desk.review(edit.id, RecordStatus.CANONICAL).record
    else:
        after = revise(desk, before, edit.before.revision, then.title, then.content, edit.origin)
    return before, after


def note_edit(marks: Marks, before: Record, after: Record, mark: Mark | None) -> None:
    """Keep the edit of a draft among the steps that can be undone, together with a mark if one came along."""
    if before.revision == after.revision:
        if mark is not None:
            marks.set(Marked(after.id, mark, after.revision, after.is_revision))
        return
    edit = Edit(after.id, wording_of(before), wording_of(after))
    marked = [Marked(after.id, mark, after.revision, after.is_revision)] if mark else []
    marks.edited(edit, *marked)


def revise(
    desk: Desk, seen: Record, revision: str, title: str, content: str, origin: Origin = Origin()
) -> Record:
    """Write a pending revision of a canonical record and return it.

    Args:
        seen: the canonical record as it is, or was a moment ago.
        revision: what it has to be still.

    Raises:
        Conflict: it has another text now, or a revision waits already, which this one would replace.
    """
    if desk.review(seen.id, RecordStatus.CANONICAL).record.revision != revision:
        raise Conflict(f"{seen.id} has changed since you looked")
    with suppress(NotFound):
        waiting = desk.review(seen.id, RecordStatus.PENDING).record
        raise Conflict(f"a revision of {waiting.id} waits already", hint="decide that one first")
    desk.update_record(seen.id, content, title, replace(origin, recorded_by=DOOR))
    return desk.review(seen.id, RecordStatus.PENDING).record


def origin_of_own(scope: MemoryScope, project: str, session: str) -> Origin:
    """Return where a record comes from that an operator writes: bound as its scope needs, and no further."""
    return Origin(
        OWN_DOOR,
        session_id=session if scope is MemoryScope.SESSION else "",
        project_root=project if scope is MemoryScope.PROJECT else "",
    )


def write_draft(desk: Desk, new: NewRecord, origin: Origin) -> Record:
    """Write a new draft and return it as it is then."""
    written = desk.write(new, origin, RecordStatus.PENDING)
    return desk.review(written.id, RecordStatus.PENDING).record


def editor() -> list[str] | None:
    """Return the operator's editor as a command, None when the environment names none."""
    commands = (shlex.split(os.environ.get(name, "")) for name in ("VISUAL", "EDITOR"))
    return next(filter(None, commands), None)


def edit_outside(command: list[str], title: str, content: str) -> tuple[str, str]:
    """Let a program edit a title and a text in a file; the title is the file's first line.

    Returns:
        The title and text that the file has then; as they were when the program failed.
    """
    with TemporaryDirectory(prefix="memory-inbox-") as directory:
        file = Path(directory) / "draft.md"
        file.write_text(as_file(title, content), encoding="utf-8", errors="surrogatepass")
        done = subprocess.run([*command, str(file)], check=False)  # noqa: S603 - the operator's own
        if done.returncode == 0:
            with suppress(OSError):
                text = file.read_text(encoding="utf-8", errors="surrogatepass")
                return from_file(text)
    return title, content


def as_file(title: str, content: str) -> str:
    """Return a title and a text as one file: the title, an empty line, the text."""
    return f"{' '.join(title.split())}\n\n{content}"


def from_file(text: str) -> tuple[str, str]:
    """Return the title and text of a file."""
    title, _, rest = text.partition("\n")
    return title.strip(), rest.removeprefix("\n")
