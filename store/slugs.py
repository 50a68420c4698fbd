"""Record ids: kebab-case slugs that people can read, made from a title or a suggestion.

Letters and digits of any script are kept (NFC, casefolded) with the marks that belong to them; everything
else becomes single hyphens. At most 80 characters, the suffix that makes a taken one unique included.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from sqlalchemy import Connection, bindparam, select

from store.checks import ID_LENGTH as LENGTH
from store.prepared import Prepared
from store.tables import record

FALLBACK = "memory"  # for a title without a letter or digit
_FIRST = 9  # suffixes looked at one by one, before growing strides

_TAKEN = Prepared(select(record.c.pk).where(record.c.id == bindparam("slug")).limit(1))


def slugify(text: str) -> str:
    """Return the slug of a title or suggested id; the slug of a slug is itself."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).strip()
    folded = folded.removesuffix(".md")
    words = "".join(_kept(folded)).split()
    return "-".join(words)[:LENGTH].rstrip("-") or FALLBACK


def _kept(text: str) -> Iterator[str]:
    """Yield the text with a blank for each character that no slug has."""
    inside = False
    for char in text:
        # A mark is part of its letter (Hindi vowels, say); a variation selector is nobody's.
        mark = inside and unicodedata.category(char) in ("Mn", "Mc") and not _selects(char)
        inside = mark or char.isalnum()
        yield char if inside else " "


def _selects(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char == "\u034f"


def suffixed(slug: str, number: int) -> str:
    """Return a slug with a numeric suffix, shortened so that both fit; number 1 is the slug itself."""
    if number == 1:
        return slug
    suffix = f"-{number}"
    return slug[: LENGTH - len(suffix)].rstrip("-") + suffix


def free_slug(conn: Connection, slug: str) -> str:
    """Return the slug, or with the next free suffix; call under the write lock, and use it before leaving.

    Past the first few, a free number is found by doubling and halving: the one before it is taken, but
    a gap left by a deletion may stay unused.
    """
    for number in range(1, _FIRST + 1):
        if not _taken(conn, suffixed(slug, number)):
            return suffixed(slug, number)
    low, high = _FIRST, _FIRST * 2
    while _taken(conn, suffixed(slug, high)):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if _taken(conn, suffixed(slug, middle)):
            low = middle
        else:
            high = middle
    return suffixed(slug, high)


def _taken(conn: Connection, slug: str) -> bool:
    return _TAKEN.first(conn, {"slug": slug}) is not None
