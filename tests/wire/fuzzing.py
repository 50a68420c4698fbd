"""Requests to throw at a server: built from the protocol's descriptors, then bent, cut and doubled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf import struct_pb2
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from store.wire.gen.pluggableharness.hook.v1 import service_pb2 as hook_pb
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as memory_pb
from store.wire.gen.pluggableharness.tool.v1 import service_pb2 as tool_pb
from store.wire.structs import to_struct

DEEPEST = 4  # messages within messages


@dataclass(frozen=True)
class Method:
    """One method of a service."""

    service: str
    name: str
    request: type[Message]
    answer: type[Message]
    streams: bool

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"


METHODS = [
    Method(
        service.full_name,
        method.name,
        GetMessageClass(method.input_type),
        GetMessageClass(method.output_type),
        method.server_streaming,
    )
    for file in (memory_pb, tool_pb, hook_pb)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]

# Few names, so that requests meet each other's records. No word that asks for a draft, for those are
# written later than the answer, and no attribute that names a place for the store.
names = st.sampled_from(["alpha", "beta", "Gamma", "alpha-2", "Größe", ""])
words = names | st.text(max_size=30) | st.sampled_from(["\0", "x" * 600, "[[alpha]]", "# h\n" * 40])
ATTRIBUTES = ("token_budget", "ratification", "reviewer")
ARGUMENTS = ("type", "scope", "title", "content", "id", "create_new", "query", "types", "limit")
keys = st.sampled_from([*ATTRIBUTES, *ARGUMENTS]) | st.text(max_size=5).filter(
    lambda key: not key.startswith("store")
)
tools = st.sampled_from(["memory.remember", "memory.forget", "memory.search", "memory.approve"])
kinds = st.sampled_from(["user", "feedback", "project", "reference", "session", "global"])
json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | words | kinds,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)
remembering = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["user", "project"]),
        "scope": st.sampled_from(["project", "global"]),
        "title": names,
        "content": words,
    },
    optional={"id": names, "create_new": st.booleans()},
)
structs = st.one_of(
    st.dictionaries(keys, json_values, max_size=5),
    remembering,
    st.fixed_dictionaries({"id": names}),
    st.fixed_dictionaries({"query": words}, optional={"limit": st.floats(), "types": json_values}),
).map(to_struct)

_NUMBERS: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_INT64: st.sampled_from([0, 1, 50, -1, 10_000, 2**63 - 1, -(2**63)]),
    FieldDescriptor.TYPE_INT32: st.sampled_from([0, 1, 3, 501, -1, 2**31 - 1, -(2**31)]),
    FieldDescriptor.TYPE_UINT32: st.integers(0, 2**32 - 1),
    FieldDescriptor.TYPE_DOUBLE: st.floats(),
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_ENUM: st.sampled_from([1, 2, 3, 1, 2, 3, 0, 4, 99, -1]),
    FieldDescriptor.TYPE_BYTES: st.binary(max_size=20),
}


@st.composite
def messages(draw: st.DrawFn, kind: Any, depth: int = 0) -> Message:
    """Build a message of a kind, each of its fields set or not."""
    if kind is struct_pb2.Struct.DESCRIPTOR:
        return draw(structs)
    message = GetMessageClass(kind)()
    for field in kind.fields:
        if depth < DEEPEST and draw(st.integers(0, 3)):
            _set(draw, message, field, depth)
    return message


def _set(draw: st.DrawFn, message: Message, field: FieldDescriptor, depth: int) -> None:
    if field.message_type and field.message_type.GetOptions().map_entry:
        for key in draw(st.lists(names, max_size=2)):
            getattr(message, field.name)[key] = draw(words)
    elif field.is_repeated:
        for _ in range(draw(st.integers(0, 2))):
            if field.message_type:
                inner = draw(messages(field.message_type, depth + 1))
                getattr(message, field.name).add().CopyFrom(inner)
            else:
                getattr(message, field.name).append(draw(_scalar(field)))
    elif field.message_type:
        inner = draw(messages(field.message_type, depth + 1))
        getattr(message, field.name).CopyFrom(inner)
    else:
        setattr(message, field.name, draw(_scalar(field)))


def _scalar(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.type != FieldDescriptor.TYPE_STRING:
        return _NUMBERS[field.type]
    if field.name == "tool_name":
        return tools
    return names if field.name in ("id", "record_id") else words


@st.composite
def bent(draw: st.DrawFn, kind: Any) -> bytes:
    """Serialize a message, then change, drop, double or insert some of its bytes."""
    data = bytearray(draw(messages(kind)).SerializeToString())
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 16)))
        piece = bytes(data[start:end])
        data[start:end] = draw(
            st.sampled_from([b"", piece * 2, piece[::-1]]) | st.binary(max_size=8)
        )
    return bytes(data)


@st.composite
def requests(draw: st.DrawFn) -> tuple[Method, bytes]:
    """Draw a method and the bytes of a request to it: sound, bent, or any at all."""
    method = draw(st.sampled_from(METHODS))
    kind = method.request.DESCRIPTOR
    sound = messages(kind).map(lambda message: message.SerializeToString())
    return method, draw(st.one_of(sound, sound, bent(kind), st.binary(max_size=40)))
