"""Tables fitted to a width: columns give way, cells wrap, and what cannot fit becomes a list."""

from __future__ import annotations

import regex
from rich.style import Style

from render.tree import Table
from render.visible import cell_width, visible
from tui.painting.palette import Palette, Part
from tui.painting.runs import Line, Run, blanks, runs_of, wrap

_GAP = 2  # cells between columns
_NARROWEST = 4  # cells of a column, below which a table is read more easily as a list
_NUMBER = regex.compile(r"[-+±~≈<>]?[\d.,  ]+\s?\p{L}{0,3}\s?[%‰]?")


def table_lines(table: Table, width: int, palette: Palette) -> list[Line]:
    """Lay a table out in at most ``width`` cells."""
    columns = max([len(table.headers), *(len(row) for row in table.rows)], default=0)
    if columns == 0:
        return []
    body = [_row(cells, columns) for cells in table.rows]
    head = _row(table.headers, columns) if table.headers else None
    rows = body if head is None else [head, *body]
    natural = [_natural(column) for column in zip(*rows, strict=True)]
    room = width - _GAP * (columns - 1)
    if sum(natural) > room and room // columns < _NARROWEST:
        return _as_list(head or [""] * columns, body, width, palette)
    widths = _fit(natural, room)
    right = [_is_numeric(column) for column in zip(*body, strict=True)] or [False] * columns
    lines: list[Line] = []
    if head is not None:
        styles = [palette[Part.TABLE_HEADER]] * columns
        lines += [*_row_lines(head, widths, right, styles, palette), _rule(widths, palette)]
    # Without headers it is a list of terms: the first column stands out.
    first = palette[Part.TEXT] if table.headers else palette[Part.TERM]
    styles = [first, *[palette[Part.TEXT]] * (columns - 1)]
    for row in body:
        lines += _row_lines(row, widths, right, styles, palette)
    return lines


def _rule(widths: list[int], palette: Palette) -> Line:
    line = Line()
    for index, cells in enumerate(widths):
        if index:
            line.add(blanks(_GAP, palette[Part.TEXT]))
        line.add(Run(visible("─" * cells), palette[Part.LINE]))
    return line


def _row(cells: tuple[str, ...], columns: int) -> list[str]:
    return [*cells, *[""] * (columns - len(cells))]


def _natural(column: tuple[str, ...]) -> int:
    return max(1, *(cell_width(visible(cell)) for cell in column))


def _fit(natural: list[int], room: int) -> list[int]:
    """Share ``room`` out: columns that need less than an even share keep all they need."""
    widths = [0] * len(natural)
    open_columns = set(range(len(natural)))
    while open_columns:
        share = room // len(open_columns)
        content = {index for index in open_columns if natural[index] <= share}
        if not content:
            for place, index in enumerate(sorted(open_columns)):
                widths[index] = share + (place < room % len(open_columns))
            break
        for index in content:
            widths[index] = natural[index]
            room -= natural[index]
        open_columns -= content
    return widths


def _is_numeric(column: tuple[str, ...]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and all(_NUMBER.fullmatch(cell) for cell in filled)


def _row_lines(
    row: list[str], widths: list[int], right: list[bool], styles: list[Style], palette: Palette
) -> list[Line]:
    marked = palette[Part.MARK]
    cells = [
        wrap(runs_of(cell, style, marked), room)
        for cell, style, room in zip(row, styles, widths, strict=True)
    ]
    lines = []
    for index in range(max(len(cell) for cell in cells)):
        line = Line()
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            if column:
                line.add(blanks(_GAP, palette[Part.TEXT]))
            part = cell[index] if index < len(cell) else Line()
            pad = blanks(max(0, width - part.width), palette[Part.TEXT])
            for run in (pad, *part.runs) if right[column] else (*part.runs, pad):
                line.add(run)
        lines.append(line)
    return lines


def _as_list(head: list[str], body: list[list[str]], width: int, palette: Palette) -> list[Line]:
    """Show each row as "header: cell" lines, with an empty line between rows."""
    marked = palette[Part.MARK]
    lines: list[Line] = []
    for row in body or [[""] * len(head)]:
        if lines:
            lines.append(Line())
        for name, cell in zip(head, row, strict=True):
            label = runs_of(f"{name}: " if name else "", palette[Part.TABLE_HEADER], marked)
            lines += wrap([*label, *runs_of(cell, palette[Part.TEXT], marked)], width)
    return lines
