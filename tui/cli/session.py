"""What one run of the command line works on: which store or provider, opened when first needed."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from store.location import default_path, resolve
from store.provider import Desk
from store.reviewer import this_user

if TYPE_CHECKING:
    import typer

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Session:
    """The global options, as given."""

    store: str | None = None
    provider: str | None = None
    reviewer: str = ""
    read_only: bool = False

    @property
    def who(self) -> str:
        """The name that decisions are made under."""
        return self.reviewer or this_user()

    @contextmanager
    def desk(self, *, read_only: bool = False) -> Iterator[Desk]:
        """Open the operator's desk and close it afterwards; raises the `MemoryError` family."""
        desk = open_desk(self, read_only=read_only)
        try:
            yield desk
        finally:
            desk.close()


def session(context: typer.Context) -> Session:
    """Return the session of a command."""
    return context.find_object(Session) or Session()


def open_desk(chosen: Session, *, read_only: bool = False) -> Desk:
    """Open a provider by its address where one is given, else the store.

    Args:
        read_only: nothing will be asked to be written. A store that was named must then exist; the
            usual one is made, so that a first `list` or a prompt's `count` says "nothing yet".
    """
    began = perf_counter()
    desk = _open(chosen, read_only)
    fields = {
        "what": "store" if chosen.provider is None else "provider",
        "read_only": read_only,
        "seconds": perf_counter() - began,
    }
    _log.info("opened", extra={"fields": fields})
    return desk


def _open(chosen: Session, read_only: bool) -> Desk:
    # Each branch imports what the other never needs: a database library here, gRPC there.
    if chosen.provider is not None:
        from store.remote import open_provider

        return open_provider(chosen.provider, reviewer=chosen.who)
    from store.local import open_desk as open_local

    frozen = chosen.read_only or (read_only and _is_frozen(resolve(chosen.store).path))
    return open_local(chosen.store, reviewer=chosen.who, read_only=frozen)


def _is_frozen(path: Path | None) -> bool:
    """Tell whether a store that is only looked at must be left exactly as it is.

    A file that may be written is opened for writing all the same: one of an older form is brought up to
    date on the way. One that is missing and was asked for by name is refused, not made.
    """
    if path is None:
        return False
    if path.exists():
        return not os.access(path, os.W_OK)
    return path != default_path()


def name_of(chosen: Session) -> str:
    """Return what people are shown of the place, without a password."""
    return chosen.provider or resolve(chosen.store).display
