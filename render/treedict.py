"""Trees as plain dicts, for JSON: ``{"kind": "text", "content": …, "style": …}``, fields as in `render.tree`.

Both directions are total. What `from_dict` does not know, a node kind of a later version say, becomes
text; a field that is missing or of the wrong shape becomes empty.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, TypeAlias

from render.tree import (
    Action,
    CodeBlock,
    Collapsible,
    Diff,
    DiffHunk,
    DiffLine,
    DiffOp,
    Group,
    Link,
    List,
    Node,
    SubSession,
    Table,
    Text,
    TextStyle,
)

_Fields: TypeAlias = Mapping[str, object]
_DEPTH = 200  # nodes inside nodes that are read; what lies deeper becomes text

_STYLES = {style.value: style for style in TextStyle}
_OPS = {op.value: op for op in DiffOp}
_KINDS: dict[type, str] = {
    Text: "text",
    CodeBlock: "code_block",
    Diff: "diff",
    Table: "table",
    Link: "link",
    List: "list",
    Group: "group",
    Collapsible: "collapsible",
    SubSession: "sub_session",
    Action: "action",
}


def to_dict(node: Node) -> dict[str, Any]:
    """Return a node as dicts, lists, strings, numbers and booleans."""
    plain: dict[str, Any] = _plain(node)
    return plain


def from_dict(value: object) -> Node:
    """Return the node that a value describes, or the value as text. Never raises for parsed JSON."""
    return _node(value, 0)


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    described = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    kind = _KINDS.get(type(value))
    return {"kind": kind, **described} if kind else described


def _node(value: object, depth: int) -> Node:
    if isinstance(value, Mapping) and depth < _DEPTH:
        read = _READERS.get(str(value.get("kind")))
        if read:
            return read(value, depth + 1)
    return Text(value if isinstance(value, str) else _unknown(value))


def _unknown(value: object) -> str:
    """Return what can be read of a node of unknown kind: its own text if it has any, else all of it."""
    if isinstance(value, Mapping):
        for name in ("content", "text", "summary", "label"):
            if isinstance(value.get(name), str):
                return str(value[name])
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "…"


def _string(given: _Fields, name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _number(given: _Fields, name: str) -> int:
    value = given.get(name)
    return value if isinstance(value, int) else 0


def _sequence(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item if isinstance(item, str) else _unknown(item) for item in _sequence(value))


def _nodes(given: _Fields, name: str, depth: int) -> tuple[Node, ...]:
    return tuple(_node(item, depth) for item in _sequence(given.get(name)))


def _text(given: _Fields, depth: int) -> Node:
    style = _STYLES.get(_string(given, "style"), TextStyle.NORMAL)
    return Text(_string(given, "content"), style)


def _code_block(given: _Fields, depth: int) -> Node:
    language = given.get("language")
    return CodeBlock(_string(given, "content"), language if isinstance(language, str) else None)


def _diff(given: _Fields, depth: int) -> Node:
    hunks = (hunk for hunk in _sequence(given.get("hunks")) if isinstance(hunk, Mapping))
    return Diff(tuple(_hunk(hunk) for hunk in hunks))


def _hunk(given: _Fields) -> DiffHunk:
    lines = (line for line in _sequence(given.get("lines")) if isinstance(line, Mapping))
    return DiffHunk(
        _number(given, "old_start"),
        _number(given, "old_lines"),
        _number(given, "new_start"),
        _number(given, "new_lines"),
        tuple(_line(line) for line in lines),
    )


def _line(given: _Fields) -> DiffLine:
    op = _OPS.get(_string(given, "op"), DiffOp.CONTEXT)
    return DiffLine(op, _string(given, "text"))


def _table(given: _Fields, depth: int) -> Node:
    rows = tuple(_strings(row) for row in _sequence(given.get("rows")))
    return Table(_strings(given.get("headers")), rows)


def _action(given: _Fields, depth: int) -> Node:
    args = given.get("args")
    known = {str(name): value for name, value in args.items()} if isinstance(args, Mapping) else {}
    return Action(
        _string(given, "id"),
        _string(given, "label"),
        _string(given, "tool_name"),
        known,
        _string(given, "provider"),
    )


def _collapsible(given: _Fields, depth: int) -> Node:
    collapsed = given.get("collapsed_by_default", True) is not False
    return Collapsible(_string(given, "summary"), _nodes(given, "children", depth), collapsed)


_READERS: dict[str, Callable[[_Fields, int], Node]] = {
    "text": _text,
    "code_block": _code_block,
    "diff": _diff,
    "table": _table,
    "link": lambda given, depth: Link(_string(given, "text"), _string(given, "url")),
    "list": lambda given, depth: List(
        _nodes(given, "items", depth), given.get("ordered", False) is True
    ),
    "group": lambda given, depth: Group(_nodes(given, "children", depth)),
    "collapsible": _collapsible,
    "sub_session": lambda given, depth: SubSession(
        _string(given, "session_id"), _string(given, "summary")
    ),
    "action": _action,
}
