"""Rule ``hiding``: text that is there and is not meant to be looked at, by its size, place or code."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

import regex

from render.lens.finding import Finding, Severity

RULE = "hiding"

# A blank for the eye; U+2800 and the fillers have no ink either.
_BLANK = "[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]"
_INSIDE = "[^<>]{0,120}?"  # of one tag
_NO_INK = r"(?:white\b|transparent\b|#fff(?:fff)?\b|rgba?\(\s*255\s*,\s*255\s*,\s*255)"
_PATTERNS: tuple[tuple[regex.Pattern[str], Severity, str], ...] = (
    (
        regex.compile(rf"(?<=[^\s|]){_BLANK}{{100,}}(?=[^\s|])"),
        Severity.WARNING,
        "text behind a long run of blanks",
    ),
    (
        regex.compile(r"(?<=\S)(?:[ \t\r]*\n){20,}(?=[ \t]*\S)"),
        Severity.WARNING,
        "text behind many empty lines",
    ),
    (regex.compile(r"<!--(?!-?>).*?(?:-->|\Z)", regex.S), Severity.NOTE, "an HTML comment"),
    (regex.compile(r"<details\b[^>]*>", regex.I), Severity.NOTE, "text that viewers fold away"),
    (
        regex.compile(
            rf"<\w+\b{_INSIDE}(?:\bhidden\b(?=[\s=>/])|\bcolor\s*=\s*[\"']?{_NO_INK}"
            rf"|\bstyle\s*={_INSIDE}(?:display\s*:\s*none|visibility\s*:\s*hidden"
            r"|opacity\s*:\s*0(?![.\d]*[1-9])|font-size\s*:\s*[01](?:px|pt|em|%)?\b"
            rf"|(?<![-\w])color\s*:\s*{_NO_INK}|(?:left|top|text-indent)\s*:\s*-\d{{3,}}px))",
            regex.I,
        ),
        Severity.WARNING,
        "a style that hides text",
    ),
    (
        regex.compile(r"\\(?:text)?color\s*\{\s*white\s*\}|\\phantom\s*\{", regex.I),
        Severity.WARNING,
        "a style that hides text",
    ),
)
_CHEAP = regex.compile(
    rf"<|{_BLANK}{{100}}|\n[ \t\r]*\n[ \t\r]*\n[ \t\r]*\n|color|phantom", regex.I
)
_BLOB = regex.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{80,}={0,2}")
_READABLE = 0.9  # share of printable characters that makes decoded bytes a text


def hiding(text: str) -> Iterator[Finding]:
    """Yield places where text hides from the eye: blanks, comments, folds, styles, encodings."""
    if _CHEAP.search(text):
        for pattern, severity, reason in _PATTERNS:
            for found in pattern.finditer(text):
                yield Finding(RULE, severity, reason, *found.span())
    for found in _BLOB.finditer(text):
        decoded = _decoded(found[0])
        if decoded:
            reason = "text encoded in base64"
            yield Finding(RULE, Severity.WARNING, reason, *found.span(), decoded[:60])


def _decoded(blob: str) -> str:
    """Return the text that a run of base64 spells, empty when it spells none."""
    standard = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        raw = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
        decoded = raw.decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    readable = sum(character.isprintable() or character in "\n\t" for character in decoded)
    return decoded if readable >= _READABLE * len(decoded) and " " in decoded else ""
