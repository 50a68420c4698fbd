"""Console blocks of Markdown pages: the commands after ``$ ``, and what they are said to print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
_ANYTHING = "…"


@dataclass(frozen=True, slots=True)
class Example:
    """One command of a page.

    Args:
        line: where it stands in the page, from 1.
        command: what a shell gets, its continuation lines (``> ``) joined.
        expected: the lines that the page shows; ``…`` stands for any text within a line, and a line of its
            own for any lines.
    """

    line: int
    command: str
    expected: tuple[str, ...]

    def matches(self, output: str) -> bool:
        """Tell whether an output is what the page shows; a page that shows nothing claims nothing."""
        if not self.expected:
            return True
        parts = [
            r"(?:.*\n)*?" if line == _ANYTHING else _line_pattern(line) for line in self.expected
        ]
        text = "".join(f"{line.rstrip()}\n" for line in output.rstrip("\n").split("\n"))
        return re.fullmatch("".join(parts), text) is not None


def _line_pattern(line: str) -> str:
    return ".*".join(re.escape(part) for part in line.rstrip().split(_ANYTHING)) + r"\n"


def examples(page: Path) -> list[Example]:
    """Return the commands of a page's console blocks, in order."""
    text = page.read_text("utf-8")
    found = []
    for block in _BLOCK.finditer(text):
        start = text.count("\n", 0, block.start(1)) + 1
        found += _of_block(block.group(1).splitlines(), start)
    return found


def _of_block(lines: list[str], start: int) -> list[Example]:
    found: list[Example] = []
    command: list[str] = []
    expected: list[str] = []
    at = start

    def finish() -> None:
        if command:
            found.append(Example(at, "\n".join(command), tuple(expected)))

    for number, line in enumerate(lines, start):
        if line.startswith("$ "):
            finish()
            command, expected, at = [line[2:]], [], number
        elif line.startswith("> ") and command and not expected:
            command.append(line[2:])
        else:
            expected.append(line)
    finish()
    return found
