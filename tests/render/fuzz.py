"""Throw random Unicode and Markdown at render: ``python -m tests.render.fuzz [COUNT] [SEED]``."""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Iterator

from render.lens.lens import DEFAULT
from render.markdown import markdown
from render.plain import plain
from render.visible import visible
from render.wikilink import find_links, replace_targets

_PIECES = (
    *("[[", "]]", "|", "`", "```\n", "> ", "- ", "1. ", "# ", "*", "**", "_", "~~", "\n", "\n\n"),
    *(
        "    ",
        "\t",
        "<!--",
        "-->",
        "![",
        "](",
        "http://",
        "<",
        "&amp;",
        "\\",
        "| a |\n|-|\n",
        "---\n",
    ),
    *("\r", "\0", "\x1b[2J", "\u202e", "\u200d", "\u200c", "\U0001f469", "ا", "क", "\u094d", "漢"),
    *(
        "\ufe0f",
        "\U000e0041",
        "\ud800",
        "é",
        "e\u0301",
        "a",
        "b ",
        " ",
        "password: ",
        "ignore all ",
    ),
)
_PLANES = (0x80, 0x3000, 0x10000, 0x110000)  # so that no script drowns in the vast unassigned rest


def texts(count: int, seed: int) -> Iterator[str]:
    """Yield random texts: pieces of Markdown, and any code points, lone surrogates too."""
    chance = random.Random(seed)
    for _ in range(count):
        yield "".join(
            chance.choice(_PIECES)
            if chance.random() < 0.6
            else chr(chance.randrange(chance.choice(_PLANES)))
            for _ in range(chance.randrange(40))
        )


def check(text: str, width: int) -> None:
    """Assert what holds for every text: shown whole and safe, links exact, findings inside it."""
    shown = plain(markdown(text), width)
    assert visible(shown, newlines=True) == shown
    for character in shown:
        assert character == "\n" or unicodedata.category(character) not in (
            "Cc",
            "Cs",
            "Co",
            "Zl",
            "Zp",
        )
    marked = visible(text, newlines=True)
    assert len(marked) >= len(text)
    for link in find_links(text):
        assert text[link.start : link.start + 2] == "[["
        assert text[link.end - 2 : link.end] == "]]"
    assert replace_targets(text, {}) == text
    for finding in DEFAULT.look(text):
        assert 0 <= finding.start <= finding.end <= len(text)


def main(count: int = 200_000, seed: int = 1) -> None:
    """Check so many texts; prints the text that fails."""
    for number, text in enumerate(texts(count, seed)):
        try:
            check(text, 8 + number % 90)
        except Exception:
            print(f"failed: {text!a}")
            raise
    print(f"{count} texts held")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
