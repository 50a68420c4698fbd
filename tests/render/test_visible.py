"""Nothing hidden and nothing that drives a terminal gets past `visible`; what scripts need does."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from render.visible import (
    Revealed,
    Visible,
    cell_width,
    fit,
    graphemes,
    isolate,
    join,
    name_of,
    pad,
    reveal,
    visible,
)

CASES = json.loads((Path(__file__).parents[1] / "cases" / "terminal.json").read_text())
ANYTHING = st.text(st.characters(exclude_categories=()))  # lone surrogates too
HIDDEN = st.text(
    st.sampled_from(
        "\x00\t\n\r\x1b\x7f\x9b\xad\u034f\u061c\u115f\u200b\u200c\u200d\u202e\u2028\u2066"
    )
    | st.sampled_from("\ufe0f\ufe0e\ufeff\U000e0041\U000e0101\ue000\ud800\u0301ابक्क\U0001f468a1"),
    max_size=20,
)


@pytest.mark.parametrize("text", CASES["strings"])
def test_every_character_of_a_hostile_string_is_shown(text: str) -> None:
    shown = visible(text)
    left = str(shown)
    for character in text:
        mark = character if character in left else name_of(character)
        before, found, left = left.partition(mark)
        assert found
        assert before == ""
    assert left == ""


@pytest.mark.parametrize("text", CASES["must_not_be_flagged"])
def test_what_a_script_or_an_emoji_needs_passes_untouched(text: str) -> None:
    assert reveal(text) == Revealed(Visible(text))


ORDINARY = {
    "Bengali ya-phala": "র\u200d\u09cdয\u09be\u09ac",
    "Malayalam chillu": "ക\u0d4d\u200d",
    "Sinhala conjunct": "අක\u0dca\u200dෂර",
    "Kurdish heh": "نامه\u200c ",
    "Khmer word space": "ភាសា\u200bខ្មែរ",
    "Mongolian variant": "ᠠ\u180b",
    "ideographic variant": "葛\U000e0100",
    "keycap": "1\ufe0f\u20e3",
    "flag of England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "kiss": "\U0001f469\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468",
    "skin tone": "\U0001f469\U0001f3fd\u200d\U0001f680",
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "decomposed": "e\u0301",
}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_writing_is_not_flagged(text: str) -> None:
    assert reveal(text).marks == ()


STRAY = {
    "joiner in Latin": "pass\u200dword",
    "two joiners": "می\u200c\u200cخ",
    "two variation selectors": "\U0001f600\ufe0f\ufe0f",
    "selector on a letter": "a\ufe0f",
    "tags after a flag": "\U0001f3f4\U000e0068\U000e0069\U000e007f",
    "zero-width space in Latin": "a\u200bb",
    "soft hyphen": "a\u00adb",
    "Hangul filler": "a\u3164",
    "leading combining mark": "\u0301a",
    "a pile of combining marks": "z" + "\u0301" * 9,
    "byte order mark": "\ufeffa",
    "non-character": "\ufdd0",
    "lone surrogate": "\udc80",
}


@pytest.mark.parametrize("text", STRAY.values(), ids=STRAY.keys())
def test_the_same_characters_elsewhere_are(text: str) -> None:
    assert reveal(text).marks != ()


@given(ANYTHING | HIDDEN)
def test_no_control_format_or_surrogate_is_left_but_joiners_and_tags_of_emoji(text: str) -> None:
    allowed = set("\u200b\u200c\u200d\u180e") | {chr(code) for code in range(0xE0020, 0xE0080)}
    for character in visible(text):
        kind = unicodedata.category(character)
        assert kind not in ("Cc", "Cs", "Co", "Zl", "Zp")
        assert kind != "Cf" or character in allowed or "\u0600" <= character <= "\U000110cd"
        assert (
            character
            not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
        )


@given(ANYTHING | HIDDEN)
def test_marks_say_where_and_the_rest_is_the_text_itself(text: str) -> None:
    shown = reveal(text)
    left, done = "", 0
    for mark in shown.marks:
        assert shown.text[mark.start : mark.end] == name_of(text[mark.raw])
        assert shown.position(mark.raw) == mark.start
        left += shown.text[done : mark.start] + text[mark.raw]
        done = mark.end
    assert left + shown.text[done:] == text
    assert visible(shown.text) == shown.text


@given(ANYTHING | HIDDEN, st.integers(0, 30))
def test_fitting_never_splits_a_grapheme_and_never_exceeds_its_cells(text: str, cells: int) -> None:
    shown = visible(text)
    short = fit(shown, cells)
    assert cell_width(short) <= cells
    assert cell_width(pad(shown, cells)) == cells
    if short != shown and cells:
        kept = graphemes(short[:-1])
        assert kept == graphemes(shown)[: len(kept)]
    assert "".join(graphemes(shown)) == shown


def test_line_feeds_stay_where_lines_are_wanted_and_tabs_reach_their_stops() -> None:
    assert visible("a\n\tb") == "a␊␉b"
    assert visible("a\n\tb\tc\r", newlines=True, tab=4) == "a\n    b   c␍"
    assert visible("漢\tx", tab=4) == "漢  x"
    assert visible(Visible("a\nb")) == "a␊b"


def test_cutting_and_joining_keep_the_type_that_may_be_painted() -> None:
    text = visible("\x1bab")
    assert all(isinstance(part, Visible) for part in (text[0], text[1:], text + text, text * 2))
    assert isinstance(join([text, text], visible(", ")), Visible)
    assert not isinstance(text + "raw", Visible)


def test_right_to_left_names_are_isolated_and_others_left_alone() -> None:
    assert isolate(visible("שלום")) == "\u2068שלום\u2069"
    assert isolate(visible("hello")) == "hello"


def test_graphemes_are_measured_as_terminals_draw_them() -> None:
    widths = {"⚠\ufe0f": 2, "⚠": 1, "漢字": 4, "e\u0301": 1, "\U0001f468\u200d\U0001f469": 2, "": 0}
    assert {text: cell_width(visible(text)) for text in widths} == widths


@given(
    st.text(st.sampled_from("🇦🇿a\u0301\u200d👨\u0903\u0600\u1100\u1161क\u094d\ufe0f"), max_size=12)
)
def test_graphemes_are_those_of_unicode(text: str) -> None:
    shown = visible(text)
    assert list(map(str, graphemes(shown))) == regex.findall(r"\X", shown)


def test_a_text_of_nothing_but_flags_is_cut_in_one_pass() -> None:
    """Looking back through the run at each flag would take hours for this one."""
    assert len(graphemes(visible("🇨🇭" * 1_000_000))) == 1_000_000
