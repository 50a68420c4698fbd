"""`google.protobuf.Struct` as plain dictionaries, and back.

A Struct knows doubles only: whole numbers that a double holds exactly come back as `int`, so that a
budget of 2000 is not 2000.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from google.protobuf import struct_pb2

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_EXACT = 2**53


def from_struct(struct: struct_pb2.Struct) -> dict[str, Json]:
    """Return a Struct's fields as Python values."""
    return {name: _from_value(value) for name, value in struct.fields.items()}


def to_struct(fields: Mapping[str, Any]) -> struct_pb2.Struct:
    """Return a Struct of JSON-like values; tuples become lists.

    Raises:
        TypeError: a value is none of JSON's kinds.
    """
    struct = struct_pb2.Struct()
    for name, value in fields.items():
        struct.fields[name].CopyFrom(_to_value(value))
    return struct


def _from_value(value: struct_pb2.Value) -> Json:
    match value.WhichOneof("kind"):
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() and abs(number) <= _EXACT else number
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
        case "struct_value":
            return from_struct(value.struct_value)
        case "list_value":
            return [_from_value(item) for item in value.list_value.values]
        case _:
            return None


def _to_value(value: Any) -> struct_pb2.Value:
    match value:
        case None:
            return struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)
        case bool():
            return struct_pb2.Value(bool_value=value)
        case int() | float():
            return struct_pb2.Value(number_value=value)
        case str():
            return struct_pb2.Value(string_value=value)
        case Mapping():
            return struct_pb2.Value(struct_value=to_struct(value))
        case list() | tuple():
            items = struct_pb2.ListValue(values=[_to_value(item) for item in value])
            return struct_pb2.Value(list_value=items)
        case _:
            raise TypeError(f"a {type(value).__name__} cannot be part of a Struct")
