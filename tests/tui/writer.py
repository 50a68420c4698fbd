"""Another process that writes drafts: ``python -m tests.tui.writer STORE COUNT``."""

from __future__ import annotations

import sys

from store.local import open_desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin


def main(store: str, count: int) -> None:
    desk = open_desk(store)
    for number in range(count):
        new = NewRecord(
            MemoryType.PROJECT,
            MemoryScope.PROJECT,
            f"Written meanwhile {number}",
            f"Text {number}.",
        )
        desk.record(new, Origin("memory.remember", session_id="01JB7A", project_root="/srv/acme"))
    desk.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
