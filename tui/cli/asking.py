"""Questions on stderr, so that answers on stdout stay clean in a pipe."""

from __future__ import annotations

import sys

import typer

from render.visible import visible


def answer_to(question: str) -> str:
    """Ask and return the line that was typed, without blanks around it; Abort at the end of input."""
    print(visible(question), end=" ", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        print(file=sys.stderr)
        raise typer.Abort
    return line.strip()


def is_agreed(question: str) -> bool:
    """Ask a question of yes or no; anything but yes is no."""
    return answer_to(f"{question} [y/N]").lower() in ("y", "yes")


def must_agree(question: str, yes: bool, context: typer.Context) -> bool:
    """Ask whether to go on; without a terminal, --yes must have said so."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise typer.BadParameter("nobody can be asked here: --yes does it without", context)
    return is_agreed(question)
