"""What a tool is, to the service that serves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from render.tree import Node
from store.plugin.calls import Call
from store.plugin.tools.shapes import Shape
from store.records import MutationEvent, Origin
from store.wire.gen.pluggableharness.tool.v1 import call_pb2, service_pb2

_SECONDS = 30  # for a call, unless the host's operator says otherwise


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

    def to_wire(self) -> service_pb2.ToolSchema:
        """Return the declaration as a message."""
        schema = service_pb2.ToolSchema(
            name=self.name,
            kind=call_pb2.ToolKind.Value(f"TOOL_KIND_{self.kind.upper()}"),
            risk=call_pb2.RiskClass.Value(f"RISK_CLASS_{self.risk.upper()}"),
            description=self.description,
            input_schema=self.takes.to_wire(),
            output_schema=self.gives.to_wire(),
            concurrency=service_pb2.ConcurrencySpec(safe=self.safe, key_fields=self.keys),
            idempotent=self.idempotent,
        )
        schema.default_timeout.FromSeconds(_SECONDS)
        return schema


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
