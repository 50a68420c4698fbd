"""A writer to be killed: it says what it has done only after the store has said so."""

from __future__ import annotations

from multiprocessing.connection import Connection

from store.local import open_desk
from tests.store.making import AGENT, new, waiting


def write_until_killed(path: str, run: int, done: Connection) -> None:
    """Record, revise, approve and reject without end; report each step when it holds."""
    desk = open_desk(path)
    number = 0
    while True:
        name = f"run{run}number{number}"  # one word that no other record has
        kept = desk.record(new(f"Kept {name}", f"text of {name} [[note]] {'word ' * 50}"), AGENT).id
        done.send(("recorded", kept))
        desk.approve_record(kept, waiting(desk, kept))
        done.send(("approved", kept))
        desk.update_record(kept, f"revised text of {name}")
        done.send(("revised", kept))
        gone = desk.record(new(f"Gone {name}"), AGENT).id
        desk.reject_record(gone, waiting(desk, gone))
        done.send(("rejected", gone))
        number += 1
