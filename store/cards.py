"""From what the store knows to what is drawn: the facts of a review card, and the tree of an event."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from render.lens.finding import Finding
from render.lens.lens import DEFAULT
from render.lens.policy import AS_IT_COMES, Policy
from render.lens.provenance import Source
from render.links import Resolution, Standing
from render.markdown import markdown
from render.record import (
    CardFacts,
    CardImpact,
    CardLink,
    CardNear,
    CardText,
    card,
    notice,
    resolver,
)
from render.tree import Group, Node
from store.capabilities import NAME
from store.checks import record_id
from store.errors import NotFound
from store.records import Audience, Impact, LinkEntry, MutationEvent, Record, Review

if TYPE_CHECKING:  # a remote provider's records get cards too, and it has no database
    from sqlalchemy import Connection

_UNITS = (("year", 365 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60))


def facts_of(
    seen: Review,
    now: datetime | None = None,
    *,
    decided_by: str = "",
    policy: Policy = AS_IT_COMES,
) -> CardFacts:
    """Return what the card of a record shows.

    Args:
        now: what the age is measured to; None leaves the age out.
        decided_by: the provider that the card's actions call; empty for a card without actions.
        policy: what the reader has set about warnings.
    """
    record = seen.record
    provenance = record.provenance
    return CardFacts(
        id=record.id,
        title=record.title,
        type=record.type.value,
        scope=record.scope.value,
        status=record.status.value,
        content=record.content,
        tokens=record.tokens,
        age=age(record.created_at, now) if now else "",
        recorded_by=provenance.recorded_by,
        session=provenance.source_session_id,
        turn=provenance.source_turn_id or "",
        project=record.project_root,
        audience=audience_of(record.audience),
        summary=record.summary,
        warnings=findings(record, now, policy),
        links=tuple(CardLink(link.target, _found(link), link.line) for link in seen.links),
        backlinks=tuple(_backlink(link) for link in seen.backlinks),
        near=tuple(
            CardNear(near.id, near.title, int(near.likeness), near.status.value)
            for near in seen.near
        ),
        on_approve=_impact(seen.on_approve),
        on_reject=_impact(seen.on_reject),
        base=_text(seen.base),
        base_was=_text(seen.base_was),
        removes=record.removes,
        decided_by=decided_by,
    )


def findings(
    record: Record, now: datetime | None = None, policy: Policy = AS_IT_COMES
) -> tuple[Finding, ...]:
    """Return what a reviewer should be told about a record before believing it, the worst first.

    Args:
        now: the reader's time; None leaves out what needs one.
        policy: what the reader has set about warnings.
    """
    provenance = record.provenance
    source = Source(
        record.scope.value,
        provenance.source_session_id,
        provenance.source_turn_id or "",
        record.created_at,
        record.updated_at,
        record.rewritten_by,
    )
    found = DEFAULT.look(
        record.content,
        title=record.title,
        summary=record.summary,
        id=record.id,
        targets=record.links,
        source=source,
        echo=record.echo if record.pending else None,
        now=now,
    )
    writers = [provenance.recorded_by, *filter(None, [record.rewritten_by])]
    return policy.judge(found, *writers, kind=_kind_of(record.audience))


def _kind_of(audience: Audience | None) -> str:
    """Return the kind of session that wrote, in a policy's words; empty where that is not known."""
    if audience is None:
        return ""
    return "conversation" if audience.is_conversation else "owner"


def audience_of(audience: Audience | None) -> str:
    """Return who will see a record, in words; empty for what is nobody's in particular."""
    if audience is None:
        return ""
    if not audience.is_conversation:
        return f"agent {audience.agent_id}, its owner alone"
    return (
        f"agent {audience.agent_id}, one conversation: {audience.session_key} {audience.session_id}"
    )


def age(then: datetime, now: datetime) -> str:
    """Return how long ago something was, in its largest unit."""
    seconds = int((now - then).total_seconds())
    for unit, length in _UNITS:
        if seconds >= length:
            count = seconds // length
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now" if seconds >= 0 else "from the future"


def _found(link: LinkEntry) -> Resolution:
    standing = Standing(link.link_class.value)
    return Resolution(standing, link.resolved_id or link.target, candidates=link.candidates)


def _backlink(link: LinkEntry) -> CardLink:
    return CardLink(link.source_id, Resolution(Standing.RESOLVED, link.source_id), link.line)


def _impact(impact: Impact) -> CardImpact:
    return CardImpact(impact.resolves, impact.breaks, impact.makes_ambiguous)


def _text(record: Record | None) -> CardText | None:
    return None if record is None else CardText(record.title, record.content)


def draw(conn: Connection, event: MutationEvent, now: datetime, *, ratified: bool) -> Node:
    """Draw a memory event: the card of its record with the text of the event.

    Args:
        now: what the age is measured to.
        ratified: whether a pending record can be decided on, so that its card has actions.

    A record that is gone is drawn as a notice and the event's text.
    """
    from store.review import review

    try:
        seen = review(conn, record_id(event.record_id), None)
    except NotFound:
        return Group((notice("This memory is not there any more."), _body(event)))
    current = not event.content or event.content == seen.record.content
    undecided = seen.record.pending and current and ratified
    facts = facts_of(seen, now, decided_by=NAME if undecided else "")
    if current:
        return card(facts)
    # What happened is shown as it happened; the links are those that the text has by now.
    changed = notice("This memory has changed since.")
    return Group((changed, card(replace(facts, content=event.content))))


def _body(event: MutationEvent) -> Node:
    return markdown(event.content, resolver(()))
