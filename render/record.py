"""A record to its review card: what a decision needs first, then the text, then what it is tied to.

The facts come before the text, where the text cannot imitate them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from render.diff import diff
from render.facts import CardFacts, CardImpact, CardLink, CardNear, CardText
from render.lens.finding import Finding, Severity
from render.lens.secrets import masked
from render.links import Resolution, Resolve, Standing, memory_url, standing_nodes
from render.markdown import RULE, markdown
from render.paragraph import Inline, one_line
from render.tree import Action, Collapsible, Group, Link, Node, Text, TextStyle
from render.wikilink import WikiLink

__all__ = [
    "CardFacts",
    "CardImpact",
    "CardLink",
    "CardNear",
    "CardText",
    "card",
    "notice",
    "resolver",
]

_ALIKE = 2  # warnings of one reason: many of one kind must not hide another kind
_HEAD = 500  # characters before the warnings; names that long would push them off a small screen


def card(facts: CardFacts) -> Group:
    """Return the review card of a record: a stack of blocks."""
    changes = facts.base is not None and facts.base.content != facts.content
    if not facts.secrets_shown:
        facts = _without_secrets(facts)
    head = (tuple(_heading(facts)), _badges(facts), *_provenance(facts), *_summary(facts))
    first: list[Node] = [_lines(head), *_warnings(facts.warnings)]
    if _length(head) > _HEAD:
        first = [*first[1:], first[0]]
    parts: tuple[Iterable[Node], ...] = (
        first,
        _near(facts.near),
        _impacts(facts),
        (Group((RULE,)),),
        _text(facts, changes),
        _ties(facts),
        _actions(facts),
    )
    return Group(tuple(chain.from_iterable(parts)))


def _without_secrets(facts: CardFacts) -> CardFacts:
    """Return the facts with secrets masked in every text, also in the texts that a diff would show."""

    def text(given: CardText | None) -> CardText | None:
        return given and CardText(masked(given.title), masked(given.content))

    return replace(
        facts,
        title=masked(facts.title),
        summary=masked(facts.summary),
        content=masked(facts.content),
        base=text(facts.base),
        base_was=text(facts.base_was),
    )


def notice(text: str) -> Group:
    """Return the tree of a plain notice, for what cannot be shown as a record."""
    return Group((Text(text, TextStyle.WARNING),))


def resolver(links: Iterable[CardLink]) -> Resolve:
    """Return a resolver that looks links up by their whole inner text, then by target.

    What it does not know is wanted: the text was written before anything answered to the name.
    """
    known = {link.target: link.found for link in links}

    def resolve(link: WikiLink) -> Resolution:
        found = known.get(link.whole) or known.get(link.target)
        return found or Resolution(Standing.WANTED, link.target)

    return resolve


def _said(text: str, style: TextStyle = TextStyle.NORMAL) -> Text:
    """Return text of the record as part of one line: a line end in it must not make a line of the card."""
    return Text(one_line(text), style)


def _to(id: str, text: str = "") -> Link:
    return Link(one_line(text or id), memory_url(id))


def _lines(lines: Iterable[Sequence[Inline]]) -> Group:
    """Return lines as one paragraph, so that no empty line parts them."""
    nodes = chain.from_iterable((Text("\n"), *line) for line in lines)
    return Group(tuple(nodes)[1:])


def _length(lines: Iterable[Sequence[Inline]]) -> int:
    return sum(len(node.content) for line in lines for node in line if isinstance(node, Text))


def _heading(facts: CardFacts) -> Iterator[Inline]:
    yield _said(facts.title, TextStyle.BOLD)
    if facts.base is not None and facts.base.title != facts.title:
        yield Text(" was ", TextStyle.WARNING)
        yield _said(facts.base.title)


def _badges(facts: CardFacts) -> tuple[Inline, ...]:
    status = "revision" if facts.base is not None else facts.status
    if facts.removes:
        status = "proposes to forget"
    plural = "" if facts.tokens == 1 else "s"
    badges = (
        status,
        facts.type,
        f"{facts.scope} scope",
        f"{facts.tokens} token{plural}",
        facts.age,
    )
    return (_said(facts.id, TextStyle.CODE), _said(" · " + " · ".join(filter(None, badges))))


def _provenance(facts: CardFacts) -> Iterator[tuple[Inline, ...]]:
    parts = (
        facts.recorded_by,
        facts.session and f"session {facts.session}",
        facts.turn and f"turn {facts.turn}",
        facts.project and f"in {facts.project}",
    )
    if any(parts):
        yield (_said(" · ".join(filter(None, parts)), TextStyle.DIM),)
    if facts.audience:
        yield (_said(f"for {facts.audience}"),)


def _summary(facts: CardFacts) -> Iterator[tuple[Inline, ...]]:
    if facts.summary:
        yield (_said(facts.summary, TextStyle.ITALIC),)


def _warnings(found: Sequence[Finding]) -> Iterator[Node]:
    """Yield the warnings, the worst first, each with the text that it is about; few that are alike."""
    alike: dict[tuple[int, str, str], list[Finding]] = {}
    for warning in found:
        key = (-warning.severity.rank, warning.reason, warning.field)
        alike.setdefault(key, []).append(warning)
    lines: list[Sequence[Inline]] = []
    for several in sorted(alike.values(), key=lambda each: -each[0].severity.rank):
        lines += map(_warning, several[:_ALIKE])
        if (more := len(several) - _ALIKE) > 0:
            lines.append((Text(f"  and {more} more like these", TextStyle.DIM),))
    if lines:
        yield _lines(lines)


def _warning(found: Finding) -> tuple[Inline, ...]:
    style = TextStyle.ERROR if found.severity is Severity.DANGER else TextStyle.WARNING
    place = "" if found.field == "content" else f" in the {found.field}"
    told = _said(f"! {found.severity}: {found.reason}{place}", style)
    if not found.excerpt:
        return (told,)
    return (told, Text("  "), _said(found.excerpt, TextStyle.CODE))


def _near(near: Sequence[CardNear]) -> Iterator[Node]:
    if near:
        yield _lines(_near_line(match) for match in near)


def _near_line(match: CardNear) -> tuple[Inline, ...]:
    status = f" {match.status}" if match.status else ""
    return (Text("near  "), _to(match.id, match.title), Text(f"  {match.likeness} %{status}"))


def _impacts(facts: CardFacts) -> Iterator[Node]:
    lines = [
        *_impact("approving", facts.on_approve),
        *_impact("rejecting", facts.on_reject),
    ]
    if lines:
        yield _lines(lines)


def _impact(deciding: str, impact: CardImpact) -> Iterator[tuple[Inline, ...]]:
    for does, ids in (
        ("resolves", impact.resolves),
        ("breaks", impact.breaks),
        ("makes ambiguous", impact.makes_ambiguous),
    ):
        if ids:
            style = TextStyle.NORMAL if does == "resolves" else TextStyle.WARNING
            count = "a link" if len(ids) == 1 else f"{len(ids)} links"
            apart = [node for id in ids for node in (Text(" "), _to(id))]
            yield (Text(f"{deciding} {does} {count} in", style), *apart)


def _text(facts: CardFacts, changes: bool) -> Iterator[Node]:
    """Yield the body; for a revision what it changes, if it does, then its whole text."""
    if facts.content.strip():
        body = markdown(facts.content, resolver(facts.links))
    else:
        body = Group((Text("The text is empty.", TextStyle.DIM),))
    if facts.base is None:
        yield body
        return
    if facts.removes:
        yield notice("Approving moves the whole record to the trash:")
        yield diff(facts.base.content, "")
        yield Collapsible("the proposal", (body,), collapsed_by_default=False)
        return
    if facts.base_was is not None:
        yield notice("The canonical text has changed since this revision was written.")
        yield Collapsible(
            "what changed meanwhile", (diff(facts.base_was.content, facts.base.content),)
        )
    if not changes:
        yield Group((Text("The text is the same as the canonical one.", TextStyle.DIM),))
    elif facts.base.content == facts.content:
        yield Group((Text("The texts differ in secrets alone, which are masked."),))
    else:
        yield diff(facts.base.content, facts.content)
    yield Collapsible("the whole text", (body,))


def _ties(facts: CardFacts) -> Iterator[Node]:
    """Yield the links from the record and to it, each once."""
    ties = [*_tied("→ ", facts.links), *_tied("← ", facts.backlinks)]
    if ties:
        yield Group((RULE,))
        yield _lines(ties)


def _tied(arrow: str, links: Sequence[CardLink]) -> Iterator[tuple[Inline, ...]]:
    for target, found in {link.target: link.found for link in links}.items():
        text = found.id if found.standing is Standing.RESOLVED else target
        yield (Text(arrow), *standing_nodes(one_line(text), found))


def _actions(facts: CardFacts) -> Iterator[Node]:
    """Yield what a host may offer its operator; both name operations that are no tools of a model."""
    if facts.decided_by:
        for name, operation in (("Approve", "ApproveRecord"), ("Reject", "RejectRecord")):
            yield Action(name.lower(), name, operation, {"id": facts.id}, facts.decided_by)
