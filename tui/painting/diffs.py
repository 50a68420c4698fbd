"""Diffs as lines: a sign and a line number before each, the words that changed picked out inside.

Removed and added lines that stand opposite each other and are much alike are compared word by word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from render.tree import Diff, DiffHunk, DiffLine, DiffOp
from render.visible import CLUSTER, visible
from tui.painting.palette import Palette, Part
from tui.painting.runs import Line, Run, runs_of, wrap

_TOKENS = regex.compile(rf"\w[\w\p{{M}}]*|\s+|{CLUSTER}")
_ALIKE = 0.4  # less than this share in common: two different lines, not one that changed
_LONGEST = 2_000  # tokens of a line that are compared: more would be felt
_SIGNS = {DiffOp.CONTEXT: " ", DiffOp.ADD: "+", DiffOp.REMOVE: "-"}
_WHOLE = {DiffOp.CONTEXT: Part.SAME, DiffOp.ADD: Part.ADD, DiffOp.REMOVE: Part.REMOVE}
_WORD = {DiffOp.CONTEXT: Part.SAME, DiffOp.ADD: Part.ADD_WORD, DiffOp.REMOVE: Part.REMOVE_WORD}


def diff_lines(diff: Diff, width: int, palette: Palette) -> list[Line]:
    """Lay a diff out; changed lines fill the whole width with their background."""
    digits = len(str(max((h.new_start + h.new_lines for h in diff.hunks), default=0)))
    digits = digits if width >= 30 else 0
    lines: list[Line] = []
    for hunk in diff.hunks:
        title = f"lines {hunk.new_start}-{max(hunk.new_start, hunk.new_start + hunk.new_lines - 1)}"
        if len(diff.hunks) > 1 or hunk.new_start > 1:
            lines += wrap([Run(visible(f"┄ {title}"), palette[Part.HUNK])], width)
        lines += _hunk(hunk, digits, width, palette)
    return lines


def _hunk(hunk: DiffHunk, digits: int, width: int, palette: Palette) -> Iterator[Line]:
    number = hunk.new_start
    changed = _changed_words(hunk.lines)
    for index, line in enumerate(hunk.lines):
        whole, word = palette[_WHOLE[line.op]], palette[_WORD[line.op]]
        shown = "" if line.op is DiffOp.REMOVE else str(number)
        number += line.op is not DiffOp.REMOVE
        gutter = Run(visible(f"{shown:>{digits}} " if digits else ""), palette[Part.HUNK])
        sign = Run(visible(f"{_SIGNS[line.op]} "), whole)
        runs: list[Run] = []
        for text, new in changed.get(index, _same(line)):
            runs += runs_of(text, word if new else whole, palette[Part.MARK], tab=4)
        room = max(1, width - digits - bool(digits) - 2)
        for place, part in enumerate(wrap(runs, room)):
            if place:
                gutter = Run(visible(" " * len(gutter.text)), gutter.style)
                sign = Run(visible("  "), whole)
            yield part.padded(room, whole).after(gutter, sign)


def _same(line: DiffLine) -> list[tuple[str, bool]]:
    return [(line.text, False)]


def _changed_words(lines: Sequence[DiffLine]) -> dict[int, list[tuple[str, bool]]]:
    """Return, by index in the hunk, the pieces of lines with an opposite: text, and whether it changed."""
    from rapidfuzz.distance import Indel  # few cards have a diff, and it takes a while to import

    found: dict[int, list[tuple[str, bool]]] = {}
    for removed, added in _opposites(lines):
        old = _TOKENS.findall(lines[removed].text)
        new = _TOKENS.findall(lines[added].text)
        if max(len(old), len(new)) > _LONGEST:
            continue
        if Indel.normalized_similarity(old, new) < _ALIKE:
            continue
        codes = Indel.opcodes(old, new)
        found[removed] = _pieces(old, [(c.src_start, c.src_end, c.tag != "equal") for c in codes])
        found[added] = _pieces(new, [(c.dest_start, c.dest_end, c.tag != "equal") for c in codes])
    return found


def _pieces(tokens: list[str], spans: list[tuple[int, int, bool]]) -> list[tuple[str, bool]]:
    """Join tokens into pieces; blanks and signs between two changed words count as changed."""
    pieces: list[tuple[str, bool]] = []
    for start, end, new in spans:
        text = "".join(tokens[start:end])
        if text:
            pieces.append((text, new))
    for index in range(1, len(pieces) - 1):
        text, _ = pieces[index]
        if not any(map(str.isalnum, text)) and pieces[index - 1][1] and pieces[index + 1][1]:
            pieces[index] = (text, True)
    return pieces


def _opposites(lines: Sequence[DiffLine]) -> Iterator[tuple[int, int]]:
    """Pair the removed lines of a change with its added lines, in order."""
    index = 0
    while index < len(lines):
        removed = _stretch(lines, index, DiffOp.REMOVE)
        added = _stretch(lines, index + removed, DiffOp.ADD)
        yield from ((index + n, index + removed + n) for n in range(min(removed, added)))
        index += max(1, removed + added)


def _stretch(lines: Sequence[DiffLine], start: int, op: DiffOp) -> int:
    end = start
    while end < len(lines) and lines[end].op is op:
        end += 1
    return end - start
