"""`store copy`: a store in another place, on the same engine or another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from tui.cli.columns import Column
from tui.cli.options import Json, Plain
from tui.cli.output import Output, Shape, note

if TYPE_CHECKING:
    from store.copying import Copied


def copy(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="The store: a file or a database URL.")
    ],
    target: Annotated[
        str,
        typer.Argument(metavar="TO", help="Where to: a new file, or the URL of an empty database."),
    ],
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Copy a store to another place, from one engine to another too.

    All that was written is copied as it is, the journal included; what search needs is built anew. In the
    end every table is compared by number and hash. The source is only read. A copy that broke off is gone
    on with by the same command.
    """
    from store.copying import copy_store
    from store.location import resolve

    places = resolve(source), resolve(target)
    with _progress_bar(quiet=json) as progress:
        done = copy_store(*places, progress)
    Output.choose(json, plain).rows(_tables(), done.tables)
    note(f"{'Went on with a copy that had broken off. ' if done.resumed else ''}Both are the same.")
    if done.behind:
        lines = f"{done.behind} line{'s' if done.behind > 1 else ''}"
        note(
            f"The source was written to meanwhile ({lines} of the journal): copy again to bring that over."
        )


def _tables() -> Shape[Copied]:
    return Shape(
        (Column("table"), Column("rows", justify="right"), Column("sha256", give="cut")),
        lambda copied: (copied.table, f"{copied.rows}", copied.digest),
    )


@contextmanager
def _progress_bar(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Show on a terminal's stderr how far each table is."""
    if quiet or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(
            task, description=what, completed=done, total=total
        )
