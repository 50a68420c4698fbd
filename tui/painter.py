"""From a RenderTree to lines of a given width: the one painter of everything that is shown of a record.

The lines are Textual strips. What can be acted on inside them, links and folds, are *stops*: their
spans carry ``{"stop": n}`` as style meta, so that a click finds them however they were wrapped.
Text of a tree is never markup and only gets here through `render.visible`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from render.links import is_record, leads_out
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
    is_inline,
)
from render.visible import Visible, cell_width, visible
from tui.painting.diffs import diff_lines
from tui.painting.lighting import STOP
from tui.painting.palette import OF_TEXT, Palette, Part
from tui.painting.runs import Line, Run, blanks, runs_of, wrap
from tui.painting.tables import table_lines

NARROWEST = 8
"""Cells of a line below which nothing is indented and no width is asked for."""


# How `render.markdown` writes what the tree has no nodes for.
_RULE = re.compile(r"─{3,}")
_QUOTE = "> "


class StopKind(StrEnum):
    """What entering a stop does."""

    LINK = "link"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Stop:
    """A place in the painted lines that can be entered.

    Args:
        target: the URL of a link, the path of a fold.
        text: what is painted, for tooltips and the like.
        first, last: its lines, from 0.
    """

    kind: StopKind
    target: str
    text: Visible
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Painted:
    """Lines as wide as asked for, and their stops in reading order."""

    lines: tuple[Strip, ...]
    stops: tuple[Stop, ...]
    width: int


def paint(
    node: Node, width: int, palette: Palette, toggled: Collection[str] = frozenset()
) -> Painted:
    """Paint a tree.

    Args:
        width: of every line, in cells; taken as `NARROWEST` when less.
        palette: a style for each part.
        toggled: paths of the folds that are not as their default says.
    """
    width = max(NARROWEST, width)
    painter = _Painter(palette, toggled)
    lines = painter.block(node, width, "0")
    stops = list(painter.stops)
    strips = []
    for number, line in enumerate(lines):
        strips.append(_strip(line.padded(width, palette[Part.TEXT])))
        for index in {run.style.meta[STOP] for run in line.runs if STOP in run.style.meta}:
            stop = stops[index]
            first = number if stop.first < 0 else stop.first
            stops[index] = Stop(stop.kind, stop.target, stop.text, first, number)
    return Painted(tuple(strips), tuple(stops), width)


def _strip(line: Line) -> Strip:
    return Strip([Segment(run.text, run.style) for run in line.runs], line.width)


def _is_rule(node: Node) -> bool:
    match node:
        case Group((Text(content),)):
            return _RULE.fullmatch(content) is not None
    return False


class _Painter:
    """Paints blocks one by one, collecting their stops."""

    def __init__(self, palette: Palette, toggled: Collection[str]) -> None:
        self.palette = palette
        self.toggled = toggled
        self.stops: list[Stop] = []

    def block(self, node: Node, width: int, path: str) -> list[Line]:
        """Paint one node as a block of lines; ``path`` is its place in the tree."""
        if is_inline(node):
            return self.paragraph(node, width)
        match node:
            case Group(children):
                return self.stack(children, width, path)
            case CodeBlock(content, language):
                return self.code(content, language, width)
            case Diff():
                return diff_lines(node, width, self.palette)
            case Table():
                return table_lines(node, width, self.palette)
            case List(items, ordered):
                return self.items(items, ordered, width, path)
            case Collapsible():
                return self.fold(node, width, path)
            case SubSession(session, summary):
                return self.note(f"session {session}: {summary}", Part.DIM, width)
            case Action(label=label):
                return self.note(f"[ {label} ]", Part.ACTION, width)
            case _:
                # A newer host may send kinds that this version does not know.
                return self.note(str(node), Part.DIM, width)

    def stack(self, children: Sequence[Node], width: int, path: str) -> list[Line]:
        """Paint blocks below each other with an empty line, or a rule, between."""
        lines: list[Line] = []
        parted = True
        for index, child in enumerate(children):
            is_rule = _is_rule(child)
            # A list of terms stands close to the line that names it.
            is_terms = isinstance(child, Table) and not child.headers
            if not (parted or is_rule or is_terms):
                lines.append(Line())
            lines += self.block(child, width, f"{path}.{index}")
            parted = is_rule
        return lines

    def paragraph(self, node: Node, width: int) -> list[Line]:
        """Paint inline content; a line end in its text is a line end here."""
        lines: list[Line] = []
        for runs in self.lines_of(node):
            if len(runs) == 1 and _RULE.fullmatch(runs[0].text):
                lines.append(Line([Run(visible("─" * width), self.palette[Part.LINE])], width))
            elif runs and runs[0].text == _QUOTE:
                edge = Run(visible("▎ "), self.palette[Part.BULLET])
                lines += [line.after(edge) for line in wrap(runs[1:], width - 2)]
            else:
                lines += wrap(runs, width)
        return lines

    def lines_of(self, node: Node) -> Iterator[list[Run]]:
        """Split inline content into its own lines, before any wrapping."""
        line: list[Run] = []
        for text, style in self.inline(node):
            first, *others = text.split("\n")
            line += self.runs(first, style)
            for other in others:
                yield line
                line = self.runs(other, style)
        yield line

    def inline(self, node: Node) -> Iterator[tuple[str, Style]]:
        """Return inline content as texts and their styles."""
        match node:
            case Text(content, style):
                yield content, self.palette[OF_TEXT.get(style, Part.TEXT)]
            case Link():
                yield from self.link(node)
            case Group(children):
                for child in children:
                    yield from self.inline(child)

    def link(self, link: Link) -> Iterable[tuple[str, Style]]:
        """Paint a link that can be followed as a stop, any other as its text and its target."""
        url = link.url.strip()
        text = link.text if link.text.strip() else url
        outside = leads_out(url)
        if not outside and not is_record(url):
            dim = self.palette[Part.DIM]
            return [(text, self.palette[Part.TEXT])] + ([(f" ({url})", dim)] if url != text else [])
        style = self.stop(StopKind.LINK, url, text, Part.LINK)
        return [(f"{text}↗" if outside else text, style)]

    def stop(self, kind: StopKind, target: str, text: str, part: Part) -> Style:
        """Enter a stop into the list; returns the style that marks its spans."""
        meta = Style.from_meta({STOP: len(self.stops)})
        self.stops.append(Stop(kind, target, visible(text.replace("\n", " ")), -1, -1))
        return self.palette[part] + meta

    def runs(self, text: str, style: Style, tab: int = 0) -> list[Run]:
        """Make one line of text safe to paint; inside a stop its marks belong to the stop."""
        marked = self.palette[Part.MARK]
        if STOP in style.meta:
            marked += Style.from_meta(style.meta)
        return runs_of(text, style, marked, tab)

    def note(self, text: str, part: Part, width: int) -> list[Line]:
        """Paint one piece of text in one style."""
        style = self.palette[part]
        lines = (wrap(self.runs(line, style), width) for line in text.split("\n"))
        return list(chain.from_iterable(lines))

    def code(self, content: str, language: str | None, width: int) -> list[Line]:
        """Paint preformatted lines on their own background, wrapped only where they must be."""
        style, label = self.palette[Part.BLOCK], self.palette[Part.BLOCK_LABEL]
        room = width - 2
        lines: list[Line] = []
        for text in content.removesuffix("\n").split("\n"):
            for place, line in enumerate(wrap(self.runs(text, style, tab=4), room)):
                edge = Run(visible("┊ " if place else "│ "), label)
                lines.append(line.after(edge))
        if language:
            name = Run(visible(language.replace("\n", " ")), label)
            free = width - cell_width(name.text)
            if lines[0].width < free:
                lines[0] = lines[0].padded(free, style)
                lines[0].add(name)
            else:
                lines[:0] = wrap([name], width)
        return [line.padded(width, style) for line in lines]

    def items(self, items: Sequence[Node], ordered: bool, width: int, path: str) -> list[Line]:
        """Paint items behind bullets or numbers, their other lines indented as far."""
        digits = len(str(len(items)))
        bullet = self.palette[Part.BULLET]
        lines: list[Line] = []
        for index, item in enumerate(items):
            mark = Run(visible(f"{index + 1:>{digits}}. " if ordered else "• "), bullet)
            indent = len(mark.text)
            if width - indent < NARROWEST:
                # Deep in a nest there is no room left to indent: the mark has a line of its own.
                lines += [*wrap([mark], width), *self.item(item, width, f"{path}.{index}")]
                continue
            for line in self.item(item, width - indent, f"{path}.{index}"):
                lines.append(line.after(mark))
                mark = blanks(indent, bullet)
        return lines

    def item(self, node: Node, width: int, path: str) -> list[Line]:
        """Paint a list item: its blocks stand close together."""
        if is_inline(node) or not isinstance(node, Group):
            return self.block(node, width, path)
        parts = (self.block(n, width, f"{path}.{i}") for i, n in enumerate(node.children))
        return list(chain.from_iterable(parts))

    def fold(self, node: Collapsible, width: int, path: str) -> list[Line]:
        """Paint a summary that is a stop, and below it what it folds away when it is open."""
        is_open = node.collapsed_by_default == (path in self.toggled)
        summary = f"{'▾' if is_open else '▸'} {node.summary}".replace("\n", " ")
        style = self.stop(StopKind.FOLD, path, node.summary, Part.FOLD)
        lines = wrap(self.runs(summary, style), width)
        if is_open:
            indent = blanks(2 if width - 2 >= NARROWEST else 0, self.palette[Part.TEXT])
            inner = self.stack(node.children, width - len(indent.text), path)
            lines += [line.after(indent) for line in inner]
        return lines
