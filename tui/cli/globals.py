"""The options that stand before a command: where to work, as whom, and what is logged."""

from __future__ import annotations

from typing import Annotated

import typer

StorePlace = Annotated[
    str | None,
    typer.Option(
        envvar="MEMORY_INBOX_STORE",
        metavar="PLACE",
        help="The store: a file or a database URL.",
        show_default="agent/memory/inbox.db in your data directory",
    ),
]
Provider = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Another memory provider: exec:PATH launches a plugin, unix:PATH connects.",
        show_default=False,
    ),
]
Reviewer = Annotated[
    str,
    typer.Option(
        envvar="MEMORY_INBOX_REVIEWER",
        metavar="NAME",
        help="Who decides: named in the journal and in claims on drafts.",
        show_default="your user name",
    ),
]
ReadOnlyFlag = Annotated[
    bool,
    typer.Option(
        "--read-only",
        help="Only look: nothing is written to the store, and what would write says so.",
    ),
]
Linear = Annotated[
    bool,
    typer.Option(
        "--linear",
        help="The inbox line by line, for screen readers and pipes: no screen is drawn.",
    ),
]
LogFile = Annotated[
    str | None,
    typer.Option(
        "--log-file",
        envvar="MEMORY_INBOX_LOG_FILE",
        metavar="FILE",
        help="Append what is done to a file, as JSON lines; no memory's text gets there.",
        show_default=False,
    ),
]
LogLevel = Annotated[
    str,
    typer.Option(
        "--log-level",
        envvar="MEMORY_INBOX_LOG_LEVEL",
        metavar="LEVEL",
        help="The least that is written there: debug, info, warning or error.",
    ),
]
