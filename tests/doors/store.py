"""A store full of hostile texts: as titles, ids, summaries, bodies, paths, links, people and decisions."""

from __future__ import annotations

import json
from pathlib import Path

from store.local import LocalDesk, open_desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus

CASES = json.loads((Path(__file__).parents[1] / "cases/terminal.json").read_text("utf-8"))
EVERY: list[str] = CASES["strings"]
HOSTILE = [text for text in EVERY if "\0" not in text]
"""Those that a store takes: it refuses NUL, see tests/cli/test_writing.py."""

ALL = "\n\n".join(HOSTILE)
TARGET, TWIN, REMOVED = "target", "twin", "removed"
SIGNS = ("␛", "‹U+", "[@click", "[bold red]", "[/", "👨‍👩‍👦")
"""Shown of a hostile text, whichever it is: marks of what is hidden, or markup that was not obeyed."""


def hostile_store(path: Path) -> Path:
    """Make the store: a draft of each text, a revision, near ones, decisions and a trash."""
    desk = open_desk(str(path), reviewer="".join(HOSTILE[7:13]))
    for text in HOSTILE:
        _write(desk, text, f"{text}\n\n[[{text}]]\n\n    {text}\n\n<!-- {text} -->\n", text)
    _write(desk, f"{HOSTILE[5]} twin", ALL, TWIN)
    _write(
        desk,
        f"{HOSTILE[5]} twins",
        f"{ALL}\n\nsee [{HOSTILE[7]}](https://example.test/{HOSTILE[8]})",
        "twins",
    )
    for id in (TARGET, REMOVED, "decided"):
        _write(desk, f"{id} {HOSTILE[7]}", f"before {ALL}", id)
        desk.approve_record(id, desk.review(id).record.revision)
    desk.delete_record(REMOVED, Origin(recorded_by=HOSTILE[8]))
    desk.update_record(TARGET, f"after {ALL}", title=f"target {HOSTILE[5]}")
    desk.close()
    return path


def _write(desk: LocalDesk, title: str, content: str, id: str) -> None:
    new = NewRecord(MemoryType.PROJECT, MemoryScope.GLOBAL, title, content, id=id, summary=title)
    origin = Origin(recorded_by=title, session_id=title, project_root=title)
    desk.write(new, origin, RecordStatus.PENDING)


def hostile_folder(parent: Path) -> Path:
    """Make a folder of memory files whose names and texts are hostile; a name holds no slash and no NUL."""
    folder = parent / f"-home {HOSTILE[7]}".replace("/", "") / "memory"
    folder.mkdir(parents=True)
    for text in HOSTILE:
        (folder / f"{text.replace('/', '')}.md").write_text(f"# {text}\n\n{text}\n", "utf-8")
    (folder / f"broken {HOSTILE[8]}.md").write_bytes(b"\xff\xfe\x00")
    return folder
