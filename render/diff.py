"""Two texts to a diff: unified hunks of the fewest changed lines.

Lines are compared by their longest common subsequence (bit-parallel, through rapidfuzz), which has no
inputs that make it slow within the bound below; beyond it, a changed middle is replaced as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from rapidfuzz.distance import Indel

from render.tree import Diff, DiffHunk, DiffLine, DiffOp

CONTEXT = 3
"""Lines of context around a change."""

_MOST = 50_000_000  # pairs of lines that are compared: some tenths of a second


def diff(old: str, new: str, context: int = CONTEXT) -> Diff:
    """Compare two texts line by line.

    Args:
        old: the text as it is.
        new: the text as it would be.
        context: unchanged lines to keep around each change.

    Returns:
        No hunks if and only if the texts are equal.
    """
    before, after = _lines(old), _lines(new)
    if old.endswith("\n") != new.endswith("\n") and old and new:
        # The last, empty line stands for the line end that one of them lacks.
        before += [""] * old.endswith("\n")
        after += [""] * new.endswith("\n")
    return Diff(tuple(_hunks(list(_edits(before, after)), context)))


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _edits(before: Sequence[str], after: Sequence[str]) -> Iterator[DiffLine]:
    """Yield every line of both texts in order, removed lines before the added ones of a change."""
    head = _same(before, after)
    middle = slice(head, len(before) - _same(before[head:][::-1], after[head:][::-1]))
    tail = len(before) - middle.stop
    old, new = before[middle], after[head : len(after) - tail]
    yield from _kept(before[:head])
    if len(old) * len(new) > _MOST:
        yield from _changed(old, new)
    else:
        yield from _compared(old, new)
    yield from _kept(before[middle.stop :])


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    removed: list[str] = []
    added: list[str] = []
    for code in Indel.opcodes(old, new):
        if code.tag == "equal":
            yield from _changed(removed, added)
            yield from _kept(old[code.src_start : code.src_end])
            removed, added = [], []
        else:
            removed += old[code.src_start : code.src_end]
            added += new[code.dest_start : code.dest_end]
    yield from _changed(removed, added)


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines that two sequences have in common from their start."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _kept(lines: Sequence[str]) -> Iterator[DiffLine]:
    return (DiffLine(DiffOp.CONTEXT, line) for line in lines)


def _changed(removed: Sequence[str], added: Sequence[str]) -> Iterator[DiffLine]:
    yield from (DiffLine(DiffOp.REMOVE, line) for line in removed)
    yield from (DiffLine(DiffOp.ADD, line) for line in added)


def _hunks(lines: Sequence[DiffLine], context: int) -> Iterator[DiffHunk]:
    old = new = 1
    done = 0
    for start, end in _ranges(lines, context):
        old += sum(line.op is not DiffOp.ADD for line in lines[done:start])
        new += sum(line.op is not DiffOp.REMOVE for line in lines[done:start])
        hunk = tuple(lines[start:end])
        olds = sum(line.op is not DiffOp.ADD for line in hunk)
        news = sum(line.op is not DiffOp.REMOVE for line in hunk)
        # As in unified diffs, a side without lines starts at the line before.
        yield DiffHunk(old - (olds == 0), olds, new - (news == 0), news, hunk)
        old, new, done = old + olds, new + news, end


def _ranges(lines: Sequence[DiffLine], context: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of changes with its context, joined where they touch."""
    start = end = -1
    for at, line in enumerate(lines):
        if line.op is DiffOp.CONTEXT:
            continue
        if start >= 0 and at - context <= end:
            end = at + 1 + context
            continue
        if start >= 0:
            yield start, min(end, len(lines))
        start, end = max(0, at - context), at + 1 + context
    if start >= 0:
        yield start, min(end, len(lines))
