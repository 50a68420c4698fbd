"""The rule by which text becomes searchable words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.segment import (
    GAP,
    MAX_CHARACTERS,
    MAX_PHRASE,
    MAX_TERMS,
    Phrase,
    pieces,
    shadow,
    terms,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("设备清单(devices) NAS", "设备 备清 清单 单 devices nas"),
        ("步2 重跑gen-itgc后50条", "步 2 重跑 跑 gen itgc 后 50 条"),
        ("Use C++, C# and g++; issue #12", "use c plusplus c sharp and g plusplus issue 12"),
        ("Café NAÏVE Straße ﬁle", "cafe naive strasse file"),
        ("ｶﾞｰﾄﾞ", "ガー ード ド"),
        ("हिन्दी", "हिन्दी"),
        ("ship 🚀it", "ship 🚀 it"),
        ("┌──┐ │ a", "a"),
        ("hid\u200bden", "hidden"),
        ("src/net/a.py", "src net a py"),
        ("PDFs and IDs", "pdfs and ids"),
        ("parseHTTPHeader", f"parse http header {GAP} parsehttpheader"),
        ("snake_case", f"snake case {GAP} snakecase"),
        ("src/vpn_config.py", f"src vpn config py {GAP} src vpnconfig py"),
        (f"a{GAP}b", "a b"),
        ("\ud800lone", "lone"),
        ("*-→", ""),
    ],
)
def test_the_shadow_of_a_text(text: str, words: str) -> None:
    assert shadow(text) == words


def test_texts_side_by_side_are_kept_apart() -> None:
    assert shadow("one", "", "two") == f"one {GAP} two"


def test_texts_alike_are_said_once() -> None:
    assert shadow("User role", "user-role", "USER ROLE", "role") == f"user role {GAP} role"


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("单", (Phrase(("单",), open=True),)),
        ("设备", (Phrase(("设备",)),)),
        ("设备清", (Phrase(("设备", "备清")),)),
        ("gen步", (Phrase(("gen", "步"), open=True),)),
        ("步2", (Phrase(("步", "2")),)),
        ("GitHub", (Phrase(("git", "hub")), Phrase(("github",)))),
        ('"half', (Phrase(("half",)),)),
    ],
)
def test_the_phrases_of_a_query(query: str, phrases: tuple[Phrase, ...]) -> None:
    assert [term.phrases for term in terms(query)] == [phrases]


def test_terms_are_distinct_and_bounded() -> None:
    assert [term.text for term in terms("a b A * b")] == ["a", "b"]
    assert len(terms(" ".join(map(str, range(2 * MAX_TERMS))))) == MAX_TERMS


def test_of_a_pasted_text_no_word_is_looked_for_in_part() -> None:
    pasted = "word another " * MAX_CHARACTERS
    assert [term.text for term in terms(pasted)] == ["word", "another"]
    assert [term.text for term in terms(f"{'a' * (MAX_CHARACTERS - 2)} cut")] == [
        "a" * (MAX_CHARACTERS - 2)
    ]


@pytest.mark.parametrize("text", ["中" * 300_000, "a-" * 300_000, "a@" * 300_000])
def test_what_one_term_looks_for_has_an_end(text: str) -> None:
    """The engine compares each word of a phrase with each place; a process was killed for its memory."""
    [term] = terms(text)
    assert max(len(phrase.words) for phrase in term.phrases) <= MAX_PHRASE
    assert len(term.text) <= MAX_CHARACTERS


def test_only_scripts_without_spaces_fall_into_pieces() -> None:
    (identifier,) = terms("vpn_config.py")
    (sentence,) = terms("用GitHub发布日期")
    assert pieces(identifier) == (identifier,)
    assert [piece.text for piece in pieces(sentence)] == ["发布", "布日", "日期", "github"]


def holds(text: str, phrase: Phrase) -> bool:
    """Look a phrase up in a shadow as the index would, stems aside."""
    words, asked = shadow(text).split(" "), list(phrase.words)
    for at in range(len(words) - len(asked) + 1):
        *firsts, last = words[at : at + len(asked)]
        if firsts == asked[:-1] and (
            last.startswith(asked[-1]) if phrase.open else last == asked[-1]
        ):
            return True
    return False


tricky = st.text(
    st.sampled_from("aBc1_ .-+#/设备清しガ゙한ภาé\u0301\u200b🚀ß\u3000。"), min_size=1, max_size=24
)


@given(text=tricky | st.text(max_size=40))
def test_every_part_of_a_text_finds_it(text: str) -> None:
    for term in terms(text):
        assert any(holds(text, phrase) for phrase in term.phrases), term


@given(text=st.text(max_size=40))
def test_a_shadow_is_folded_once_and_for_all(text: str) -> None:
    shown = shadow(text)
    assert "  " not in shown
    assert shown == shown.strip()
    assert not any(ord(char) < 128 and not (char.isalnum() or char == " ") for char in shown)
