"""A tool's result as a tree, for a host that kept it and wants it drawn."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.message import DecodeError

from render.tree import Group, Node, Table, Text
from store.wire.convert import EVENT_VERSION
from store.wire.gen.pluggableharness.tool.v1 import call_pb2
from store.wire.structs import Json, from_struct


def draw_result(payload: bytes, version: str) -> Node | None:
    """Return a serialized `tool.v1.ToolResult` as a tree, None when the bytes are none of our results."""
    if version != EVENT_VERSION:
        return None
    try:
        fields = from_struct(call_pb2.ToolResult.FromString(payload).payload)
    except DecodeError:
        return None
    listed = fields.get("memories", fields.get("candidates"))
    if isinstance(listed, list):
        rows = tuple(_row(item) for item in listed if isinstance(item, Mapping))
        heading = fields.get("message", f"{len(rows)} found")
        table = (Table(("id", "title"), rows),) if rows else ()
        return Group((Group((Text(str(heading)),)), *table))
    message = fields.get("message")
    return Group((Text(message),)) if isinstance(message, str) else None


def _row(item: Mapping[str, Json]) -> tuple[str, str]:
    return str(item.get("id", "")), str(item.get("title", ""))
