"""Markdown to tree. Any text is some tree; nothing that an agent wrote is left out.

What the tree has no node for is written so that it reads the same painted and plain: a heading is bold
behind its ``#`` marks, a quote stands behind ``> ``, HTML and comments are text, a list that does not
start at 1 carries its numbers, links in a table's cells follow the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from markdown_it.token import Token

from render.grammar import blocks
from render.inline import inline_nodes
from render.links import Resolve, as_written, link_nodes
from render.paragraph import Inline, merged, quoted, text_of
from render.tree import CodeBlock, Group, Link, List, Node, Table, Text, TextStyle, is_inline
from render.wikilink import links_in

RULE = Text("─" * 24, TextStyle.DIM)
"""A line across, as wide as no screen is narrow."""

_TOO_DEEP = Text("nested too deep to lay out:", TextStyle.WARNING)


def markdown(text: str, resolve: Resolve = as_written) -> Group:
    """Return the tree of a Markdown text: a stack of blocks.

    Args:
        text: anything.
        resolve: says where each ``[[link]]`` leads.
    """
    return Group(tuple(_Blocks(text, resolve).until("")))


class _Blocks:
    """Walks block tokens; each method takes the tokens of its block from the stream."""

    def __init__(self, text: str, resolve: Resolve) -> None:
        tokens = blocks(text)
        self.tokens = iter(tokens)
        self.links = links_in(tokens, text)
        self.lines = text.split("\n")
        self.resolve = resolve

    def follow(self) -> tuple[Inline, ...]:
        """Return the nodes of the next ``[[link]]``."""
        link = next(self.links)
        return link_nodes(link, self.resolve(link))

    def until(self, closing: str) -> Iterator[Node]:
        """Yield blocks up to the token that closes their container, or the end of the text."""
        for token in self.tokens:
            if token.type == closing:
                return
            block = self.block(token)
            if block is not None:
                yield block

    def block(self, token: Token) -> Node | None:
        """Return the block that a token opens, None for a token that opens none."""
        match token.type:
            case "inline":
                return Group(tuple(inline_nodes(token, self.follow)))
            case "heading_open":
                return self.heading(int(token.tag[1:]))
            case "bullet_list_open":
                return List(tuple(self.items()))
            case "ordered_list_open":
                return self.ordered(int(token.attrs.get("start", 1)), token.markup)
            case "blockquote_open":
                return quoted(self.until("blockquote_close"))
            case "fence" | "code_block":
                return CodeBlock(token.content.removesuffix("\n"), token.info.strip() or None)
            case "hr":
                return Group((RULE,))
            case "table_open":
                return self.table()
            case "comment_block":
                return Group((Text(token.content.removesuffix("\n")),))
            case "too_deep":
                return Group((Group((_TOO_DEEP,)), CodeBlock(token.content)))
        return None

    def heading(self, level: int) -> Node:
        marks = Text("#" * level + " ", TextStyle.DIM)
        content = inline_nodes(next(self.tokens), self.follow, TextStyle.BOLD)
        return Group((marks, *content))

    def items(self) -> Iterator[Node]:
        for token in self.tokens:
            if token.type in ("bullet_list_close", "ordered_list_close"):
                return
            parts = tuple(self.until("list_item_close"))
            yield parts[0] if len(parts) == 1 else Group(parts)

    def ordered(self, start: int, delimiter: str) -> Node:
        """Return a list numbered from 1, or one whose items bring their own numbers."""
        items = tuple(self.items())
        if start == 1:
            return List(items, ordered=True)
        numbered = (
            _marked(item, f"{number}{delimiter} ") for number, item in enumerate(items, start)
        )
        return List(tuple(numbered))

    def table(self) -> Node:
        """Return a table of plain cells, and below it the links of its cells, each once."""
        rows: list[list[str]] = [[]]
        links: dict[Link, tuple[Inline, ...]] = {}
        for token in self.tokens:
            if token.type == "table_close":
                break
            if token.type == "inline":
                nodes = inline_nodes(token, self.follow)
                rows[-1].append("".join(map(text_of, nodes)))
                links.update(_with_warnings(nodes))
            elif token.type == "tr_close":
                rows.append([])
        width = max(map(len, rows))
        header = tuple(rows[0] + [""] * (width - len(rows[0])))
        table = Table(header, tuple(tuple(row) for row in rows[1:-1]))
        return Group((table, _below(links.values()))) if links else table


def _with_warnings(nodes: list[Inline]) -> Iterator[tuple[Link, tuple[Inline, ...]]]:
    """Yield each link, and the link with the warning behind it if there is one."""
    for at, node in enumerate(nodes):
        if isinstance(node, Link):
            warned = [
                n
                for n in nodes[at + 1 : at + 2]
                if isinstance(n, Text) and n.style is TextStyle.WARNING
            ]
            yield node, (node, *warned)


def _below(links: Iterable[tuple[Inline, ...]]) -> Group:
    apart = chain.from_iterable((Text("  "), *nodes) for nodes in links)
    return Group((Text("links:", TextStyle.DIM), *apart))


def _marked(item: Node, number: str) -> Node:
    mark = Text(number)
    match item:
        case Group((Group(inline), *rest)) if is_inline(Group(inline)):
            return Group((_behind(mark, inline), *rest))
        case Group(inline) if is_inline(item):
            return _behind(mark, inline)
    return Group((Group((mark,)), item))


def _behind(mark: Text, inline: Iterable[Node]) -> Group:
    return Group(tuple(merged([mark, *(node for node in inline if isinstance(node, Text | Link))])))
