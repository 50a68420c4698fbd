"""A copy in a process of its own, to be killed: it says what it does before it goes on."""

from __future__ import annotations

from multiprocessing.connection import Connection

from store.copying import copy_store
from store.location import resolve


def copy(source: str, target: str, told: Connection) -> None:
    copy_store(
        resolve(source),
        resolve(target),
        lambda what, done, total: told.send((what, done)),
    )
