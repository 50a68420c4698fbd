"""`list`, `show`, `search` and `count`: looking without changing anything."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

import typer

from store.provider import Desk
from store.records import Counts, Record, RecordFilter, RecordStatus
from tui.cli.options import Id, Json, Limit, Plain, Scopes, Status, Types
from tui.cli.output import Output, as_fields, note
from tui.cli.session import session
from tui.cli.shapes import COUNTS, HITS, RECORDS

PAGE = 500  # the largest page a provider gives


def list_records(
    context: typer.Context,
    status: Status = None,
    types: Types = None,
    scopes: Scopes = None,
    limit: Limit = 50,
    everything: Annotated[bool, typer.Option("--all", help="All of them, however many.")] = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """List records and drafts, newest first."""
    query = RecordFilter(tuple(types or ()), tuple(scopes or ()), status)
    output = Output.choose(json, plain)
    with session(context).desk(read_only=True) as desk:
        records = sweep(desk, query, None if everything else limit)
        shown = output.rows(RECORDS, records)
        if shown == 0:
            note("Nothing here yet." if query == RecordFilter() else "Nothing matches.")
        elif shown == limit and not everything:
            rest = _matching(desk.count(query), status) - shown
            if rest > 0:
                note(f"{rest} more: --all shows them")


def show(
    context: typer.Context,
    id: Id,
    status: Status = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Show one record as a reviewer sees it.

    Its text, its links both ways, records much like it, and what a decision would do to links. Of an id
    with a canonical text and a pending revision, the revision is shown unless --status asks otherwise.
    """
    from tui.cards import judge_by, node_of
    from tui.settings import read_settings, settings_file

    chosen = session(context)
    judge_by(read_settings(settings_file(), chosen.provider).policy)
    with chosen.desk(read_only=True) as desk:
        review = desk.review(id, status)
    fields = as_fields(review.record) | {"review": as_fields(review)}
    del fields["review"]["record"]
    Output.choose(json, plain).document(node_of(review, datetime.now(UTC)), fields)


def search(
    context: typer.Context,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="Words, taken literally.")],
    status: Status = None,
    types: Types = None,
    scopes: Scopes = None,
    limit: Limit = 20,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Find records by their words, best match first."""
    query = RecordFilter(tuple(types or ()), tuple(scopes or ()), status)
    with session(context).desk(read_only=True) as desk:
        found = desk.search(" ".join(text), query, limit)
    if not Output.choose(json, plain).rows(HITS, found):
        note("Nothing matches.")


def count(
    context: typer.Context,
    status: Status = None,
    types: Types = None,
    scopes: Scopes = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Count records and drafts.

    With --status just the number, for prompts and status bars.
    """
    query = RecordFilter(tuple(types or ()), tuple(scopes or ()))
    with session(context).desk(read_only=True) as desk:
        counts = desk.count(query)
    output = Output.choose(json, plain)
    if status is not None:
        number = _matching(counts, status)
        output.answer(str(number), {status.value: number})
    elif json:
        output.json(as_fields(counts) | {"total": counts.total})
    else:
        output.rows(COUNTS, _named(counts))


def sweep(desk: Desk, query: RecordFilter, limit: int | None) -> Iterator[Record]:
    """Yield what a filter matches page by page, at most ``limit`` records (None: all of them)."""
    token = ""
    while limit is None or limit > 0:
        page = desk.browse(query, PAGE if limit is None else min(limit, PAGE), token)
        yield from page.records
        token = page.next_page_token
        if not token:
            return
        if limit is not None:
            limit -= len(page.records)


def _matching(counts: Counts, status: RecordStatus | None) -> int:
    if status is None:
        return counts.total
    return counts.pending if status is RecordStatus.PENDING else counts.canonical


def _named(counts: Counts) -> tuple[tuple[str, int], ...]:
    return (
        ("pending", counts.pending),
        ("revisions among them", counts.revisions),
        ("canonical", counts.canonical),
        ("in the trash", counts.trashed),
    )
