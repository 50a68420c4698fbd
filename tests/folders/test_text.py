"""Bytes become text that can be shown, and the way back loses none of them."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.folders.entry import Flag
from store.folders.text import decode, encode, is_binary, patch

LINES = st.lists(
    st.sampled_from(["", "a", "b", "émile", "[[link]]", "---", "tab\there", "§"]), max_size=12
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from([b"", codecs.BOM_UTF8]))
def test_text_with_one_kind_of_line_end_is_exact(
    lines: list[str], newline: str, bom: bytes
) -> None:
    data = bom + newline.join(lines).encode()
    text = decode(data)
    assert text.exact
    assert "\r" not in text.text
    assert text.bom + encode(text.text, text.newline) == data


@given(st.binary(max_size=200))
def test_any_bytes_decode_and_inexact_ones_say_so(data: bytes) -> None:
    text = decode(data)
    assert "\0" not in text.text
    if text.exact:
        assert text.bom + encode(text.text, text.newline) == data
    else:
        assert text.notes


@given(st.binary(max_size=200))
def test_patching_the_same_text_changes_no_byte(data: bytes) -> None:
    text = decode(data)
    if not text.exact:
        assert patch(data, text.text) == data


def test_an_edit_leaves_damaged_bytes_of_other_lines_alone() -> None:
    data = b"one \xe2\x80S\ntwo\r\nthree\n"
    edited = patch(data, decode(data).text.replace("three", "3"))
    assert edited == b"one \xe2\x80S\ntwo\r\n3\n"


@pytest.mark.parametrize("bom", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_utf16_is_read_and_edited_in_its_own_encoding(bom: bytes) -> None:
    encoding = "utf-16-le" if bom == codecs.BOM_UTF16_LE else "utf-16-be"
    data = bom + "Café\r\nsecond\r\n".encode(encoding)
    text = decode(data)
    assert text.text == "Café\nsecond\n"
    assert [note.flag for note in text.notes] == [Flag.ENCODING]
    assert patch(data, "Café\nother\n") == bom + "Café\r\nother\r\n".encode(encoding)


def test_nuls_are_shown_as_symbols_and_their_number_is_reported() -> None:
    data = b"x" * 35_373 + b"\0" * 920
    text = decode(data)
    assert text.text.count("␀") == 920
    assert "920 NUL" in text.notes[0].what
    assert not is_binary(data)


def test_escape_codes_are_text_and_an_image_is_not() -> None:
    assert not is_binary(b"\x1b[31mred\x1b[0m\n" * 40)
    assert is_binary(b"\x89PNG\r\n\x1a\n" + bytes(range(0, 32)) * 8)
