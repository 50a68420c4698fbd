"""Inline tokens to the children of a paragraph: texts in one style each, and links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from markdown_it.token import Token

from render.grammar import inlines
from render.paragraph import SOFT_BREAK, Inline, merged, reflow
from render.tree import Link, Text, TextStyle

_OPENS = {"strong_open": TextStyle.BOLD, "em_open": TextStyle.ITALIC, "s_open": TextStyle.DIM}
_CLOSES = {"strong_close", "em_close", "s_close"}
_BARE_URL = re.compile(r"\bhttps?://[^\s<>\"`|\\^{}\[\]\u3001\u3002\uff0c\uff09]+", re.IGNORECASE)


Follow: TypeAlias = Callable[[], tuple[Inline, ...]]
"""Returns the nodes of the next ``[[link]]`` of the text."""


def inline_nodes(token: Token, follow: Follow, base: TextStyle = TextStyle.NORMAL) -> list[Inline]:
    """Return the nodes of a block's ``inline`` token.

    Args:
        token: from `render.grammar.blocks`.
        follow: called once for each ``[[link]]`` in turn.
        base: the style of text that has none of its own.
    """
    walk = _Inlines(follow, base)
    nodes = chain.from_iterable(map(walk.node, inlines(token)))
    return list(_bare_urls(merged(reflow(list(nodes)))))


class _Inlines:
    """Walks the tokens of one block with the styles and the link that are open."""

    def __init__(self, follow: Follow, base: TextStyle) -> None:
        self.follow = follow
        self.styles = [base]
        self.link: Token | None = None
        self.label: list[str] = []

    def node(self, token: Token) -> Iterator[Inline]:
        match token.type:
            case "softbreak" if self.link is None:
                yield SOFT_BREAK
            case "softbreak" | "hardbreak":
                yield from self.text("\n" if self.link is None else " ")
            case "code_inline":
                yield from self.text(token.content, TextStyle.CODE)
            case "wikilink":
                yield from self.follow()
            case "image":
                source = str(token.attrs.get("src", ""))
                yield Link(f"image: {token.content or source}", source)
                yield from self.title(token)
            case "link_open":
                self.link, self.label = token, []
            case "link_close":
                yield from self.close_link()
            case _ if token.type in _OPENS or token.type in _CLOSES:
                yield from self.restyle(token)
            case _:
                yield from self.text(token.content)

    def restyle(self, token: Token) -> Iterator[Inline]:
        """Open or close a style. No node strikes text through, so its tildes stay."""
        if token.type in _OPENS:
            self.styles.append(_OPENS[token.type])
        if token.tag == "s":
            yield from self.text("~~")
        if token.type in _CLOSES:
            self.styles.pop()

    def text(self, content: str, style: TextStyle | None = None) -> Iterator[Inline]:
        """Yield text in the style that is open, or keep it for the link that is."""
        if self.link is not None:
            self.label.append(content)
        else:
            yield Text(content, style or self.style())

    def style(self) -> TextStyle:
        """Return the one style that stands for all open ones: bold says more than italic."""
        return TextStyle.BOLD if TextStyle.BOLD in self.styles else self.styles[-1]

    def close_link(self) -> Iterator[Inline]:
        link, self.link = self.link, None
        if link is not None:
            target = str(link.attrs.get("href", ""))
            yield Link("".join(self.label) or target, target)
            yield from self.title(link)

    def title(self, token: Token) -> Iterator[Inline]:
        """Show what a browser would only show on hover."""
        if token.attrs.get("title"):
            yield Text(f' "{token.attrs["title"]}"', TextStyle.DIM)


def _bare_urls(nodes: Iterable[Inline]) -> Iterator[Inline]:
    """Make links of the URLs that stand in running text."""
    for node in nodes:
        if isinstance(node, Link) or node.style is TextStyle.CODE or "://" not in node.content:
            yield node
            continue
        done = 0
        for found in _BARE_URL.finditer(node.content):
            url = _without_punctuation(found[0])
            if found.start() > done:
                yield Text(node.content[done : found.start()], node.style)
            yield Link(url, url)
            done = found.start() + len(url)
        if done < len(node.content):
            yield Text(node.content[done:], node.style)


def _without_punctuation(url: str) -> str:
    """Leave the punctuation that ends a sentence, or the bracket around it, out of a URL."""
    trimmed = url.rstrip(".,;:!?'*_~")
    if trimmed.endswith(")") and trimmed.count("(") < trimmed.count(")"):
        trimmed = trimmed[:-1].rstrip(".,;:!?'*_~")
    return trimmed
