"""A screen as a small SVG: cells, colours and nothing else, so that many of them can be kept and compared.

Textual's own export measures fonts and draws a window; a screen of it takes ten times as much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

CELL, LINE = 8, 17  # pixels

Run: TypeAlias = tuple[int, Segment]
"""The cell that a run begins in, and the run."""


def lean_svg(strips: list[Strip]) -> str:
    """Return the lines of a screen as an SVG; runs of one style share a class."""
    lines = [list(_runs(strip)) for strip in strips]
    grounds: Counter[str] = Counter()
    for line in lines:
        for _, run in line:
            grounds[_colours(run)[1]] += run.cell_length
    base = grounds.most_common(1)[0][0] if grounds else ""
    classes: dict[str, str] = {}
    body = [
        drawn
        for row, line in enumerate(lines)
        for drawn in (*_grounds(row, line, base, classes), *_texts(row, line, classes))
    ]
    width, height = max((strip.cell_length for strip in strips), default=0), len(strips)
    styles = "".join(f".{name}{{{rule}}}" for rule, name in classes.items())
    fonts = "text{font:13px monospace;white-space:pre}"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * CELL} {height * LINE}">',
            f"<style>svg{{background:{base}}}{fonts}{styles}</style>",
            *body,
            "</svg>",
            "",
        )
    )


def _runs(strip: Strip) -> Iterator[Run]:
    """Yield runs of one style with the cell that each begins in."""
    column = 0
    for run in Segment.simplify(_plain(strip)):
        yield column, run
        column += run.cell_length


def _plain(strip: Strip) -> Iterator[Segment]:
    """Yield segments whose styles differ in looks alone, so that more of them can be joined."""
    for run in strip:
        style = run.style or Style.null()
        looks = Style(
            color=style.color,
            bgcolor=style.bgcolor,
            bold=bool(style.bold),
            italic=bool(style.italic),
            underline=bool(style.underline),
            strike=bool(style.strike),
            reverse=bool(style.reverse),
        )
        yield Segment(run.text, looks)


def _grounds(row: int, line: list[Run], base: str, classes: dict[str, str]) -> Iterator[str]:
    """Yield what is behind the text, where it is not what is behind most of it."""
    for ground, runs in groupby(line, key=lambda each: _colours(each[1])[1]):
        if ground == base:
            continue
        behind = list(runs)
        x, cells = behind[0][0] * CELL, sum(run.cell_length for _, run in behind)
        name = _class(f"fill:{ground}", classes)
        yield f'<rect class="{name}" x="{x}" y="{row * LINE}" width="{cells * CELL}" height="{LINE}"/>'


def _texts(row: int, line: list[Run], classes: dict[str, str]) -> Iterator[str]:
    for column, run in line:
        text = run.text.strip()
        if not text:
            continue
        indent = cell_len(run.text) - cell_len(run.text.lstrip())
        x, y = (column + indent) * CELL, row * LINE + 13
        name = _class("".join((f"fill:{_colours(run)[0]}", *_attributes(run))), classes)
        # Only what is not ASCII may be wider than its cells in somebody's font.
        long = "" if text.isascii() else f' textLength="{cell_len(text) * CELL}"'
        yield f'<text class="{name}" x="{x}" y="{y}"{long}>{escape(text, quote=False)}</text>'


def _colours(run: Segment) -> tuple[str, str]:
    """Return the colours of a run and of what is behind it."""
    style = run.style or Style.null()
    front, ground = (
        each.triplet.hex if each is not None and each.triplet is not None else "none"
        for each in (style.color, style.bgcolor)
    )
    return (ground, front) if style.reverse else (front, ground)


def _attributes(run: Segment) -> Iterator[str]:
    style = run.style or Style.null()
    if style.bold:
        yield ";font-weight:bold"
    if style.italic:
        yield ";font-style:italic"
    if style.underline or style.strike:
        lines = ("underline", style.underline), ("line-through", style.strike)
        yield ";text-decoration:" + " ".join(name for name, there in lines if there)


def _class(rule: str, classes: dict[str, str]) -> str:
    return classes.setdefault(rule, f"c{len(classes)}")
