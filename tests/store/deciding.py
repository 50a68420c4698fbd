"""An operator in a process of its own: ``python -m tests.store.deciding STORE REVIEWER``.

Waits for a line on stdin, then claims every draft it sees and approves those that it got, and prints them.
"""

from __future__ import annotations

import sys

from store.errors import Conflict
from store.local import open_desk
from store.records import RecordStatus


def main(store: str, reviewer: str) -> None:
    desk = open_desk(store, reviewer=reviewer)
    print("ready", flush=True)
    sys.stdin.readline()
    refused = conflicts = 0
    for record in desk.list_records(status=RecordStatus.PENDING, page_size=500).records:
        if desk.claim([record.id]):
            refused += 1
            continue
        try:
            desk.approve_record(record.id, record.revision)
        except Conflict:  # decided before the claim, and so no draft any more
            conflicts += 1
        else:
            print(record.id, flush=True)
    print("end", refused, conflicts, flush=True)
    desk.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
