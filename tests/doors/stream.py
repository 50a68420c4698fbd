"""What a terminal received, taken apart: text, and the sequences between it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from render.visible import Visible, visible

_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC, DCS and the like, to their end
    r"|\x1b.?|[\x80-\x9f]",  # anything else that begins one
    re.DOTALL,
)
# Colours and weights; where the app puts its lines; the modes that Textual sets and asks for.
_OURS = re.compile(
    r"\x1b\[(?:[0-9;]*m"
    r"|[0-9]+;[0-9]+H|H"
    r"|\?(?:7|25|1000|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"
    r"|\?(?:2026|2048)\$p|>[0-9]+u|<u)"
    r"|\x1b\]22;[a-z-]+\x07"  # the shape of the mouse's pointer
)
# A bar that moves while a long import runs: Rich goes back over its own line.
_BAR = re.compile(r"\x1b\[(?:[0-9]*A|2K|\?25[hl])|\r")
_ISOLATES = str.maketrans("", "", "\u2068\u2069")  # written around right-to-left names by us alone


@dataclass(frozen=True, slots=True)
class Received:
    """Text in pieces as they came, and every sequence between them."""

    texts: tuple[str, ...]
    sequences: tuple[str, ...]

    @property
    def foreign(self) -> list[str]:
        """Sequences that neither the app nor its libraries send."""
        return [one for one in self.sequences if not (_OURS.fullmatch(one) or _BAR.fullmatch(one))]

    @property
    def raw(self) -> list[str]:
        """Pieces of text with a character that acts on a terminal or hides in it."""
        pieces = (text.translate(_ISOLATES) for text in self.texts)
        return [text for text in pieces if visible(text, newlines=True) != text]


def received(data: bytes) -> Received:
    """Take a stream apart; it must be UTF-8, as all that we write is."""
    stream = data.decode("utf-8")
    texts = _SEQUENCE.split(stream)
    lines = (re.split(r"\r?\n|\r", text) for text in texts)
    return Received(
        tuple(line for piece in lines for line in piece if line),
        tuple(found[0] for found in _SEQUENCE.finditer(stream)),
    )


def flat(text: str) -> str:
    """Return text without blanks, to be sought in what was wrapped to a width."""
    return "".join(Visible(text).translate(_ISOLATES).split())
