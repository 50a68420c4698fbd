"""Write the pages of docs/ that follow from the code: `make docs`; with --check only say which are stale."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import typer.main

from tui.actions import Action, Where, actions_of, spell_key
from tui.cli.app import PROGRAM, app

HERE = Path(__file__).parent
ROOT = HERE.parent
NOTE = "<!-- Written by docs/generate.py (make docs) from the code. Change that instead. -->"


def command_reference() -> str:
    """Return docs/cli.md: each command with its arguments and options, as `--help` has them."""
    root: Any = typer.main.get_command(app)
    parts = [
        NOTE,
        "# Command line",
        "Without a command, `memory-inbox` opens the review inbox. Every command has `--help`.",
        "Answers go to stdout: painted on a terminal, tab-separated in a pipe or with `--plain`, one\n"
        "JSON object a line with `--json`. Errors and remarks go to stderr. Exit codes: 0 done, 1 it\n"
        "failed, 2 the command line could not be understood, 130 interrupted.",
        "## Global options",
        _options(root.params),
    ]
    for name, command in root.commands.items():
        if not command.hidden:
            parts += _command(name, command)
            for inner, subcommand in getattr(command, "commands", {}).items():
                parts += _command(f"{name} {inner}", subcommand)
    return "\n\n".join(part for part in parts if part) + "\n"


def _command(name: str, command: Any) -> list[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    usage = " ".join([PROGRAM, name, "[OPTIONS]", *(_metavar(argument) for argument in arguments)])
    return [
        f"## {name}",
        command.help,
        f"```text\n{usage}\n```",
        _table("argument", ((f"`{_metavar(a)}`", a.help) for a in arguments if a.help)),
        _options(command.params),
    ]


def _options(params: Iterable[Any]) -> str:
    rows = [
        (", ".join(f"`{spelled}`" for spelled in _spellings(param)), _explained(param))
        for param in params
        if param.param_type_name == "option" and not param.hidden
    ]
    return _table("option", rows)


def _spellings(param: Any) -> list[str]:
    value = "" if param.is_flag else f" {_metavar(param)}"
    names = sorted([*param.opts, *param.secondary_opts], key=len)
    return [*names[:-1], names[-1] + value]


def _metavar(param: Any) -> str:
    if param.metavar:
        return str(param.metavar)
    choices = getattr(param.type_descriptor, "choices", None)
    if choices:
        return "|".join(str(choice.value) for choice in choices)
    return str(param.name).strip("_").upper()


def _explained(param: Any) -> str:
    text = (param.help or "").rstrip()
    default = param.show_default if isinstance(param.show_default, str) else param.default
    if param.required:
        text += " Required."
    elif isinstance(default, str | int) and not isinstance(default, bool) and default != "":
        text += f" Default: {default}."
    if param.envvar:
        text += f" Environment: `{param.envvar}`."
    return text


def _table(what: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {first} | {second} |" for first, second in rows]
    return "\n".join([f"| {what} | |", "|---|---|", *lines]) if lines else ""


def key_reference() -> str:
    """Return docs/keys.md: what the keys of each screen do, as the help in the app has it."""
    parts = [
        NOTE,
        "# Keys",
        "`?` shows the keys of the screen at hand. Nothing decides while you type: in a text field, letters\n"
        "are letters.",
    ]
    for where in Where:
        actions = [action for action in actions_of(where) if action.keys]
        if actions:
            parts += [f"## In the {where.value}", _key_table(actions)]
    return "\n\n".join(parts) + "\n"


def _key_table(actions: list[Action]) -> str:
    rows = [
        (f"`{action.id}`", " ".join(f"`{spell_key(key)}`" for key in action.key_names), action.help)
        for action in actions
    ]
    head = ["| action | key | |", "|---|---|---|"]
    return "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows)])


def module_tables() -> str:
    """Return docs/architecture.md with its tables of modules written again from their docstrings."""
    packages = sorted(
        path.parent
        for room in ROOMS
        for path in (ROOT / room).rglob("__init__.py")
        if not UNTABLED & set(path.relative_to(ROOT).parts)
    )
    tables = "\n\n".join(table for package in packages if (table := _modules_of(package)))
    page = (HERE / "architecture.md").read_text("utf-8")
    return _TABLES.sub(lambda found: f"{found[1]}\n{tables}\n{found[2]}", page)


ROOMS = ("render", "store", "tui")
UNTABLED = {"gen", "versions"}  # what is generated, and one migration after another
_TABLES = re.compile(r"(<!-- modules -->)\n.*?(<!-- end -->)", re.S)


def _modules_of(package: Path) -> str:
    """Return a table of a package's own modules and what each is for: its docstring's first sentence."""
    name = package.relative_to(ROOT).as_posix()
    rows = [
        f"| `{name}/{path.name}` | {_purpose(path)} |"
        for path in sorted(package.glob("*.py"))
        if path.name != "__init__.py"
    ]
    if not rows:
        return ""
    about = _purpose(package / "__init__.py")
    return "\n".join([f"### {name}\n\n{about}\n", "| module | its job |", "|---|---|", *rows])


def _purpose(path: Path) -> str:
    documented = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    first = " ".join(documented.split("\n\n")[0].split())
    return re.split(r"(?<=[.])\s", first, maxsplit=1)[0].replace("|", "\\|")


def manual_page() -> str:
    """Return docs/memory-inbox.1, for `man`: the command reference in the macros of man(7)."""
    root: Any = typer.main.get_command(app)
    lines = [
        '.TH MEMORY-INBOX 1 "" "memory-inbox" "User Commands"',
        ".SH NAME",
        "memory-inbox \\- ratify what agents remember",
        ".SH SYNOPSIS",
        ".B memory-inbox",
        "[OPTIONS] [COMMAND [ARGUMENTS]]",
        ".SH DESCRIPTION",
        "Without a command, the review inbox opens. Launched by an agent's host it is a memory provider.",
        *_roff(root.help),
        ".SH OPTIONS",
        *_roff_options(root.params),
        ".SH COMMANDS",
    ]
    for name, command in root.commands.items():
        if not command.hidden:
            arguments = (p for p in command.params if p.param_type_name == "argument")
            usage = " ".join([name, *(_metavar(argument) for argument in arguments)])
            lines += [f".SS {_roff_text(usage)}", *_roff(command.help)]
            lines += _roff_options(command.params)
    lines += [
        ".SH ENVIRONMENT",
        ".TP",
        ".B MEMORY_INBOX_STORE",
        "The store, where --store does not say.",
        ".TP",
        ".B NO_COLOR",
        "Anything here takes the colours away.",
        ".SH EXIT STATUS",
        "0 done, 1 it failed, 2 the command line could not be understood, 130 interrupted.",
    ]
    return "\n".join(lines) + "\n"


def _roff(text: str) -> list[str]:
    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    return [line for paragraph in paragraphs for line in (".PP", _roff_text(paragraph))]


def _roff_options(params: Iterable[Any]) -> list[str]:
    lines = []
    for param in params:
        if param.param_type_name == "option" and not param.hidden:
            spelled = ", ".join(_spellings(param))
            lines += [".TP", f".B {_roff_text(spelled)}", _roff_text(_explained(param))]
    return lines


def _roff_text(text: str) -> str:
    """Return a text whose hyphens stay hyphens to copy, and whose first character is no macro's."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


PAGES: dict[str, Callable[[], str]] = {
    "architecture.md": module_tables,
    "cli.md": command_reference,
    "keys.md": key_reference,
    "memory-inbox.1": manual_page,
}


def stale() -> list[str]:
    """Return the names of pages that no longer say what the code does."""
    return [
        name
        for name, write in PAGES.items()
        if not (HERE / name).exists() or (HERE / name).read_text("utf-8") != write()
    ]


def main(arguments: list[str]) -> int:
    """Write the stale pages, or with ``--check`` name them and fail."""
    old = stale()
    if "--check" in arguments:
        print("\n".join(f"docs/{name} is stale: make docs" for name in old))
        return 1 if old else 0
    for name in old:
        (HERE / name).write_text(PAGES[name](), "utf-8")
        print(f"docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
