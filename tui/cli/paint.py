"""A tree in the terminal's own sixteen colours, with everything unfolded: there is no key to unfold it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rich.segment import Segment, Segments
from rich.style import Style

from render.tree import Collapsible, Group, List, Node
from tui.painter import paint as paint_lines
from tui.painting.palette import NO_STYLE, Palette, Part

_LOOKS = {
    Part.BOLD: "bold",
    Part.ITALIC: "italic",
    Part.CODE: "cyan",
    Part.DIM: "dim",
    Part.ERROR: "red",
    Part.WARNING: "yellow",
    Part.SUCCESS: "green",
    Part.LINK: "blue underline",
    Part.LINE: "dim",
    Part.BULLET: "dim",
    Part.FOLD: "bold",
    Part.ACTION: "dim",
    Part.TABLE_HEADER: "bold",
    Part.BLOCK_LABEL: "dim",
    Part.HUNK: "cyan",
    Part.SAME: "dim",
    Part.ADD: "green",
    Part.ADD_WORD: "green bold reverse",
    Part.REMOVE: "red",
    Part.REMOVE_WORD: "red bold reverse",
    Part.MARK: "yellow reverse",
}
PALETTE: Palette = {**NO_STYLE, **{part: Style.parse(look) for part, look in _LOOKS.items()}}


def paint(node: Node, width: int) -> Segments:
    """Return a tree as lines for a Rich console, without blanks at their ends."""
    return Segments(_segments(unfolded(node), width))


def unfolded(node: Node) -> Node:
    """Return a tree whose folds are all open."""
    match node:
        case Collapsible(children=children):
            opened = tuple(unfolded(child) for child in children)
            return replace(node, children=opened, collapsed_by_default=False)
        case Group(children):
            return Group(tuple(unfolded(child) for child in children))
        case List(items, ordered):
            return List(tuple(unfolded(item) for item in items), ordered)
        case _:
            return node


def _segments(node: Node, width: int) -> Iterator[Segment]:
    for strip in paint_lines(node, width, PALETTE).lines:
        *segments, last = strip
        yield from segments
        style = last.style or Style.null()
        shows_blanks = style.underline or style.reverse or style.bgcolor
        yield last if shows_blanks else Segment(last.text.rstrip(" "), style)
        yield Segment.line()
