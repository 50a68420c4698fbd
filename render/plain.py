"""Tree to plain text: for pipes, screen readers and golden tests.

What a painter says by style is said by characters: ``▸`` before a link to a record, ``<…>`` around any
other target, backticks around code, fences around code blocks, ``+`` and ``-`` before changed lines. A fold
is open. Lines break at blanks, and inside a word only where it is wider than the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from urllib.parse import unquote

from render.links import MEMORY, is_record
from render.paragraph import one_line
from render.tree import (
    Action,
    CodeBlock,
    Collapsible,
    Diff,
    DiffOp,
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
from render.visible import Visible, cell_width, graphemes, join, pad, visible

_SIGNS = {DiffOp.CONTEXT: " ", DiffOp.ADD: "+", DiffOp.REMOVE: "-"}
_NARROWEST = 8  # cells below which nothing is indented further
_COLUMN_GAP = visible(" | ")


def plain(node: Node, width: int = 80) -> Visible:
    """Return a tree as lines of text, safe to print.

    Args:
        node: any tree.
        width: in cells, to wrap lines at; at least 8 is taken.
    """
    return join(_block(node, max(width, _NARROWEST)), visible("\n", newlines=True))


def wrap(text: Visible, width: int) -> list[Visible]:
    """Break one line into lines of at most ``width`` cells; blanks at a break are dropped.

    A grapheme wider than the line has a line of its own.
    """
    if cell_width(text) <= width:
        return [text]
    lines: list[Visible] = []
    line, used = Visible(), 0
    for word in _words(text):
        cells = cell_width(word)
        if used + cells <= width:
            line, used = line + word, used + cells
            continue
        if line.strip(" "):
            lines.append(_trimmed(line))
            word = word if word.strip(" ") else Visible()
            line, used = Visible(), 0
        *full, line = _cut(line + word, width)
        lines += full
        used = cell_width(line)
    return [*lines, _trimmed(line)] if line.strip(" ") or not lines else lines


def _words(text: Visible) -> Iterator[Visible]:
    """Yield words and the blanks between them, in turn."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or (text[at] == " ") != (text[start] == " "):
            yield text[start:at]
            start = at


def _cut(word: Visible, width: int) -> list[Visible]:
    """Cut a word into pieces of at most ``width`` cells between graphemes; at least one piece."""
    pieces: list[list[Visible]] = [[]]
    room = width
    for cluster in graphemes(word):
        cells = cell_width(cluster)
        if cells > room and pieces[-1]:
            pieces.append([])
            room = width
        pieces[-1].append(cluster)
        room -= cells
    return [join(piece) for piece in pieces]


def _trimmed(line: Visible) -> Visible:
    return line[: len(line.rstrip(" "))]


def _block(node: Node, width: int) -> list[Visible]:
    """Return the lines of one block."""
    if is_inline(node):
        return _wrapped(_inline(node), width)
    match node:
        case Group(children):
            return _stack(children, width)
        case CodeBlock(content, language):
            lines = visible(content, newlines=True, tab=4).split("\n")
            fence = visible("```")
            code = chain.from_iterable(wrap(Visible(line), width) for line in lines)
            return [*wrap(fence + visible(language or ""), width), *code, fence]
        case Diff():
            return list(_diff(node, width))
        case Table(headers, rows):
            return _table([headers, *rows], width)
        case List(items, ordered):
            return list(_items(items, ordered, width))
        case Collapsible(summary, children):
            inner = _behind(visible("  "), _stack(children, max(_NARROWEST, width - 2)))
            return [*_wrapped(_said("▾ ", summary), width), *inner]
        case SubSession(session, summary):
            return _wrapped(_said("session ", session, ": ", summary), width)
        case Action(label=label):
            return _wrapped(_said("[ ", label, " ]"), width)
        case _:  # a node kind of a later version: all that it says
            return wrap(visible(str(node)), width)


