"""Runs of styled text broken into lines, by grapheme and by cell.

Lines break at blanks and between CJK characters; a word longer than a line is cut between graphemes.
Blanks at a break are dropped, all others stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import regex
from rich.style import Style

from render.visible import Visible, cell_width, graphemes, isolate, join, reveal, visible

# CJK text has no blanks: it breaks after any character, but closing marks stay with what they close.
_CJK = r"[\p{Han}\p{Hiragana}\p{Katakana}\u3000-\u303F\uFF01-\uFF60]\p{M}*"
_OPENING = r"[「『（【〈《〔［｛]"
_CLOSING = r"[」』）】〉》〕］｝、。，．！？：；・ー々]"
_BLANK = r"[ ](?!\p{M})"  # a mark on a blank makes it a letter of the word
_WORDS = regex.compile(
    rf"(?P<blank>(?:{_BLANK})+)|(?P<cjk>{_OPENING}*(?:{_CJK}){_CLOSING}*)|(?:(?!{_CJK}|{_BLANK}).)+"
)
_JOINS = regex.compile(r"\p{M}")


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style, safe to paint and without a line end."""

    text: Visible
    style: Style


@dataclass(slots=True)
class Line:
    """Runs beside each other; ``width`` is their sum in cells."""

    runs: list[Run] = field(default_factory=list)
    width: int = 0

    def add(self, run: Run, width: int | None = None) -> None:
        """Append a run, joined to the last one if their styles are the same and its width stays."""
        self.width += cell_width(run.text) if width is None else width
        if self.runs and self.runs[-1].style is run.style and not _JOINS.match(run.text):
            self.runs[-1] = Run(self.runs[-1].text + run.text, run.style)
        else:
            self.runs.append(run)

    def padded(self, width: int, style: Style) -> Line:
        """Return the line filled up with blanks to ``width`` cells."""
        if self.width >= width:
            return self
        filled = Line(list(self.runs), self.width)
        filled.add(blanks(width - self.width, style))
        return filled

    def after(self, *prefix: Run) -> Line:
        """Return the line behind a prefix."""
        joined = Line()
        for run in (*prefix, *self.runs):
            joined.add(run)
        return joined

    @property
    def text(self) -> str:
        """The characters of the line."""
        return "".join(run.text for run in self.runs)


def runs_of(text: str, style: Style, marked: Style, tab: int = 0) -> list[Run]:
    """Make a text of one line safe to paint; the marks of its hidden characters get a style of their own.

    Args:
        tab: cells between tab stops, 0 to show tabs as marks.
    """
    shown = reveal(text, tab=tab)
    if not shown.marks:
        return [Run(shown.text, style)] if shown.text else []
    runs, done = [], 0
    for start, end in shown.spans:
        runs.append(Run(shown.text[done:start], style))
        runs.append(Run(shown.text[start:end], marked))
        done = end
    runs.append(Run(shown.text[done:], style))
    return [run for run in runs if run.text]


def blanks(count: int, style: Style) -> Run:
    """Return a run of blanks."""
    return Run(visible(" " * count), style)


def wrap(runs: Iterable[Run], width: int) -> list[Line]:
    """Break runs into lines of at most ``width`` cells; at least one line, perhaps empty.

    Args:
        width: in cells, at least 1. A grapheme wider than that has a line of its own.
    """
    lines = [Line()]
    gap: list[Run] = []
    for word in _words(runs):
        if word.is_blank:
            gap = word.runs
            continue
        space = sum(len(run.text) for run in gap)
        if lines[-1].width + space + word.width > width and lines[-1].runs:
            lines.append(Line())
        else:
            for run in gap:
                _fill(lines, run, width)
        gap = []
        for run in word.runs:
            _fill(lines, run, width)
    return [_isolated(line) for line in lines]


def _isolated(line: Line) -> Line:
    """Keep right-to-left text from reordering what stands beside it on a line of the terminal.

    A line that begins and ends with such text is one passage; in any other each run stands for itself.
    """
    text = join(run.text for run in line.runs)
    if text.isascii() or isolate(text) == text:
        return line
    first, last = line.runs[0], line.runs[-1]
    if isolate(first.text) == first.text or isolate(last.text) == last.text:
        line.runs = [Run(isolate(run.text), run.style) for run in line.runs]
        return line
    whole = isolate(text)
    line.runs[0] = Run(whole[:1] + first.text, first.style)
    line.runs[-1] = Run(line.runs[-1].text + whole[-1:], last.style)
    return line


def _fill(lines: list[Line], run: Run, width: int) -> None:
    """Add a run to the last line, cut between graphemes where it does not fit."""
    whole = _measure(run.text)
    if lines[-1].width + whole <= width:
        lines[-1].add(run, whole)
        return
    kept: list[Visible] = []
    taken = 0
    for cluster in graphemes(run.text):
        cells = _measure(cluster)
        if lines[-1].width + taken + cells > width and (kept or lines[-1].runs):
            if kept:
                lines[-1].add(Run(join(kept), run.style), taken)
            lines.append(Line())
            kept, taken = [], 0
        kept.append(cluster)
        taken += cells
    lines[-1].add(Run(join(kept), run.style), taken)


@dataclass(slots=True)
class _Word:
    is_blank: bool
    runs: list[Run] = field(default_factory=list)
    width: int = 0


def _words(runs: Iterable[Run]) -> Iterator[_Word]:
    """Cut runs into blanks and words; a word goes on over a change of style."""
    word: _Word | None = None
    for run in runs:
        for match in _WORDS.finditer(run.text):
            blank = match.lastgroup == "blank"
            joins = word is not None and word.is_blank == blank and match.lastgroup != "cjk"
            if word is not None and not joins:
                yield word
                word = None
            word = word or _Word(blank)
            text = run.text[match.start() : match.end()]
            word.runs.append(Run(text, run.style))
            word.width += _measure(text)
            if match.lastgroup == "cjk":
                yield word
                word = None
    if word is not None:
        yield word


@lru_cache(maxsize=8192)
def _measure(text: Visible) -> int:
    """Return a width in cells; words repeat, so most are measured once."""
    return cell_width(text)
