"""`config`: the settings of the inbox, shown, edited and checked."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tui.cli.columns import Column
from tui.cli.options import Json, Plain
from tui.cli.output import Output, Shape, note, report

if TYPE_CHECKING:
    from tui.settings import Settings

EDITOR = "vi"  # where neither $VISUAL nor $EDITOR says; POSIX has it


def show(json: Json = False, plain: Plain = False) -> None:
    """Show what is set, and where."""
    from tui.app_settings import fit_app
    from tui.settings import read_settings, settings_file

    path = settings_file()
    settings = fit_app(read_settings(path))
    if not Output.choose(json, plain).rows(_SET, list(_set(settings))):
        note("Nothing is set: the app is as it comes.")
    note(str(path) if path.exists() else f"{path} (not there yet)")
    if settings.problems:
        note("config check names what could not be understood.")


def edit() -> None:
    """Open the settings in your editor, and check them afterwards.

    A file that is not there yet begins as an example in which every line is a comment.
    """
    from tui.settings import settings_file

    path = settings_file()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_example(), "utf-8")
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or EDITOR)
    if subprocess.run([*editor, str(path)], check=False).returncode:  # noqa: S603 (the user's own)
        report(
            "The editor failed",
            f"{editor[0]} did not end well",
            "The settings are as it left them.",
        )
        raise typer.Exit(1)
    check()


def check() -> None:
    """Name what in the settings cannot be understood; ends with 1 when something is."""
    from tui.app_settings import fit_app
    from tui.settings import read_settings, settings_file

    path = settings_file()
    settings = fit_app(read_settings(path))
    for problem in settings.problems:
        report("Settings", problem, _place(path, problem))
    if settings.problems:
        raise typer.Exit(1)
    note("The settings are all understood." if path.exists() else "Nothing is set.")


# Settings by their place in the file.
_SET: Shape[tuple[str, str]] = Shape(
    (Column("name", "bold"), Column("value", give="wrap")),
    lambda setting: setting,
    lambda setting: {"name": setting[0], "value": setting[1]},
)


def _set(settings: Settings) -> Iterator[tuple[str, str]]:
    if settings.theme:
        yield "theme", settings.theme
    if settings.text_limit_kb is not None:
        yield "text_limit_kb", str(settings.text_limit_kb)
    yield from ((f"keys.{id}", keys) for id, keys in settings.keys.items())
    yield from ((f"sections.{name}", text) for name, text in settings.sections.items())
    yield from ((f"lens.{name}", level) for name, level in settings.policy.rules.items())
    yield from ((f"trust.{source}", word) for source, word in settings.policy.trust.items())


def _place(path: Path, problem: str) -> str:
    """Return the file, and the line where it names the last word of a problem, if it does."""
    if str(path) in problem:
        return ""
    word = problem.split()[-1]
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if word in line.replace('"', " ").split():
            return f"{path}, line {number}"
    return str(path)


def _example() -> str:
    """Return the example of the settings' own documentation, as comments."""
    from tui import settings

    documented = (settings.__doc__ or "").splitlines()
    shown = [line.strip() for line in documented if line.startswith("    ") or not line.strip()]
    lines = "\n".join(f"# {line}" if line else "" for line in shown).strip("\n")
    return f"# Settings of the inbox. Take the number sign off what you want to set.\n\n{lines}\n"
