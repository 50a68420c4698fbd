"""Which invisible characters are ordinary writing where they stand.

Joiners by RFC 5892, appendix A (ZWNJ and ZWJ), loosened for Bengali, Malayalam and Kurdish habits;
emoji by UTS 51; ideographic variants by UTS 37; zero-width space between words of scripts that write
none. Each may stand once, beside the letters that need it: a run of them is never writing.
"""

from __future__ import annotations

from collections.abc import Callable

import regex

ZWNJ, ZWJ, ZWSP = "\u200c", "\u200d", "\u200b"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_REACH = 12  # characters looked at on each side: longer than any sequence that is allowed


def belongs(text: str, at: int) -> bool:
    """Tell whether the invisible character at an offset is part of the writing around it."""
    character = text[at]
    rule = _RULES.get(character)
    if rule is None:
        rule = next((rule for first, last, rule in _RANGES if first <= character <= last), None)
    return rule is not None and rule(text[max(0, at - _REACH) : at], text[at : at + _REACH])


def _zero_width_joiner(before: str, here: str) -> bool:
    return bool(
        (_EMOJI_BEFORE.search(before) and _EMOJI_AFTER.match(here, 1))
        or _VIRAMA_BEFORE.search(before)
        or (_INDIC_BEFORE.search(before) and _VIRAMA_AFTER.match(here, 1))
        or (_ARABIC_BEFORE.search(before) and not _JOINER_AFTER.match(here, 1))
    )


def _zero_width_non_joiner(before: str, here: str) -> bool:
    return bool(
        (_VIRAMA_BEFORE.search(before) and _LETTER_AFTER.match(here, 1))
        or (_JOINS_LEFT.search(before) and _JOINS_RIGHT.match(here, 1))
        or (before.endswith("\u0647") and not _JOINER_AFTER.match(here, 1))  # Kurdish heh
    )


def _zero_width_space(before: str, here: str) -> bool:
    return bool(_UNSPACED_BEFORE.search(before) and _UNSPACED_AFTER.match(here, 1))


def _emoji_style(before: str, here: str) -> bool:
    return bool(_EMOJI_CHARACTER.search(before) or (_KEY.search(before) and here[1:2] == "\u20e3"))


def _tag(before: str, here: str) -> bool:
    """Allow the tags of the three subdivision flags that fonts have: England, Scotland, Wales."""
    tail = before.rpartition(_BLACK_FLAG)
    return bool(tail[1]) and (tail[2] + here).startswith(_FLAG_TAGS)


def _mongolian(before: str, here: str) -> bool:
    return bool(_MONGOLIAN.search(before))


def _ideograph_variant(before: str, here: str) -> bool:
    return bool(_VARIES.search(before))


_BLACK_FLAG = "\U0001f3f4"
_MARKS = r"\p{M}*+"
_EMOJI_BEFORE = regex.compile(r"\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?$")
_EMOJI_AFTER = regex.compile(r"\p{Extended_Pictographic}")
_EMOJI_CHARACTER = regex.compile(r"[\p{Emoji}--[0-9#*]]\p{Emoji_Modifier}?$", regex.V1)
_KEY = regex.compile(r"[0-9#*]$")
_VIRAMA_BEFORE = regex.compile(r"\p{ccc=9}$")
_VIRAMA_AFTER = regex.compile(r"\p{ccc=9}")
_INDIC_BEFORE = regex.compile(r"[\p{Indic_Syllabic_Category=Consonant}]\p{ccc=7}?$")
_LETTER_AFTER = regex.compile(r"[\p{L}\p{M}]")
_JOINER_AFTER = regex.compile(r"\p{Join_Control}")
_ARABIC_BEFORE = regex.compile(r"[\p{Joining_Type=D}\p{Joining_Type=L}]\p{Joining_Type=T}?$")
_JOINS_LEFT = regex.compile(
    r"[\p{Joining_Type=D}\p{Joining_Type=L}][\p{Joining_Type=T}--\p{Join_Control}]{0,4}$", regex.V1
)
_JOINS_RIGHT = regex.compile(
    r"[\p{Joining_Type=T}--\p{Join_Control}]{0,4}[\p{Joining_Type=D}\p{Joining_Type=R}]", regex.V1
)
_UNSPACED = r"[\p{Khmer}\p{Thai}\p{Lao}\p{Myanmar}\p{Tibetan}]"
_UNSPACED_BEFORE = regex.compile(_UNSPACED + "$")
_UNSPACED_AFTER = regex.compile(_UNSPACED)
_MONGOLIAN = regex.compile(r"\p{Mongolian}$")
_VARIES = regex.compile(r"[\p{Unified_Ideograph}\p{Myanmar}\p{Phags_Pa}\p{Sm}]$")

_FLAG_TAGS = tuple(
    "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)

_Rule = Callable[[str, str], bool]  # what stands before, and the text from the character on
_RULES: dict[str, _Rule] = {
    ZWJ: _zero_width_joiner,
    ZWNJ: _zero_width_non_joiner,
    ZWSP: _zero_width_space,
    _TEXT_STYLE: _emoji_style,
    _EMOJI_STYLE: _emoji_style,
    "\u180e": _mongolian,
}
_RANGES: tuple[tuple[str, str, _Rule], ...] = (
    ("\u180b", "\u180f", _mongolian),
    ("\ufe00", "\ufe0d", _ideograph_variant),
    ("\U000e0020", "\U000e007f", _tag),
    ("\U000e0100", "\U000e01ef", _ideograph_variant),
)
