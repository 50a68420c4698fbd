"""What is said and heard, line by line: nothing is drawn, moved or coloured, and nothing is said twice.

The inbox speaks from the first column on. What agents wrote stands two blanks in, so that no text of
theirs can pass for something that the inbox says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TextIO
from urllib.parse import unquote

from render.links import MEMORY, is_record, leads_out
from render.markdown import RULE
from render.plain import plain
from render.tree import Collapsible, Group, Link, List, Node, Text
from render.visible import fit, visible

WIDTH = 78  # cells of a card's lines
PAGE = 20  # rows that are said at once
TITLE = 120  # cells of what is said of a text on one line

CONFIRM = "yes"
"""The word that does what was asked about: no command has it, so none that is said twice does anything."""

_BORDER = Group((Text("Text:"),))
_BREAK = Text("---")


class Lines(Protocol):
    """Where lines come from: stdin, or a script."""

    def readline(self) -> str:
        """Return the next line with its end, an empty text when there is none."""
        ...


@dataclass(slots=True)
class Voice:
    """Speaks to one stream and hears from another.

    Args:
        prompts: whether somebody types at a terminal and is asked for each line.
    """

    heard: Lines
    spoken: TextIO
    prompts: bool = False

    def say(self, *lines: str) -> None:
        """Say lines; whatever is in one stays in it and is made visible."""
        for line in lines:
            self.spoken.write(f"{visible(line)}\n")

    def show(self, node: Node) -> None:
        """Say a tree, two blanks in."""
        for line in plain(_without_lines(node), WIDTH).split("\n"):
            self.spoken.write(f"  {line}\n" if line else "\n")

    def quote(self, text: str) -> None:
        """Say somebody's text, two blanks in."""
        for line in text.rstrip("\n").split("\n"):
            self.spoken.write(f"  {visible(line)}\n" if line else "\n")

    def hear(self, prompt: str) -> str | None:
        """Return the next line without blanks around it, None at the end of the input."""
        line = self.dictate(prompt)
        return line if line is None else line.strip()

    def dictate(self, prompt: str) -> str | None:
        """Return the next line as it is, without its end; None at the end of the input."""
        if self.prompts:
            self.spoken.write(prompt)
        self.spoken.flush()
        line = self.heard.readline()
        if not line:
            if self.prompts:
                self.say("")  # whatever comes next is not beside the question
            return None
        return line.rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link of a card leads: to the record ``id``, or out of the store if that is empty."""

    text: str
    url: str
    id: str = ""


def targets_of(node: Node) -> tuple[Target, ...]:
    """Return where the links of a tree lead, each target once, in the order of the text.

    What leads neither to a record nor to the web or a mailbox is text.
    """
    found: dict[str, Target] = {}
    for link in _links(node):
        id = (
            unquote(link.url.removeprefix(MEMORY), errors="surrogateescape")
            if is_record(link.url)
            else ""
        )
        if not id and not leads_out(link.url):
            continue
        found.setdefault(link.url, Target(link.text, link.url, id))
    return tuple(found.values())


def brief(text: str) -> str:
    """Return what is said of a text in a list: its beginning, visible."""
    return fit(visible(text), TITLE)


def amount(number: int, thing: str) -> str:
    """Return a number of things in words."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _links(node: Node) -> Iterator[Link]:
    match node:
        case Link():
            yield node
        case Group(children) | Collapsible(children=children):
            for child in children:
                yield from _links(child)
        case List(items):
            for item in items:
                yield from _links(item)


def _without_lines(card: Node) -> Node:
    """Return a tree without drawn lines: a word where the text begins, hyphens elsewhere."""
    if not isinstance(card, Group):
        return _undrawn(card)
    children = list(card.children)
    border = Group((RULE,))
    if border in children:
        children[children.index(border)] = _BORDER
    return Group(tuple(map(_undrawn, children)))


def _undrawn(node: Node) -> Node:
    match node:
        case Group(children):
            return Group(tuple(map(_undrawn, children)))
        case List(items):
            return replace(node, items=tuple(map(_undrawn, items)))
        case Collapsible(children=children):
            return replace(node, children=tuple(map(_undrawn, children)))
        case _:
            return _BREAK if node == RULE else node
