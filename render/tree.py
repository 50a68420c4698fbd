"""The RenderTree: what is shown of a record, before anything decides how to show it.

One frozen node per variant of `pluggableharness.render.v1.RenderNode`. The protocol has no paragraph,
heading or quote, so two rules give the flat variants a layout that every writer here follows:

* A ``Group`` whose children are all ``Text`` or ``Link`` is one run of inline content (a paragraph).
* Any other ``Group`` is a stack of blocks.

Text in a tree is raw: writers (painter, plain text) make it visible, the wire carries it as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias


class TextStyle(StrEnum):
    """How a text node reads; the names of `render.v1.TextStyle`, lower case."""

    NORMAL = "normal"
    BOLD = "bold"
    ITALIC = "italic"
    CODE = "code"
    DIM = "dim"
    ERROR = "error"
    WARNING = "warning"
    SUCCESS = "success"


class DiffOp(StrEnum):
    """What a line of a diff does; the names of `render.v1.DiffLineOp`, lower case."""

    CONTEXT = "context"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Text:
    """A run of text in one style."""

    content: str
    style: TextStyle = TextStyle.NORMAL


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Preformatted lines; ``language`` is None when the author named none."""

    content: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk, without its line end."""

    op: DiffOp
    text: str


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """Consecutive lines of a unified diff; starts count from 1."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class Diff:
    """Two texts compared line by line."""

    hunks: tuple[DiffHunk, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells are plain strings: links of a table follow it as a group of link nodes."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A target to go to: ``memory:<percent-encoded id>`` for records, else any URL as written."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class List:
    """Items in order, numbered from 1 when ``ordered``."""

    items: tuple[Node, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Inline content when all children are text or links, else a stack of blocks."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Collapsible:
    """Blocks behind a summary line."""

    summary: str
    children: tuple[Node, ...]
    collapsed_by_default: bool = True


@dataclass(frozen=True, slots=True)
class SubSession:
    """A pointer to another session of the host."""

    session_id: str
    summary: str


@dataclass(frozen=True, slots=True)
class Action:
    """A button of the host: calls ``tool_name`` of ``provider`` with ``args``."""

    id: str
    label: str
    tool_name: str
    args: dict[str, Any] = field(default_factory=dict, hash=False)
    provider: str = ""


Node: TypeAlias = (
    Text | CodeBlock | Diff | Table | Link | List | Group | Collapsible | SubSession | Action
)


def is_inline(node: Node) -> bool:
    """Tell whether a node is inline content: text, a link, or a group of nothing else."""
    if isinstance(node, Group):
        return all(isinstance(child, Text | Link) for child in node.children)
    return isinstance(node, Text | Link)
