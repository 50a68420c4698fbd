"""Writing again what collided with what others wrote; see `Database.retried`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

if TYPE_CHECKING:
    from store.engine import Database

P = ParamSpec("P")
T = TypeVar("T")


class Store(Protocol):
    """Whatever has a database."""

    @property
    def database(self) -> Database:
        """The store."""
        ...


S = TypeVar("S", bound=Store)


def retried(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Have a method run again if its transaction collided; it must do in one all that it does."""

    @wraps(method)
    def run(self: S, /, *args: P.args, **named: P.kwargs) -> T:
        return self.database.retried(lambda: method(self, *args, **named))

    return run
