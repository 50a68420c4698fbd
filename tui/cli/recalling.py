"""`recall`: what an agent would be given, and what would be left out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from store.records import Recalled, RecallRequest, Record
from tui.cli.options import Json, Plain, Scopes, Types
from tui.cli.output import Output, note
from tui.cli.session import session
from tui.cli.shapes import RECALLED

Directory = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Where the agent works; the current directory by default.",
        show_default=False,
    ),
]
Files = Annotated[
    list[str] | None,
    typer.Option(
        "--file",
        "-f",
        metavar="FILE",
        help="A file the agent touched; repeat for several.",
        show_default=False,
    ),
]
SessionId = Annotated[
    str,
    typer.Option("--session", metavar="SESSION", help="The agent's session.", show_default=False),
]


def recall(
    context: typer.Context,
    budget: Annotated[
        int, typer.Option("--budget", "-b", metavar="TOKENS", help="What the answer may take.")
    ],
    cwd: Directory = None,
    files: Files = None,
    session_id: SessionId = "",
    query: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Free text, as memory.search takes.", show_default=False),
    ] = "",
    types: Types = None,
    scopes: Scopes = None,
    include_pending: Annotated[
        bool, typer.Option("--include-pending", help="Drafts too, as if all were approved.")
    ] = False,
    sections: Annotated[
        bool, typer.Option("--sections", help="As the context sections that a host makes of it.")
    ] = False,
    dropped: Annotated[
        bool, typer.Option("--dropped", help="What was left out for want of budget instead.")
    ] = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Show what an agent would be given.

    Whole records in rank order, together never over the budget.
    """
    request = RecallRequest(
        token_budget=budget,
        session_id=session_id,
        files_touched=tuple(files or ()),
        working_directory=str((cwd or Path.cwd()).resolve()),
        types=tuple(types or ()),
        scopes=tuple(scopes or ()),
        include_pending=include_pending,
        query=query,
    )
    output = Output.choose(json, plain)
    with session(context).desk(read_only=True) as desk:
        outcome = desk.preview_recall(request)
        if outcome.dropped and not outcome.given and not dropped:
            desk.recall(request)  # fails as it would for a host, naming the smallest candidate
        provider = desk.describe().name
    chosen = outcome.dropped if dropped else outcome.given
    if sections:
        for scored in chosen:
            _section(output, provider, scored.record)
    else:
        output.rows(RECALLED, chosen)
    _summary(outcome)


def section_label(record: Record) -> str:
    """Return the label of a record's context section, as hosts write it."""
    return f"memory:{record.type}:{record.id}"


def _section(output: Output, provider: str, record: Record) -> None:
    output.block(
        f"{provider} {section_label(record)} {record.tokens} tokens, dynamic",
        record.content,
        {
            "provider": provider,
            "label": section_label(record),
            "content": record.content,
            "tokens": record.tokens,
            "stability": "dynamic",
        },
    )


def _summary(outcome: Recalled) -> None:
    left = f", {len(outcome.dropped)} left out" if outcome.dropped else ""
    note(
        f"{len(outcome.given)} given, {outcome.tokens} of {outcome.token_budget} tokens{left}"
        if outcome.given or outcome.dropped
        else "Nothing to recall here."
    )