def _stack(children: Iterable[Node], width: int) -> list[Visible]:
    """Return blocks below each other, an empty line between two."""
    lines: list[Visible] = []
    for child in children:
        lines += [Visible()] * bool(lines)
        lines += _block(child, width)
    return lines


def _inline(node: Node) -> Visible:
    match node:
        case Text(content, TextStyle.CODE):
            return _said("`", content, "`")
        case Text(content):
            return _said(content)
        case Link(text, url) if is_record(url):
            id = unquote(url.removeprefix(MEMORY), errors="surrogateescape")
            return _link("▸", id) if text in (id, "") else _link("▸", text, " (", id, ")")
        case Link(text, url):
            return _link("<", url, ">") if text in (url, "") else _link(text, " <", url, ">")
        case Group(children):
            return join(map(_inline, children))
    return Visible()


def _said(*parts: str) -> Visible:
    """Return texts made visible one by one, so that none can reach into the one before it."""
    return join(visible(part, newlines=True) for part in parts)


def _link(*parts: str) -> Visible:
    return _said(*map(one_line, parts))


def _wrapped(text: Visible, width: int) -> list[Visible]:
    return list(chain.from_iterable(wrap(Visible(line), width) for line in text.split("\n")))


def _behind(
    first: Visible, lines: Iterable[Visible], others: Visible | None = None
) -> Iterator[Visible]:
    """Yield lines behind a mark: the first behind ``first``, the others behind ``others``, else the same."""
    mark = first
    for line in lines:
        yield mark + line if line else _trimmed(mark)
        mark = first if others is None else others


def _items(items: Sequence[Node], ordered: bool, width: int) -> Iterator[Visible]:
    for number, item in enumerate(items, 1):
        mark = visible(f"{number}. " if ordered else "- ")
        room = max(_NARROWEST, width - len(mark))
        is_stack = isinstance(item, Group) and not is_inline(item)
        parts = item.children if isinstance(item, Group) and is_stack else (item,)
        lines = chain.from_iterable(_block(part, room) for part in parts)
        yield from _behind(mark, lines, visible(" " * len(mark)))


def _diff(diff: Diff, width: int) -> Iterator[Visible]:
    for hunk in diff.hunks:
        old, new = f"-{hunk.old_start},{hunk.old_lines}", f"+{hunk.new_start},{hunk.new_lines}"
        yield from wrap(visible(f"@@ {old} {new} @@"), width)
        for line in hunk.lines:
            sign = visible(_SIGNS[line.op])
            # A line that goes on must not look like a line of its own.
            yield from _behind(sign, wrap(visible(line.text, tab=4), width - 1), visible("…"))


def _table(rows: Sequence[Sequence[str]], width: int) -> list[Visible]:
    """Return rows in columns, or one cell a line behind its header where columns do not fit."""
    count = max(map(len, rows))
    if count == 0:
        return [Visible()]
    cells = [[visible(cell) for cell in row] + [Visible()] * (count - len(row)) for row in rows]
    widths = [max(map(cell_width, column)) for column in zip(*cells, strict=True)]
    if sum(widths) + len(_COLUMN_GAP) * (count - 1) > width:
        return list(_records(cells, width))
    rule = join([visible("-" * max(1, cells)) for cells in widths], visible("-|-"))
    lines = [
        _trimmed(
            join([pad(cell, room) for cell, room in zip(row, widths, strict=True)], _COLUMN_GAP)
        )
        for row in cells
    ]
    return [*lines[:1], rule, *lines[1:]]


def _records(rows: Sequence[Sequence[Visible]], width: int) -> Iterator[Visible]:
    header, *body = rows
    if not body:
        yield from chain.from_iterable(wrap(cell, width) for cell in header)
    for number, row in enumerate(body):
        if number:
            yield Visible()
        for name, cell in zip(header, row, strict=True):
            yield from map(_trimmed, wrap(join([name, cell], visible(": ")), width))
