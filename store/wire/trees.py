"""RenderTree: the nodes of `render.tree` as messages, and back.

Readers of protobuf refuse what nests deeper than a hundred messages, and a node takes two; a tree that
goes deeper than `DEEPEST` ends in the text of what is below. What a newer peer draws and this version
does not know becomes a text that says so.
"""

from __future__ import annotations

from collections.abc import Iterable

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
from store.wire.gen.pluggableharness.render.v1 import tree_pb2
from store.wire.structs import from_struct, to_struct

DEEPEST = 40  # levels of nodes below the root

_OPS = {
    DiffOp.CONTEXT: tree_pb2.DIFF_LINE_OP_CONTEXT,
    DiffOp.ADD: tree_pb2.DIFF_LINE_OP_ADD,
    DiffOp.REMOVE: tree_pb2.DIFF_LINE_OP_REMOVE,
}
_OP_WORDS = {number: word for word, number in _OPS.items()}
_STYLES = {style: tree_pb2.TextStyle.Value(f"TEXT_STYLE_{style.name}") for style in TextStyle}
_STYLE_WORDS = {number: style for style, number in _STYLES.items()}


def to_tree(root: Node) -> tree_pb2.RenderTree:
    """Return a tree as a message."""
    return tree_pb2.RenderTree(root=to_node(root))


def from_tree(message: tree_pb2.RenderTree) -> Node:
    """Return a message as a tree; one without a root is an empty group."""
    return from_node(message.root) if message.HasField("root") else Group(())


def to_node(node: Node, depth: int = 0) -> tree_pb2.RenderNode:
    """Return one node, its children included, as a message."""
    if depth > DEEPEST:
        return tree_pb2.RenderNode(text=tree_pb2.TextNode(content=_all_text(node)))
    match node:
        case Text(content, style):
            number = None if style is TextStyle.NORMAL else _STYLES[style]
            return tree_pb2.RenderNode(text=tree_pb2.TextNode(content=content, style=number))
        case CodeBlock(content, language):
            block = tree_pb2.CodeBlockNode(content=content, language=language)
            return tree_pb2.RenderNode(code_block=block)
        case Diff(hunks):
            diff = tree_pb2.DiffNode(hunks=[_to_hunk(hunk) for hunk in hunks])
            return tree_pb2.RenderNode(diff=diff)
        case Table(headers, rows):
            cells = [tree_pb2.TableRow(cells=row) for row in rows]
            return tree_pb2.RenderNode(table=tree_pb2.TableNode(headers=headers, rows=cells))
        case Link(text, url):
            return tree_pb2.RenderNode(link=tree_pb2.LinkNode(text=text, url=url))
        case SubSession(session_id, summary):
            pointer = tree_pb2.SubSessionNode(session_id=session_id, summary=summary)
            return tree_pb2.RenderNode(sub_session=pointer)
        case Action():
            return tree_pb2.RenderNode(action=_to_action(node))
        case List() | Group() | Collapsible():
            return _to_branch(node, depth)


def _to_branch(node: List | Group | Collapsible, depth: int) -> tree_pb2.RenderNode:
    match node:
        case List(items, ordered):
            inner = [to_node(item, depth + 1) for item in items]
            return tree_pb2.RenderNode(list=tree_pb2.ListNode(items=inner, ordered=ordered))
        case Group(children):
            inner = [to_node(child, depth + 1) for child in children]
            return tree_pb2.RenderNode(group=tree_pb2.GroupNode(children=inner))
        case Collapsible(summary, children, collapsed):
            fold = tree_pb2.CollapsibleNode(
                summary=summary,
                children=[to_node(child, depth + 1) for child in children],
                collapsed_by_default=collapsed,
            )
            return tree_pb2.RenderNode(collapsible=fold)


def _to_hunk(hunk: DiffHunk) -> tree_pb2.DiffHunk:
    return tree_pb2.DiffHunk(
        old_start=hunk.old_start,
        old_lines=hunk.old_lines,
        new_start=hunk.new_start,
        new_lines=hunk.new_lines,
        lines=[tree_pb2.DiffLine(op=_OPS[line.op], text=line.text) for line in hunk.lines],
    )


def _to_action(action: Action) -> tree_pb2.ActionNode:
    return tree_pb2.ActionNode(
        id=action.id,
        label=action.label,
        tool_name=action.tool_name,
        args=to_struct(action.args),
        provider=action.provider,
    )


def from_node(message: tree_pb2.RenderNode) -> Node:
    """Return a message as a node, its children included."""
    match message.WhichOneof("node"):
        case "text":
            style = _STYLE_WORDS.get(message.text.style, TextStyle.NORMAL)
            return Text(message.text.content, style)
        case "code_block":
            block = message.code_block
            return CodeBlock(block.content, block.language if block.HasField("language") else None)
        case "diff":
            return Diff(tuple(_from_hunk(hunk) for hunk in message.diff.hunks))
        case "table":
            rows = tuple(tuple(row.cells) for row in message.table.rows)
            return Table(tuple(message.table.headers), rows)
        case "link":
            return Link(message.link.text, message.link.url)
        case "list":
            return List(_from_nodes(message.list.items), message.list.ordered)
        case "group":
            return Group(_from_nodes(message.group.children))
        case "collapsible":
            fold = message.collapsible
            return Collapsible(fold.summary, _from_nodes(fold.children), fold.collapsed_by_default)
        case "sub_session":
            return SubSession(message.sub_session.session_id, message.sub_session.summary)
        case "action":
            it = message.action
            return Action(it.id, it.label, it.tool_name, from_struct(it.args), it.provider)
        case _:
            return Text("(a part that this version cannot draw)", TextStyle.DIM)


def _from_nodes(messages: Iterable[tree_pb2.RenderNode]) -> tuple[Node, ...]:
    return tuple(from_node(message) for message in messages)


def _from_hunk(hunk: tree_pb2.DiffHunk) -> DiffHunk:
    lines = (DiffLine(_OP_WORDS.get(line.op, DiffOp.CONTEXT), line.text) for line in hunk.lines)
    return DiffHunk(hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines, tuple(lines))


def _all_text(node: Node) -> str:
    """Return the text of a subtree, walked without recursion: it may be as deep as it likes."""
    found: list[str] = []
    waiting: list[Node] = [node]
    while waiting:
        match waiting.pop():
            case Text(content) | CodeBlock(content):
                found.append(content)
            case Link(text) | Action(label=text) | SubSession(summary=text):
                found.append(text)
            case List(children) | Group(children):
                waiting.extend(reversed(children))
            case Collapsible(summary, children):
                found.append(summary)
                waiting.extend(reversed(children))
            case Table(headers, rows):
                found.extend(cell for row in (headers, *rows) for cell in row)
            case Diff(hunks):
                found.extend(line.text for hunk in hunks for line in hunk.lines)
    return " ".join(text for text in found if text)
