"""A call of a tool while it lasts: whether somebody still waits for its answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextvars import ContextVar

_current: ContextVar[Call | None] = ContextVar("current call", default=None)


class Cancelled(Exception):
    """The caller gave the call up, or its deadline has passed: there is nobody to answer."""


class Call(ABC):
    """A call in progress."""

    @property
    @abstractmethod
    def live(self) -> bool:
        """Whether somebody still waits for the answer."""

    def check(self) -> None:
        """Raise Cancelled when nobody waits any more: to be asked before anything is changed.

        A change that has begun is made to its end; a transaction is whole or not there.
        """
        if not self.live:
            raise Cancelled


def begin(call: Call) -> None:
    """Make this the call that `check_current` asks in this thread, until the next one begins."""
    _current.set(call)


def check_current() -> None:
    """Raise Cancelled if this thread answers a call that nobody waits for any more."""
    if call := _current.get():
        call.check()
