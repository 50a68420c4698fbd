"""The list of commands in `--help`, in sections: what belongs together stands together."""

from __future__ import annotations

from typing import Any, ClassVar

import typer
from typer.core import TyperGroup


class SectionedCommands(TyperGroup):
    """A group whose help lists its commands under the headings of their `rich_help_panel`.

    Typer itself draws these headings only together with boxes around everything, which are wider than they
    are helpful and cost an import of Rich.
    """

    OTHER: ClassVar[str] = "Other"

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        """Write a section for each heading, in the order in which commands were added."""
        sections: dict[str, list[tuple[str, str]]] = {}
        shown = [(name, command) for name, command in self.commands.items() if not command.hidden]
        room = formatter.width - 6 - max(len(name) for name, _ in shown)
        for name, command in shown:
            heading = getattr(command, "rich_help_panel", None) or self.OTHER
            sections.setdefault(heading, []).append((name, command.get_short_help_str(room)))
        widest = max(len(name) for name, _ in shown)
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), text) for name, text in rows])
