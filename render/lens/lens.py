"""The lens over a record: every rule over every text that it belongs to, within a bound of findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, islice

from render.lens.addresses import deceptive_addresses, deceptive_links
from render.lens.echoes import echoes
from render.lens.excerpt import with_excerpts
from render.lens.finding import Echo, Finding, Severity
from render.lens.hidden import hidden
from render.lens.hiding import hiding
from render.lens.lookalikes import look_alikes, name_look_alikes
from render.lens.orders import instructions
from render.lens.provenance import Source, contradictions
from render.lens.secrets import secrets

_RULES: tuple[Callable[[str], Iterable[Finding]], ...] = (
    hidden,
    look_alikes,
    deceptive_links,
    deceptive_addresses,
    hiding,
    secrets,
    instructions,
)
_MOST = 20  # findings of one rule in one text: more do not help a reader
_LONGEST = 400_000  # characters of a text that are looked at; the store takes no longer ones


@dataclass(frozen=True, slots=True)
class Lens:
    """Which rules look, and from which severity on an item counts as flagged.

    Args:
        off: names of rules to leave out.
        flags: the least severity that flags an item; less is only shown on its card.
    """

    off: frozenset[str] = field(default_factory=frozenset)
    flags: Severity = Severity.WARNING

    def look(
        self,
        content: str,
        *,
        title: str = "",
        summary: str = "",
        id: str = "",
        targets: Iterable[str] = (),
        source: Source | None = None,
        echo: Echo | None = None,
        now: datetime | None = None,
    ) -> tuple[Finding, ...]:
        """Return what is to be said about a record, the worst first.

        Args:
            content: Markdown.
            title, summary, id: of the record.
            targets: of its links, as written.
            source: where it says that it comes from, None to leave that out.
            echo: what the content repeats of a text that its writer was given, see `render.lens.echoes`.
            now: the reader's time.
        """
        found = chain(
            _through(content, "content", echoes(echo)),
            _through(title, "title"),
            _through(summary, "summary"),
            _of_names(id, targets, content),
            contradictions(source, now) if source else (),
        )
        kept = [finding for finding in found if finding.rule not in self.off]
        return tuple(sorted(kept, key=lambda finding: -finding.severity.rank))

    def is_flagged(self, found: Iterable[Finding]) -> bool:
        """Tell whether findings keep an item out of bulk approval."""
        return any(finding.severity.rank >= self.flags.rank for finding in found)


DEFAULT = Lens()
"""Every rule, and flags from warnings on."""


def _through(text: str, name: str, known: Iterable[Finding] = ()) -> Iterator[Finding]:
    text = text[:_LONGEST]
    if not text:
        return
    found = chain(chain.from_iterable(islice(rule(text), _MOST) for rule in _RULES), known)
    for finding in with_excerpts(found, text):
        yield finding if name == "content" else replace(finding, field=name)


def _of_names(id: str, targets: Iterable[str], content: str) -> Iterator[Finding]:
    for name, which in chain([(id, "id")], ((target, "link") for target in dict.fromkeys(targets))):
        if not name.isascii():
            found = islice(chain(name_look_alikes(name, content), hidden(name)), _MOST)
            for finding in with_excerpts(found, name):
                yield replace(finding, field=which)
