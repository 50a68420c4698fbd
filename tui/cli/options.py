"""Options that several commands share, each spelled and explained once."""

from __future__ import annotations

from typing import Annotated

import typer

from store.records import MemoryScope, MemoryType, RecordStatus
from tui.cli.completing import complete_draft, complete_id

TYPE_WORDS = ", ".join(MemoryType)
SCOPE_WORDS = ", ".join(MemoryScope)

Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Plain = Annotated[bool, typer.Option("--plain", help="Plain text, as when piped.")]
Types = Annotated[
    list[MemoryType] | None,
    typer.Option(
        "--type",
        "-t",
        metavar="TYPE",
        help=f"Only this type ({TYPE_WORDS}); repeat for several.",
        show_default=False,
    ),
]
Scopes = Annotated[
    list[MemoryScope] | None,
    typer.Option(
        "--scope",
        "-s",
        metavar="SCOPE",
        help=f"Only this scope ({SCOPE_WORDS}); repeat for several.",
        show_default=False,
    ),
]
Status = Annotated[
    RecordStatus | None,
    typer.Option(
        metavar="STATUS",
        help="Only drafts (pending), or only what was ratified (canonical).",
        show_default=False,
    ),
]
Id = Annotated[
    str, typer.Argument(metavar="ID", help="The record's id.", autocompletion=complete_id)
]
Ids = Annotated[
    list[str],
    typer.Argument(metavar="ID", help="Ids of drafts.", autocompletion=complete_draft),
]

Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="At most so many.")]
