"""What a tool is, to the doors that serve it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from render.tree import Node
from store.agents.calls import Call
from store.agents.shapes import Shape
from store.records import MutationEvent, Origin


@dataclass(frozen=True, slots=True)
class Declaration:
    """A tool as hosts and models are told of it.

    Args:
        kind: ``resource`` changes something, ``data_source`` reads.
        risk: the host's approval policy goes by it; a word of `tool.v1.RiskClass`.
        safe: whether calls may overlap; where ``keys`` names arguments, those that agree in them may not.
    """

    name: str
    kind: str
    risk: str
    description: str
    takes: Shape
    gives: Shape
    safe: bool = True
    keys: tuple[str, ...] = ()
    idempotent: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call came to: its result, and what the host's log of events is to be told."""

    result: dict[str, Any]
    kind: str = ""  # memory_write, memory_update or memory_delete
    event: MutationEvent | None = None


class Tool(Protocol):
    """One tool. Its arguments have been checked against what it takes."""

    declaration: Declaration

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """Do it."""
        ...

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Show what `invoke` would do, and do nothing."""
        ...


def whole_number(number: float) -> int:
    """Return a number of things, however large a double the model came up with; -1 for any below 0."""
    return int(min(max(number, -1), 2**31)) if number == number else 0
