"""Bytes to text and back, so that what nobody edited keeps its bytes.

A file's text has ``\\n`` line ends, no BOM and nothing undecodable in it. Where that loses something, the
original bytes are kept beside it and an edit is patched into them line by line.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from difflib import SequenceMatcher

from store.folders.entry import Flag, Note

_WIDE = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_NUL_SYMBOL = "\N{SYMBOL FOR NULL}"
_BINARY_SHARE = 0.3
_SAMPLE = 8192


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded file. ``exact`` is whether `encode` gives the bytes after the BOM back."""

    text: str
    bom: bytes
    newline: str
    exact: bool
    notes: tuple[Note, ...] = ()


def is_binary(data: bytes) -> bool:
    """Say whether bytes are no text in any encoding that agents write."""
    sample = data[:_SAMPLE]
    if not sample or _wide(data):
        return False
    odd = sum(1 for byte in sample if byte < 9 or 13 < byte < 27 or 27 < byte < 32)
    return odd / len(sample) > _BINARY_SHARE


def decode(data: bytes) -> Text:
    """Return the text of a file, whatever its bytes: damage becomes U+FFFD, a NUL its symbol."""
    bom, encoding = _encoding(data)
    body = data[len(bom) :]
    notes: list[Note] = []
    if encoding != "utf-8":
        notes.append(Note(Flag.ENCODING, f"{encoding.upper()}, read as text"))
    text = body.decode(encoding, "replace")
    damaged = "\ufffd" in text and _undecodable(body, encoding)
    if damaged:
        notes.append(Note(Flag.ENCODING, "bytes that are not UTF-8 are shown as \ufffd"))
    if "\0" in text:
        notes.append(
            Note(Flag.ENCODING, f"{text.count(chr(0))} NUL characters are shown as symbols")
        )
        text = text.replace("\0", _NUL_SYMBOL)
    newline = _newline(text)
    plain = text.replace("\r\n", "\n") if newline != "\r" else text.replace("\r", "\n")
    exact = encode(plain, newline) == body
    if not exact and not notes:
        notes.append(Note(Flag.ENCODING, "mixed line ends are shown alike"))
    return Text(plain, bom, newline, exact, tuple(notes))


def decode_line(raw: bytes) -> str:
    """Return the text of one line of a UTF-8 file, as `decode` shows it."""
    return raw.decode("utf-8", "replace").replace("\0", _NUL_SYMBOL)


def encode(text: str, newline: str = "\n") -> bytes:
    """Return the UTF-8 bytes of a text with the line ends of its file."""
    if newline != "\n":
        text = text.replace("\n", newline)
    return text.encode("utf-8", "surrogatepass")


def patch(raw: bytes, text: str) -> bytes:
    """Return ``raw`` changed to read ``text``: lines that did not change keep their bytes.

    Args:
        raw: the bytes of an inexact text, BOM included.
        text: the whole new text, with ``\\n`` line ends.
    """
    bom, encoding = _encoding(raw)
    old = decode(raw)
    if encoding != "utf-8":
        return bom + text.replace("\n", old.newline).encode(encoding, "surrogatepass")
    kept = _raw_lines(raw[len(bom) :], b"\r" if old.newline == "\r" else b"\n")
    before, after = _lines(old.text), _lines(text)
    out = [bom]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            out.extend(kept[old_from:old_to])
        else:
            out.extend(encode(line, old.newline) for line in after[new_from:new_to])
    return b"".join(out)


def _encoding(data: bytes) -> tuple[bytes, str]:
    if data.startswith(codecs.BOM_UTF8):
        return codecs.BOM_UTF8, "utf-8"
    return _wide(data) or (b"", "utf-8")


def _wide(data: bytes) -> tuple[bytes, str] | None:
    for bom, name in _WIDE.items():
        if data.startswith(bom) and len(data) % 2 == 0:
            return bom, name
    return None


def _undecodable(body: bytes, encoding: str) -> bool:
    try:
        body.decode(encoding)
    except UnicodeDecodeError:
        return True
    return False


def _newline(text: str) -> str:
    pairs, feeds, returns = text.count("\r\n"), text.count("\n"), text.count("\r")
    if returns and not feeds:
        return "\r"
    return "\r\n" if pairs * 2 > feeds else "\n"


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    ended = [line + "\n" for line in lines[:-1]]
    return ended + ([lines[-1]] if lines[-1] else [])


def _raw_lines(body: bytes, mark: bytes) -> list[bytes]:
    lines = body.split(mark)
    ended = [line + mark for line in lines[:-1]]
    return ended + ([lines[-1]] if lines[-1] else [])
