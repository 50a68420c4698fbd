"""Inline content as lines: which line ends are only wrapping, and what a quote makes of blocks.

The tree has no quote: its lines become one paragraph, each behind ``> ``, its links still links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from render.tree import CodeBlock, Group, Link, List, Node, Table, Text, TextStyle

Inline: TypeAlias = Text | Link

SOFT_BREAK = Text("\n")
"""The line end of a source line. Only this very object is one; a line end that must stay is any other."""

_NARROWEST, _WIDEST = 40, 100  # columns at which people and agents wrap prose
_QUOTE = Text("> ", TextStyle.DIM)


def reflow(nodes: Sequence[Inline]) -> list[Inline]:
    """Return inline content with each soft break as a blank if it is wrapping, else as a line end.

    A break is wrapping where the next word would not have fitted into the longest line. Short lines,
    very long lines, and lines that start with a bold label or a mark are lines on purpose.
    """
    lines = _split([node for node in nodes if node != Text("")], SOFT_BREAK)
    texts = ["".join(map(text_of, line)) for line in lines]
    longest = max(map(len, texts))
    kept: list[Inline] = list(lines[0])
    for before, text, line in zip(texts, texts[1:], lines[1:], strict=False):
        word = text.partition(" ")[0]
        wrapped = (
            _NARROWEST <= longest <= _WIDEST
            and len(before.rpartition("\n")[2]) + 1 + len(word) > longest
            and not before.endswith(":")
            and (word[:1].isalnum() or word[:1] in "\"'(")
            and getattr(line[0], "style", None) is not TextStyle.BOLD
        )
        kept += [Text(" " if wrapped else "\n"), *line]
    return kept


def one_line(text: str) -> str:
    """Return a text with its line feeds as the picture that stands for one."""
    return text.replace("\n", "␊")


def split_lines(nodes: Iterable[Inline]) -> list[list[Inline]]:
    """Return the lines of inline content; at least one, perhaps empty."""
    lines: list[list[Inline]] = [[]]
    for node in nodes:
        if isinstance(node, Link):
            lines[-1].append(node)
            continue
        first, *others = node.content.split("\n")
        lines[-1].append(Text(first, node.style))
        lines += [[Text(other, node.style)] for other in others]
    return lines


def merged(nodes: Iterable[Inline]) -> Iterator[Inline]:
    """Join texts of one style that stand beside each other, and drop empty ones."""
    last: Inline | None = None
    for node in nodes:
        match last, node:
            case _, Text(""):
                continue
            case Text(before, style), Text(content, other) if style is other:
                last = Text(before + content, style)
            case _:
                if last is not None:
                    yield last
                last = node
    if last is not None:
        yield last


def quoted(blocks: Iterable[Node]) -> Group:
    """Return blocks as the lines of a quote, an empty line between two blocks."""
    lines: list[list[Inline]] = []
    for block in blocks:
        if lines:
            lines.append([])
        lines += _flat(block)
    marked = ([Text("\n" if at else ""), _QUOTE, *line] for at, line in enumerate(lines))
    return Group(tuple(merged(chain.from_iterable(marked))))


def _flat(node: Node) -> list[list[Inline]]:
    """Return a block as lines of inline content."""
    match node:
        case Text() | Link():
            return split_lines([node])
        case Group(children) if all(isinstance(child, Text | Link) for child in children):
            return split_lines(child for child in children if isinstance(child, Text | Link))
        case Group(children):
            return list(chain.from_iterable(map(_flat, children)))
        case List(items, ordered):
            return list(
                chain.from_iterable(
                    _item(item, f"{number}. " if ordered else "- ")
                    for number, item in enumerate(items, 1)
                )
            )
        case CodeBlock(content):
            return [[Text(line, TextStyle.CODE)] for line in content.split("\n")]
        case Table(headers, rows):
            return [[Text(" | ".join(row))] for row in (headers, *rows)]
    return [[Text(str(node))]]


def _item(item: Node, mark: str) -> list[list[Inline]]:
    first, *others = _flat(item) or [[]]
    indent = Text(" " * len(mark))
    return [[Text(mark), *first], *([indent, *line] for line in others)]


def _split(nodes: Sequence[Inline], mark: Inline) -> list[list[Inline]]:
    lines: list[list[Inline]] = [[]]
    for node in nodes:
        if node is mark:
            lines.append([])
        else:
            lines[-1].append(node)
    return lines


def text_of(node: Inline) -> str:
    """Return what a node reads."""
    return node.content if isinstance(node, Text) else node.text
