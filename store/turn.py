"""What a turn is about, as far as Recall can tell: where it happens, and in which words."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import PurePosixPath

from store.records import RecallRequest
from store.relevance import DIRECTORY, QUERY, TOUCHED
from store.segment import Term, pieces, terms

MAX_WORDS = 64  # of a turn; the query's come first
_FAR_PARTS = 3  # of a path outside the working directory: the home directory above says nothing
_NEAR_PARTS = 2  # of the working directory itself


def words_of(request: RecallRequest) -> dict[Term, float]:
    """Return what to look for, each with its weight; where a word has several sources, the best counts."""
    found: dict[Term, float] = {}
    for term in (piece for whole in terms(request.query) for piece in pieces(whole)):
        found.setdefault(term, QUERY)
    for path in request.files_touched:
        for term in _path_terms(_relative(path, request.working_directory)):
            found.setdefault(term, TOUCHED)
    parts = PurePosixPath(request.working_directory).parts[-_NEAR_PARTS:]
    for term in _path_terms(PurePosixPath(*parts)):
        found.setdefault(term, DIRECTORY)
    return dict(list(found.items())[:MAX_WORDS])


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


def _path_terms(path: PurePosixPath) -> Iterator[Term]:
    """Yield each part of a path as a phrase, and its words; suffixes say the language, not the matter."""
    for part in (*path.parts[:-1], path.stem):
        for whole in terms(part):
            yield whole
            yield from terms(" ".join(word for word in whole.phrases[0].words if len(word) > 1))
