"""Tools as they are declared on the wire."""

from __future__ import annotations

from store.agents.shapes import Shape
from store.agents.tool import Declaration
from store.wire.gen.pluggableharness.schema.v1 import schema_pb2
from store.wire.gen.pluggableharness.tool.v1 import call_pb2, service_pb2

_SECONDS = 30  # for a call, unless the host's operator says otherwise


def to_schema(shape: Shape) -> schema_pb2.Schema:
    """Return a shape as a message."""
    return schema_pb2.Schema(
        type=schema_pb2.SchemaType.Value(f"SCHEMA_TYPE_{shape.kind.upper()}"),
        description=shape.description,
        properties={name: to_schema(inner) for name, inner in shape.properties.items()},
        required=shape.required,
        items=to_schema(shape.items) if shape.items else None,
        enum_values=shape.choices,
    )


def to_tool(declaration: Declaration) -> service_pb2.ToolSchema:
    """Return a tool's declaration as a message."""
    schema = service_pb2.ToolSchema(
        name=declaration.name,
        kind=call_pb2.ToolKind.Value(f"TOOL_KIND_{declaration.kind.upper()}"),
        risk=call_pb2.RiskClass.Value(f"RISK_CLASS_{declaration.risk.upper()}"),
        description=declaration.description,
        input_schema=to_schema(declaration.takes),
        output_schema=to_schema(declaration.gives),
        concurrency=service_pb2.ConcurrencySpec(safe=declaration.safe, key_fields=declaration.keys),
        idempotent=declaration.idempotent,
    )
    schema.default_timeout.FromSeconds(_SECONDS)
    return schema
