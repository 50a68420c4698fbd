"""One way to cut text into searchable words, for what is indexed and for what is asked.

A full-text engine finds whole words; people search for parts of identifiers, for two characters out of
a Chinese sentence, for ``C++``. So the engine never sees a text itself but its *shadow*, in which every
searchable word stands alone between spaces, and a query is cut by the same rules:

* case, width and accents are folded (NFKC, casefold, combining marks dropped);
* scripts written without spaces become overlapping pairs of characters and the last character alone:
  ``設備清單`` is ``設備 備清 清單 單``, so a phrase of pairs is a substring and one character a prefix;
* ``camelCase``, ``snake_case`` and paths are split, and their unsplit forms follow the text;
* ``C++`` and ``C#`` are spelled out, emoji stand alone, other punctuation only separates.

The engine's tokenizer must split at spaces and nowhere else (FTS5's ``ascii`` does, for a shadow).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import regex

# A word between parts of a shadow that no phrase may bridge. Private use: folding drops such characters,
# so that no query can hold it.
GAP = "\ue000"
MAX_TERMS = (
    1000  # further parts of a query are not looked for; a pasted file must not stall the store
)
MAX_CHARACTERS = 10_000  # likewise: one term of a script without spaces has a word for each
MAX_PHRASE = 64  # words; what follows them is not compared, for each is looked for wherever all before it are

# Scripts that do not put spaces between words, and Hangul, whose particles stick to them.
_UNSPACED_RUN = regex.compile(
    r"""[[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}\p{Yi}
    \p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}ー]&&[\p{L}\p{M}\p{N}]]+""",
    regex.V1 | regex.VERBOSE,
)
_HUMP = regex.compile(r"(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?!\p{Lu}s\b)(?=\p{Lu}\p{Ll})")
_ASCII_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?![A-Z]s\b)(?=[A-Z][a-z])")
_UNDERSCORES = re.compile(r"(?<=[^\W_])_+(?=[^\W_])")
# The sign first: the engine skips to it and looks around there, instead of trying every letter.
_PLUSES = re.compile(r"\+\+(?<=[^\W\d_]\+\+)")
_SHARP = re.compile(r"#(?<=[^\W\d_]#)(?<![^\W_]{2}#)(?![\w#])")
_INVISIBLE = regex.compile(r"\p{Cf}+")
# Marks that accent a letter, not those that are vowels (Devanagari) or voicing (Japanese).
_ACCENT = re.compile(r"[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+")
# Box drawing is a symbol to Unicode and a table's border to everybody else.
_SEPARATOR = regex.compile(r"[[^\p{L}\p{M}\p{N}\p{So}]\u2500-\u259f]+", regex.V1)
_SYMBOL = regex.compile(r"\p{So}")
_ASCII_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}
# What may hold an identifier: as far as the next space or full-width punctuation.
_CHUNK = re.compile(r"[^\s\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that must follow each other; with ``open`` the last may be the beginning of a longer one."""

    words: tuple[str, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """One whitespace-separated part of a query, as written: it occurs where any of its phrases does."""

    text: str
    phrases: tuple[Phrase, ...]


def shadow(*texts: str) -> str:
    """Return the words that stand in the index for some texts, each said once, with gaps between them."""
    return f" {GAP} ".join(filter(None, dict.fromkeys(map(_shadow, texts))))


def terms(query: str) -> tuple[Term, ...]:
    """Cut a query into its distinct terms, in order; parts of nothing but punctuation are no terms."""
    found: dict[tuple[Phrase, ...], Term] = {}
    for part in _bounded(query).split():
        phrases = tuple(dict.fromkeys(filter(None, map(_phrase, _readings(part)))))
        if phrases:
            found.setdefault(phrases, Term(part, phrases))
            if len(found) == MAX_TERMS:
                break
    return tuple(found.values())


def _bounded(query: str) -> str:
    """Return as much of a query as is looked for, no word of it in part unless it is one word."""
    if len(query) <= MAX_CHARACTERS:
        return query
    kept = query[:MAX_CHARACTERS]
    whole, *part = kept.rsplit(maxsplit=1)
    return whole if part and not query[MAX_CHARACTERS].isspace() else kept


def pieces(term: Term) -> tuple[Term, ...]:
    """Return what to look for where a term as a whole occurs nowhere.

    A sentence in a script without spaces is one term; its pairs of characters are its words. Any other
    term is a word, and its own only piece.
    """
    folded = _fold(term.text)
    pairs = [run[i : i + 2] for run in _UNSPACED_RUN.findall(folded) for i in range(len(run) - 1)]
    if not pairs:
        return (term,)
    rest = terms(_UNSPACED_RUN.sub(" ", folded))
    return (*(Term(pair, (Phrase((pair,)),)) for pair in dict.fromkeys(pairs)), *rest)


def _readings(part: str) -> tuple[str, str]:
    """Return an identifier split and whole: the index has both, a text may have either."""
    return _split(part), _UNDERSCORES.sub("", part)


def _shadow(text: str) -> str:
    joined = (_words(_UNDERSCORES.sub("", chunk)) for chunk in _identifiers(text))
    return f" {GAP} ".join(filter(None, (_words(_split(text)), *dict.fromkeys(joined))))


def _identifiers(text: str) -> list[str]:
    if "_" not in text and not _humps(text).search(text):
        return []
    hump = _humps(text)
    return [
        chunk
        for chunk in _CHUNK.findall(text)
        # Most words are lower case: asking that first makes this cheap.
        if "_" in chunk or (not chunk.islower() and hump.search(chunk))
    ]


def _phrase(text: str) -> Phrase | None:
    words = _words(text).split(" ")
    if len(words) > MAX_PHRASE:
        return Phrase(tuple(words[:MAX_PHRASE]))
    last = words[-1]
    if not last:
        return None
    if len(last) > 1 or not _UNSPACED_RUN.fullmatch(last):
        return Phrase(tuple(words))
    # A run that ends the query may go on in the text: its last pair says enough, and where there is
    # none, any word that begins with the character will do.
    if len(words) > 1 and len(words[-2]) == 2 and words[-2][1] == last:
        return Phrase(tuple(words[:-1]))
    return Phrase(tuple(words), open=True)


def _humps(text: str) -> re.Pattern[str] | regex.Pattern[str]:
    return _ASCII_HUMP if text.isascii() else _HUMP


def _split(text: str) -> str:
    return _humps(text).sub(" ", text)


def _words(text: str) -> str:
    """Return the words of a text, humps already split, folded and with single spaces between."""
    text = _SHARP.sub(" sharp ", _PLUSES.sub(" plusplus ", text))
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII_SEPARATORS).split())
    text = _UNSPACED_RUN.sub(_pair_up, _SEPARATOR.sub(" ", _fold(text)))
    return " ".join(_SYMBOL.sub(r" \g<0> ", text).split())


def _pair_up(match: regex.Match[str]) -> str:
    run = match.group()
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    return f" {' '.join(pairs)} {run[-1]} "


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)).casefold()
    return unicodedata.normalize("NFKC", _ACCENT.sub("", folded))
