"""`history` and `doctor`: what was decided, and whether the store is sound."""

from __future__ import annotations

from typing import Annotated

import typer

from tui.cli.options import Json, Limit, Plain
from tui.cli.output import Output, note
from tui.cli.session import session
from tui.cli.shapes import JOURNAL


def history(
    context: typer.Context,
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only of this record.")] = None,
    limit: Limit = 100,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Show the decision journal, newest first.

    What was done to which record, when and by whom. The journal never holds a text, only its SHA-256.
    """
    with session(context).desk(read_only=True) as desk:
        entries = desk.history(id, limit)
    if not Output.choose(json, plain).rows(JOURNAL, entries):
        note("Nothing was decided yet." if id is None else f"Nothing is known of {id}.")
