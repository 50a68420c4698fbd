"""The facts of a review card: plain values, so that any provider's record makes the same card."""

from __future__ import annotations

from dataclasses import dataclass

from render.lens.finding import Finding
from render.links import Resolution


@dataclass(frozen=True, slots=True)
class CardLink:
    """A link of the record, or of another record to it.

    Args:
        target: what the link names, as written, heading and alias split off.
        found: what became of it; for a backlink, the record that links.
        line: where it stands, from 1; 0 when unknown.
    """

    target: str
    found: Resolution
    line: int = 0


@dataclass(frozen=True, slots=True)
class CardNear:
    """A record much like this one; ``likeness`` is in percent."""

    id: str
    title: str
    likeness: int
    status: str = ""


@dataclass(frozen=True, slots=True)
class CardImpact:
    """Ids of the records whose links a decision changes."""

    resolves: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    makes_ambiguous: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardText:
    """A text of the record that is not the one to decide on: the canonical one, or an earlier."""

    title: str
    content: str


@dataclass(frozen=True, slots=True)
class CardFacts:
    """All that a card shows.

    Args:
        id, title, type, scope, status: as words for people.
        content: Markdown.
        tokens: of the content.
        age: how long ago it was recorded, as text.
        recorded_by, session, turn, project: provenance and binding; empty when unknown.
        audience: whose it is, as words for people; empty for what is nobody's in particular.
        summary: one line, empty for none.
        warnings: of the lens, in any order.
        links: of the text, in order; they also resolve the ``[[links]]`` of the text.
        backlinks: of other records to this one.
        near: records much like it.
        on_approve, on_reject: what deciding does to the links of others.
        base: the canonical text under a revision, None when there is none.
        base_was: the text that the revision was written against, if the base has moved since.
        removes: whether what is to be decided is to forget the base; the content says why then.
        decided_by: provider whose operations approve and reject the card's actions name; empty for a card
            without actions.
        secrets_shown: whether to show the secrets in texts, which are masked until an operator asks.
    """

    id: str
    title: str
    type: str
    scope: str
    status: str
    content: str
    tokens: int
    age: str = ""
    recorded_by: str = ""
    session: str = ""
    turn: str = ""
    project: str = ""
    audience: str = ""
    summary: str = ""
    warnings: tuple[Finding, ...] = ()
    links: tuple[CardLink, ...] = ()
    backlinks: tuple[CardLink, ...] = ()
    near: tuple[CardNear, ...] = ()
    on_approve: CardImpact = CardImpact()
    on_reject: CardImpact = CardImpact()
    base: CardText | None = None
    base_was: CardText | None = None
    removes: bool = False
    decided_by: str = ""
    secrets_shown: bool = False
