"""What went wrong, in words for people."""

from __future__ import annotations

from dataclasses import dataclass

from store.errors import MemoryError


@dataclass(frozen=True, slots=True)
class Failure:
    """An error for people, told in one place and, in the app, kept in one list (`tui.jobs.Jobs`).

    Args:
        doing: the description of the job that failed, as in "reading the draft user-role".
        title: the kind of failure, in a few words.
        text: what happened.
        hint: what to do about it, or empty.
    """

    doing: str
    title: str
    text: str
    hint: str = ""


def describe_failure(error: BaseException, doing: str) -> Failure:
    """Put an error into words: the store's own, or one that nobody foresaw."""
    if isinstance(error, MemoryError):
        return Failure(doing, error.title, str(error), error.hint)
    return Failure(
        doing,
        "Something went wrong",
        f"{type(error).__name__}: {error}",
        "This is a defect of the app: please report it.",
    )
