"""The generated descriptors as text, one fact a line: what `contract.txt` holds still."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    FileDescriptor,
    ServiceDescriptor,
)

from store.wire.generate import GEN, PACKAGE

_SCALARS = {
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BYTES: "bytes",
}


def files(gen: Path = GEN) -> Iterator[FileDescriptor]:
    """Yield every generated file's descriptor, by path."""
    for path in sorted(gen.rglob("*_pb2.py")):
        module = ".".join(path.relative_to(gen).with_suffix("").parts)
        yield importlib.import_module(f"{PACKAGE}.{module}").DESCRIPTOR


def lines() -> Iterator[str]:
    """Yield one line for each message, field, enum value and method, in declaration order."""
    for file in files():
        for service in file.services_by_name.values():
            yield from _service(service)
        for message in file.message_types_by_name.values():
            yield from _message(message)
        for enum in file.enum_types_by_name.values():
            yield from _enum(enum)


def _service(service: ServiceDescriptor) -> Iterator[str]:
    for method in service.methods:
        sends = "stream " if method.client_streaming else ""
        answers = "stream " if method.server_streaming else ""
        yield (
            f"service {service.full_name} {method.name}({sends}{method.input_type.name})"
            f" {answers}{method.output_type.name}"
        )


def _message(message: Descriptor) -> Iterator[str]:
    yield f"message {message.full_name}"
    for field in message.fields:
        yield f"message {message.full_name} {field.number} {field.name}: {_type(field)}"
    for nested in message.nested_types:
        if not nested.GetOptions().map_entry:
            yield from _message(nested)
    for enum in message.enum_types:
        yield from _enum(enum)


def _type(field: FieldDescriptor) -> str:
    kind = field.message_type or field.enum_type
    name = kind.full_name if kind else _SCALARS[field.type]
    if field.message_type and field.message_type.GetOptions().map_entry:
        key, value = field.message_type.fields
        return f"map<{_type(key)}, {_type(value)}>"
    if field.is_repeated:
        return f"repeated {name}"
    oneof = field.containing_oneof
    if oneof and oneof.name == f"_{field.name}":
        return f"optional {name}"
    return f"{name} [oneof {oneof.name}]" if oneof else name


def _enum(enum: EnumDescriptor) -> Iterator[str]:
    for value in enum.values:
        yield f"enum {enum.full_name} {value.name}={value.number}"
