"""A snippet shows why a record was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.segment import terms
from store.snippet import WIDTH, snippet

LONG = (
    "Words to begin with. " * 20
    + "We cut the release on\n\n2026-03-14, after the freeze. "
    + "More. " * 60
)


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("2026-03-14", "2026-03-14"),
        ("RELEASE", "release"),
        ("freezes", "freeze"),  # another form of the word
        ("absent freeze", "freeze"),
    ],
)
def test_it_is_the_text_around_the_first_match(query: str, shown: str) -> None:
    text = snippet(LONG, terms(query))
    assert shown in text
    assert text.startswith("…")
    assert text.endswith("…")
    assert "\n" not in text


def test_without_a_match_it_is_the_beginning() -> None:
    assert snippet(LONG, terms("zebra")).startswith("Words to begin with.")


def test_a_short_text_is_shown_whole_and_raw() -> None:
    assert snippet("a \x1b[31mred\x1b[0m  word", terms("red")) == "a \x1b[31mred\x1b[0m word"


def test_a_word_within_a_word_is_not_preferred() -> None:
    text = "x " * 100 + "category " + "x " * 100 + "a cat sat " + "x " * 100
    assert "a cat sat" in snippet(text, terms("cat"))


def test_a_match_in_a_script_without_spaces() -> None:
    assert "设备清单" in snippet("字" * 300 + "设备清单" + "字" * 300, terms("备清"))


@given(content=st.text(max_size=500), query=st.text(max_size=20))
def test_it_is_one_line_of_bounded_width(content: str, query: str) -> None:
    text = snippet(content, terms(query))
    assert len(text) <= WIDTH
    assert "\n" not in text
