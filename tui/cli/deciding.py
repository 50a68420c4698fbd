"""`approve` and `reject`: the operator's decisions, each checked against the draft as it was read."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from store.errors import MemoryError
from store.provider import Desk
from store.records import Impact, RecordStatus, Review
from tui.cli.options import Ids, Json, Plain
from tui.cli.output import Output, report
from tui.cli.session import session

Revision = Annotated[
    str | None,
    typer.Option(
        metavar="REVISION",
        help="Only if the draft still has this revision (see list --json); with a single id.",
        show_default=False,
    ),
]
Verb = Literal["approve", "reject"]


def approve(
    context: typer.Context,
    ids: Ids,
    revision: Revision = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Make drafts canonical: from now on they are recalled."""
    _decide(context, "approve", ids, revision, Output.choose(json, plain))


def reject(
    context: typer.Context,
    ids: Ids,
    revision: Revision = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Discard drafts for good.

    The text of a draft is destroyed. Where it was to replace a canonical record, that stays as it is.
    """
    _decide(context, "reject", ids, revision, Output.choose(json, plain))


def _decide(
    context: typer.Context, verb: Verb, ids: list[str], revision: str | None, output: Output
) -> None:
    if revision is not None and len(ids) > 1:
        raise typer.BadParameter("one revision cannot be that of several drafts", context)
    failed = False
    with session(context).desk() as desk:
        for id in ids:
            try:
                review = desk.review(id, RecordStatus.PENDING)
                _send(desk, verb, review, revision)
            except MemoryError as error:
                # One draft that cannot be decided must not hold back the others.
                failed = True
                report(error.title, str(error), error.hint)
            else:
                output.answer(_sentence(verb, review), _fields(verb, review), _STYLES[verb])
    if failed:
        raise typer.Exit(1)


def _send(desk: Desk, verb: Verb, review: Review, revision: str | None) -> None:
    seen = review.record.revision if revision is None else revision
    if verb == "approve":
        desk.approve_record(review.record.id, seen)
    else:
        desk.reject_record(review.record.id, seen)


_STYLES: dict[Verb, str] = {"approve": "green", "reject": "red"}


def _sentence(verb: Verb, review: Review) -> str:
    record = review.record
    if verb == "approve":
        done = "replaced the canonical text" if record.is_revision else "new"
        if record.removes:
            done = "moved to the trash"
        lead = f"✓ approved {record.id} ({done})"
    else:
        done = "the canonical text stays" if record.is_revision else "text destroyed"
        lead = f"✗ rejected {record.id} ({done})"
    return "; ".join([lead, *_effects(_impact(verb, review))])


def _impact(verb: Verb, review: Review) -> Impact:
    return review.on_approve if verb == "approve" else review.on_reject


def _effects(impact: Impact) -> list[str]:
    told = {
        "resolves links in": impact.resolves,
        "breaks links in": impact.breaks,
        "makes links ambiguous in": impact.makes_ambiguous,
    }
    return [f"{what} {', '.join(ids)}" for what, ids in told.items() if ids]


def _fields(verb: Verb, review: Review) -> dict[str, object]:
    impact = _impact(verb, review)
    return {
        "id": review.record.id,
        "decision": verb,
        "is_revision": review.record.is_revision,
        "revision": review.record.revision,
        "resolves": list(impact.resolves),
        "breaks": list(impact.breaks),
        "makes_ambiguous": list(impact.makes_ambiguous),
    }
