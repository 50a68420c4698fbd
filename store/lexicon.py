"""How often phrases occur in shadow texts, counted as the full-text index counts them."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence

from store.segment import Phrase

_TOKENIZER = "porter ascii"  # of `search_index`
_KEPT = 100_000  # words whose stems are kept; then all are forgotten and learnt again


class Stemmer:
    """Knows the stem of every word it was asked for: it asks the index's own tokenizer, in memory.

    Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, str] = {}
        self._engine: sqlite3.Connection | None = None

    def stems(self, words: Collection[str]) -> dict[str, str]:
        """Return the stem of each word of a shadow."""
        with self._lock:
            if len(self._known) > _KEPT:
                self._known = {}
            if unknown := [word for word in words if word not in self._known]:
                self._learn(unknown)
            return {word: self._known[word] for word in words}

    def _learn(self, words: list[str]) -> None:
        engine = self._ready()
        engine.executemany("INSERT INTO word(rowid, text) VALUES (?, ?)", enumerate(words))
        found = dict(engine.execute("SELECT doc, term FROM stem"))
        engine.execute("DELETE FROM word")
        self._known.update((word, found.get(at, word)) for at, word in enumerate(words))

    def _ready(self) -> sqlite3.Connection:
        if self._engine is None:
            engine = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            engine.execute(f"CREATE VIRTUAL TABLE word USING fts5(text, tokenize='{_TOKENIZER}')")
            engine.execute("CREATE VIRTUAL TABLE stem USING fts5vocab(word, instance)")
            self._engine = engine
        return self._engine


class Counter:
    """Counts phrases in texts by the stems of their words.

    Args:
        phrases: what to count; counts are in this order.
    """

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        asked = list(phrases)
        stems = _STEMMER.stems({word for phrase in asked for word in phrase.words})
        self._sought = [_Sought([stems[word] for word in each.words], each.open) for each in asked]

    def count(self, texts: Sequence[str]) -> list[list[int]]:
        """Return for each phrase how often it occurs in each shadow text; overlapping ones count once."""
        spaced = [f" {text}" for text in texts]
        found = [sought.find(spaced) for sought in self._sought]
        # All that is new is asked for at once: asking costs more than a word does.
        stems = _STEMMER.stems({word for sought in self._sought for word in sought.unknown()})
        for sought in self._sought:
            sought.learn(stems)
        return [sought.count(places) for sought, places in zip(self._sought, found, strict=True)]


class _Sought:
    """A phrase as its stems; with ``open`` the last may be the beginning of one."""

    def __init__(self, stems: Sequence[str], open: bool) -> None:
        self._stems, self._open = stems, open
        self._first = f" {_beginning(stems[0])}"
        words = " ".join(f"{re.escape(_beginning(stem))}[^ ]*" for stem in stems)
        self._pattern = re.compile(f" ({words})")
        self._forms: dict[str, bool] = {}  # what the pattern found, and whether it is the phrase
        self._new: set[str] = set()

    def find(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Return what may be the phrase in each text."""
        # That a text has the first letters is told many times faster than where, and mostly it has not.
        found: list[Sequence[str]] = [
            self._pattern.findall(text) if self._first in text else () for text in texts
        ]
        self._new = set().union(*found) - self._forms.keys()
        return found

    def unknown(self) -> list[str]:
        """Return the words whose stems `learn` needs."""
        return [word for form in self._new for word in form.split(" ")]

    def learn(self, stems: Mapping[str, str]) -> None:
        """Tell which of what was found is the phrase."""
        for form in self._new:
            *firsts, last = (stems[word] for word in form.split(" "))
            *wanted, end = self._stems
            ends = last.startswith(end) if self._open else last == end
            self._forms[form] = ends and firsts == wanted

    def count(self, found: Sequence[Sequence[str]]) -> list[int]:
        """Return how often each text has the phrase, given what was found in it."""
        known = self._forms.__getitem__
        return [sum(map(known, forms)) if forms else 0 for forms in found]


def _beginning(stem: str) -> str:
    """Return what surely begins every word of a stem: all but its last letter, which an ending may change."""
    return stem[:4] if len(stem) > 4 else stem[:-1] or stem


_STEMMER = Stemmer()


def stems_of(words: Collection[str]) -> dict[str, str]:
    """Return the stem of each word of a shadow, by the one stemmer of the process."""
    return _STEMMER.stems(words)
