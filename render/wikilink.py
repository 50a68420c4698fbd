"""The one ``[[link]]`` rule: what is a link in a text, what it names, and how to point it elsewhere.

Forms: ``[[target]]``, ``[[target|alias]]``, ``[[target#heading]]``, ``![[embed]]``; ``\\|`` means ``|``, as
tables need. Code, comments and escaped brackets hold no links: the Markdown grammar decides, so that the
store, the card and the tools that rename never disagree.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from markdown_it.token import Token

from render.grammar import blocks, inlines


@dataclass(frozen=True, slots=True)
class WikiLink:
    """One link of a text.

    Args:
        target: what it names, alias and heading split off, as written and stripped.
        whole: the whole inner text, which wins over ``target`` where it is itself a name.
        alias: what to show instead of the target's title; empty for none.
        heading: the part after ``#``; empty for none.
        line: counted from 1.
        start: offset of the first ``[`` in the text.
        end: offset after the last ``]``.
        embed: whether ``!`` stands before it.
    """

    target: str
    whole: str
    alias: str
    heading: str
    line: int
    start: int
    end: int
    embed: bool = False


def find_links(text: str) -> tuple[WikiLink, ...]:
    """Return the links of a Markdown text in order; ``text[link.start:link.end]`` is the link as written.

    Never raises. A text without ``[[`` costs one search.
    """
    if "[[" not in text:
        return ()
    return tuple(links_in(blocks(text), text))


def links_in(tokens: Iterable[Token], text: str) -> Iterator[WikiLink]:
    """Yield the links of a text whose block tokens are at hand, in the order of their tokens."""
    lines = _Lines(text)
    block = ""
    for token in tokens:
        if token.type == "inline" and "[[" in token.content:
            yield from _of_token(token, _Place(token, block, lines))
        elif token.nesting == 1:
            block = token.type


def targets(text: str, is_name: Callable[[str], bool] = lambda name: False) -> tuple[str, ...]:
    """Return what a text links to, in order and without repeats.

    Args:
        text: Markdown.
        is_name: tells whether a string, as written, is the name of a record: then the whole inner text
            of a link is its target, bars and all.
    """
    return tuple(dict.fromkeys(_chosen(link, is_name) for link in find_links(text)))


def replace_targets(text: str, mapping: Mapping[str, str]) -> str:
    """Return the text with link targets renamed and every other character as it was.

    Args:
        text: Markdown.
        mapping: from a target as written (or a link's whole inner text) to the new one.
    """
    parts: list[str] = []
    done = 0
    for link in find_links(text):
        key = _chosen(link, mapping.__contains__)
        if key not in mapping:
            continue
        inner = text[link.start + 2 : link.end - 2]
        kept = _NAME.match(inner) if key == link.target and key != link.whole else None
        tail = inner[kept.end() :] if kept else ""
        bar = "\\|" if "\\|" in inner else "|"
        parts += [text[done : link.start + 2], mapping[key].replace("|", bar), tail]
        done = link.end - 2
    return "".join([*parts, text[done:]])


def fold_name(text: str) -> str:
    """Return the folded form by which names are matched last.

    NFC, casefolded, runs of space, ``_`` and ``-`` alike, ``.md`` dropped, last path part.
    """
    name = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).strip()
    last = name.rstrip("/\\").replace("\\", "/").rpartition("/")[2].removesuffix(".md")
    return _SEPARATORS.sub("-", last.strip()).strip("-") or name


_NAME = re.compile(r"(?:[^|#\\]|\\(?!\|))*")  # up to the heading, the bar or the bar's escape
_SEPARATORS = re.compile(r"[\s_-]+")


def _parts(inner: str) -> tuple[str, str, str, str]:
    """Split the text between double brackets into target, whole, alias and heading."""
    plain = inner.replace("\\|", "|")
    name, _, alias = plain.partition("|")
    target, _, heading = name.partition("#")
    # Blanks alone: what else looks like one is shown, and so it is part of the name.
    return (target.strip(" \t"), plain.strip(" \t"), alias.strip(" \t"), heading.strip(" \t"))


def _chosen(link: WikiLink, is_name: Callable[[str], bool]) -> str:
    return link.whole if link.whole != link.target and is_name(link.whole) else link.target


def _of_token(token: Token, place: _Place) -> Iterator[WikiLink]:
    for child in inlines(token):
        if child.type != "wikilink":
            continue
        line, start = place.of(child.meta["offset"])
        inner = child.content.partition("[[")[2][:-2]
        length = len(inner) + 4 + (place.table and inner.count("|"))
        target, whole, alias, heading = _parts(inner)
        embed = bool(child.meta["embed"])
        yield WikiLink(target, whole, alias, heading, line + 1, start, start + length, embed)


class _Lines:
    """Where the lines of a text start; a CR before the line end belongs to the line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.reached = dict[int, int]()  # in tables, how far a line's cells have been placed

    def line(self, number: int) -> str:
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end]


class _Place:
    """From an offset in inline content back to the text.

    The parser strips containers and blanks from the left of each line and blanks from the right, so a line
    of content is the end of its line in the text. A heading loses closing marks too and a cell is anywhere,
    but what stands before them on the line, markers and earlier cells, cannot hold their first ``[[``.
    """

    def __init__(self, token: Token, block: str, lines: _Lines) -> None:
        self.content, self.lines = token.content, lines
        self.table = block in ("th_open", "td_open")
        self.inside = self.table or block == "heading_open"
        self.first = token.map[0] if token.map else 0
        self.breaks = [0, *(found.end() for found in re.finditer("\n", token.content))]
        self.cell = self._cell() if self.table else 0

    def of(self, offset: int) -> tuple[int, int]:
        """Return the line, from 0, and the offset in the text."""
        nth = bisect_right(self.breaks, offset) - 1
        begin, number = self.breaks[nth], self.first + nth
        content = self.content[begin:].partition("\n")[0]
        column = offset - begin
        line = self.lines.line(number)
        if self.table:
            at = self.cell
            column += self.content.count("|", 0, offset)
        elif self.inside:
            at = line.find(content)
        else:
            at = len(line.rstrip()) - len(content.rstrip())
        return number, self.lines.starts[number] + at + column

    def _cell(self) -> int:
        written = self.content.replace("|", "\\|")
        at = self.lines.line(self.first).find(written, self.lines.reached.get(self.first, 0))
        self.lines.reached[self.first] = at + len(written)
        return at
