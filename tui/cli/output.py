"""Three forms of the same answer: painted for a terminal, plain for a pipe, JSON lines for programs.

Terminal and plain text only ever carry `Visible` text, so nothing that an agent wrote can act on a
terminal. JSON keeps every character of a text and escapes those that a terminal would act on or hide.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum, StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TextIO, TypeAlias, TypeVar

from render.visible import visible
from tui.rows import short_age

if TYPE_CHECKING:
    from rich.console import Console

    from render.tree import Node
    from tui.cli.columns import Column

T = TypeVar("T")
Cell: TypeAlias = str | datetime

CHUNK = 200  # rows laid out together on a terminal, so that long listings start at once


class Form(StrEnum):
    """How answers are written."""

    TERMINAL = "terminal"
    PLAIN = "plain"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Shape(Generic[T]):
    """How one kind of answer is laid out.

    Args:
        columns: the terminal's columns, one for each cell.
        cells: raw texts and times of one item; they are made visible on the way out.
        fields: the item's JSON object; every field of the item when None.
    """

    columns: tuple[Column, ...]
    cells: Callable[[T], Sequence[Cell]]
    fields: Callable[[T], Mapping[str, Any]] | None = None


class Output:
    """Writes answers to stdout in one form."""

    def __init__(self, form: Form, stream: TextIO | None = None) -> None:
        self.form = form
        self._stream = stream or sys.stdout
        self._console: Console | None = None

    @classmethod
    def choose(cls, json: bool = False, plain: bool = False) -> Output:
        """Return the output for a command's flags: JSON, else plain where asked or where piped."""
        if json:
            return cls(Form.JSON)
        return cls(Form.TERMINAL if sys.stdout.isatty() and not plain else Form.PLAIN)

    @property
    def console(self) -> Console:
        """The terminal, where styles come from us alone: no markup, no emoji codes, no guessing."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self._stream, markup=False, emoji=False, highlight=False)
        return self._console

    def rows(self, shape: Shape[T], items: Iterable[T]) -> int:
        """Write one line for each item, as they come; returns how many there were."""
        if self.form is Form.TERMINAL:
            return self._tables(shape, items)
        count = 0
        for count, item in enumerate(items, start=1):  # noqa: B007 (the count is the answer)
            if self.form is Form.JSON:
                self.json((shape.fields or as_fields)(item))
            else:
                self.line("\t".join(visible(_kept(cell)) for cell in shape.cells(item)))
        return count

    def answer(self, text: str, fields: Mapping[str, Any], style: str = "") -> None:
        """Write one short answer: a line of text, or its JSON object."""
        if self.form is Form.JSON:
            self.json(fields)
        elif self.form is Form.PLAIN:
            self.line(visible(text))
        else:
            from rich.text import Text

            self.console.print(Text(visible(text), style=style), soft_wrap=True)

    def block(self, heading: str, body: str, fields: Mapping[str, Any]) -> None:
        """Write a heading and, below it, a text with its lines as they are."""
        if self.form is Form.JSON:
            self.json(fields)
            return
        self.answer(f"── {heading}", fields, "bold")
        self.line(visible(body, newlines=True))

    def document(self, node: Node, fields: Mapping[str, Any]) -> None:
        """Write a tree: painted, as plain text, or the JSON object that it shows."""
        if self.form is Form.JSON:
            self.json(fields)
            return
        if self.form is Form.PLAIN:
            from render.plain import plain

            self.line(plain(node, 80))
            return
        from tui.cli.paint import paint

        self.console.print(paint(node, self.console.width))

    def json(self, value: Mapping[str, Any]) -> None:
        """Write one JSON object on one line."""
        self.line(to_json(value))

    def line(self, text: str) -> None:
        """Write a line that is already safe."""
        self._stream.write(text + "\n")

    def _tables(self, shape: Shape[T], items: Iterable[T]) -> int:
        from tui.cli.columns import lines

        count, rest = 0, iter(items)
        now = datetime.now(UTC)
        while chunk := list(islice(rest, CHUNK)):
            table = [[visible(_seen(cell, now)) for cell in shape.cells(item)] for item in chunk]
            for line in lines(shape.columns, table, self.console.width, header=count == 0):
                self.console.print(line, soft_wrap=True)
            count += len(chunk)
        return count


def _seen(cell: Cell, now: datetime) -> str:
    """Return a cell for reading: a time by its age."""
    return short_age(now - cell) if isinstance(cell, datetime) else cell


def _kept(cell: Cell) -> str:
    """Return a cell for programs: a time as ISO 8601 in UTC, to the second, which sorts as text."""
    return f"{cell.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if isinstance(cell, datetime) else cell


def as_fields(item: object) -> dict[str, Any]:
    """Return a dataclass as a JSON object: snake_case names, unset (None) fields left out."""
    assert is_dataclass(item)  # noqa: S101 (a programming error, not input)
    return {
        field.name: plain_value(value)
        for field in fields(item)
        if (value := getattr(item, field.name)) is not None
    }


def plain_value(value: object) -> Any:
    """Return what JSON can hold of a value: lower-case words for enums, RFC 3339 times in UTC."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    if is_dataclass(value):
        return as_fields(value)
    return value


def to_json(value: Mapping[str, Any]) -> str:
    """Return a JSON object on one line, with every character that is not plainly visible escaped."""
    return _BEYOND_ASCII.sub(_shown_or_escaped, json.dumps(value, ensure_ascii=False))


_BEYOND_ASCII = re.compile(r"[^ -~]")


def _shown_or_escaped(found: re.Match[str]) -> str:
    char = found[0]
    if char == "\x7f":  # ASCII to json, but a control character
        return "\\u007f"
    hidden = unicodedata.category(char)[0] == "C" or char.isspace()
    return json.dumps(char)[1:-1] if hidden else char


def note(text: str) -> None:
    """Say something beside the answer, on stderr, after what was answered so far."""
    sys.stdout.flush()
    print(visible(text), file=sys.stderr)


def report(title: str, message: str, hint: str = "") -> None:
    """Write an error to stderr: what kind, what happened, and what to do about it."""
    sys.stdout.flush()
    bold, dim, off = ("\x1b[1;31m", "\x1b[2m", "\x1b[0m") if _colours(sys.stderr) else ("", "", "")
    print(f"{bold}{visible(title)}:{off} {visible(message)}", file=sys.stderr)
    if hint:
        print(f"{dim}{visible(hint)}{off}", file=sys.stderr)


def _colours(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
