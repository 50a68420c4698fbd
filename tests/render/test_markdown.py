"""Markdown to tree: the fixtures show each rule, the properties hold for any text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.links import Resolution, Standing
from render.markdown import markdown
from render.tree import CodeBlock, Collapsible, Group, Link, List, Node, Table, Text
from render.wikilink import WikiLink, find_links
from tests.render.outline import outline
from tests.render.test_wikilink import PIECES

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.md"))
CASE = re.compile(r"^(?P<title>\S[^\n]*)\n\.\n(?P<text>.*?)\n\.\n(?P<tree>.*?)\n\.\n", re.M | re.S)


def cases() -> Iterator[object]:
    for path in FIXTURES:
        source = path.read_text()
        for found in CASE.finditer(source):
            line = source.count("\n", 0, found.start()) + 1
            yield pytest.param(
                found["text"], found["tree"], id=f"{path.stem}:{line} {found['title']}"
            )


def resolve(link: WikiLink) -> Resolution:
    """Resolve by the target's first word, so that a fixture says what it wants."""
    standing = link.target.partition("-")[0]
    if standing == "ambiguous":
        return Resolution(Standing.AMBIGUOUS, link.target, "", ("one", "two"))
    if standing in ("wanted", "broken"):
        return Resolution(Standing(standing), link.target)
    return Resolution(Standing.RESOLVED, f"id of {link.target}", link.target.title())


@pytest.mark.parametrize(("text", "tree"), list(cases()))
def test_fixture(text: str, tree: str) -> None:
    assert outline(markdown(text, resolve)) == tree


def texts(node: Node) -> Iterator[str]:
    """Yield all that a tree says, in order."""
    match node:
        case Text(content):
            yield content
        case Link(text, url):
            yield text
            yield unquote(url)
        case CodeBlock(content, language):
            yield f"{language or ''}\n{content}"
        case Table(headers, rows):
            yield from headers
            for row in rows:
                yield from row
        case Group(children) | List(children) | Collapsible(_, children):
            for child in children:
                yield from texts(child)
        case _:
            raise AssertionError(node)


def links(node: Node) -> Iterator[Link]:
    match node:
        case Link():
            yield node
        case Group(children) | List(children):
            for child in children:
                yield from links(child)


@given(PIECES | st.text())
def test_of_any_text_nothing_but_blanks_and_markup_is_left_out(text: str) -> None:
    said = Counter("".join(texts(markdown(text))))
    written = Counter(re.sub(r"[\t\n\r]|[!-@[-`{-~]", "", text))
    for blank in [character for character in written if unicodedata.category(character) == "Zs"]:
        del written[blank]
    if "|-|" in text:  # links of a table's cells are listed once
        written, said = Counter(set(written)), Counter(set(said))
    assert not written - said


@given(PIECES)
def test_the_tree_has_a_node_for_every_link_that_the_store_finds(text: str) -> None:
    seen: list[WikiLink] = []

    def keep(link: WikiLink) -> Resolution:
        seen.append(link)
        return Resolution(Standing.RESOLVED, link.target)

    tree = markdown(text, keep)
    assert tuple(seen) == find_links(text)
    urls = {link.url for link in links(tree) if link.url.startswith("memory:")}
    assert len(urls) == len({link.target for link in seen})


@pytest.mark.parametrize("character", "\r\v\f\u2028\u2029")
@pytest.mark.parametrize("text", ["a{}", "{}a", "# a{}", "a{}b\n", "- a{}", "\ufdd0a{}b"])
def test_characters_that_parsers_trim_are_kept(text: str, character: str) -> None:
    assert character in "".join(texts(markdown(text.format(character))))


HOSTILE = {
    "brackets": "[" * 20_000,
    "embeds": "![[" * 10_000,
    "quotes": ">" * 20_000,
    "lists": "- " * 20_000,
    "indents": "".join("  " * depth + "- a\n" for depth in range(300)),
    "emphasis": "*a_ " * 10_000,
    "half links": "[a](<b" * 5_000,
    "half code": "`a``b```c" * 5_000,
    "half comments": "<!-- " * 10_000,
    "wide table": "|" * 3_000 + "\n" + "-|" * 3_000,
    "a long line": "word " * 80_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_text_made_to_break_parsers_becomes_a_tree(text: str) -> None:
    assert isinstance(markdown("[[x]]\n" + text), Group)


def test_blocks_nested_too_deep_are_shown_as_their_source() -> None:
    said = "".join(texts(markdown("> " * 60 + "the core")))
    assert "nested too deep" in said
    assert "the core" in said
