"""What a turn is about, as far as Recall can tell: where it happens, and in which words."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from store.records import RecallRequest
from store.relevance import DIRECTORY, QUERY, TOUCHED
from store.segment import Phrase, pieces, terms

MAX_WORDS = 48  # of a turn; the query's come first
_FAR_PARTS = 3  # of a path outside the working directory: the home directory above says nothing
_NEAR_PARTS = 2  # of the working directory itself


def words_of(request: RecallRequest) -> dict[Phrase, float]:
    """Return what to look for, each with its weight; where a word has several sources, the best counts."""
    found: dict[Phrase, float] = {}
    for weight, phrase in _phrases(request):
        found.setdefault(phrase, weight)
    return dict(islice(found.items(), MAX_WORDS))


def _phrases(request: RecallRequest) -> Iterator[tuple[float, Phrase]]:
    for term in terms(request.query):
        for piece in pieces(term):
            yield from ((QUERY, phrase) for phrase in piece.phrases)
    for path in request.files_touched:
        for word in _words(_relative(path, request.working_directory)):
            yield TOUCHED, word
    here = PurePosixPath(*PurePosixPath(request.working_directory).parts[-_NEAR_PARTS:])
    for word in _words(here):
        yield DIRECTORY, word


def roots_of(directory: str) -> list[str]:
    """Return the project roots that a directory is in, nearest first: itself and all above.

    Paths are compared as written, `.` and `..` resolved; no file system is asked.
    """
    if not directory:
        return []
    path = PurePosixPath(posixpath.normpath(directory))
    return [str(root) for root in (path, *path.parents) if str(root) != "."]


def _relative(path: str, directory: str) -> PurePosixPath:
    """Return the part of a path that tells something: below the directory, else its last parts."""
    whole = PurePosixPath(posixpath.normpath(path))
    if directory and whole.is_relative_to(directory):
        return whole.relative_to(directory)
    return PurePosixPath(*whole.parts[-_FAR_PARTS:])


def _words(path: PurePosixPath) -> Iterator[Phrase]:
    """Yield the words of a path's parts; a suffix says the language, not the matter."""
    for part in (*path.parts[:-1], path.stem):
        for term in terms(part):
            for piece in pieces(term):
                words = (word for word in piece.phrases[0].words if len(word) > 1)
                yield from (Phrase((word,)) for word in words)
