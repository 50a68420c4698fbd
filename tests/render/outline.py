"""Trees written down, one node a line, for fixtures that people read."""

from __future__ import annotations

import json

from render.tree import (
    Action,
    CodeBlock,
    Collapsible,
    Diff,
    Group,
    Link,
    List,
    Node,
    SubSession,
    Table,
    Text,
    TextStyle,
    is_inline,
)


def outline(node: Node) -> str:
    """Return a tree as indented lines: ``p`` for inline content, ``-`` and ``1.`` for list items."""
    return "\n".join(_lines(node))


def _lines(node: Node) -> list[str]:
    if is_inline(node):
        children = node.children if isinstance(node, Group) else (node,)
        return ["p " + " ".join(_inline(child) for child in children)]
    match node:
        case Group(children):
            return ["stack", *_indented(children)]
        case List(items, ordered):
            return [f"list {'1.' if ordered else '-'}", *_indented(items)]
        case CodeBlock(content, language):
            return [f"code {language or '-'} {_quoted(content)}"]
        case Table(headers, rows):
            return ["table", *(f"  {' | '.join(map(_quoted, row))}" for row in (headers, *rows))]
        case Diff(hunks):
            return [
                "diff",
                *(f"  {line.op} {_quoted(line.text)}" for h in hunks for line in h.lines),
            ]
        case Collapsible(summary, children, closed):
            return [f"{'closed' if closed else 'open'} {_quoted(summary)}", *_indented(children)]
        case SubSession(session, summary):
            return [f"session {session} {_quoted(summary)}"]
        case Action(id, label, tool, args, provider):
            return [f"action {id} {_quoted(label)} {provider}.{tool} {json.dumps(args)}"]
    raise AssertionError(node)


def _indented(nodes: tuple[Node, ...]) -> list[str]:
    return ["  " + line for node in nodes for line in _lines(node)]


def _inline(node: Node) -> str:
    match node:
        case Text(content, TextStyle.NORMAL):
            return _quoted(content)
        case Text(content, style):
            return style.value + _quoted(content)
        case Link(text, url):
            return f"[{_quoted(text)} {url}]"
    raise AssertionError(node)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
