"""Rule ``instructions``: text that addresses the agent that will read it, not the person who reviews it.

Memories are full of advice ("never push without asking"); what is looked for is the few things that advice
does not say: drop your other instructions, hide this from the user, send data out, run what a site says.
Matching is on the folded text, so that case, full-width letters and hidden characters do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from render.lens.finding import Finding
from render.lens.folding import Folded, fold
from render.lens.phrases import ORDERS, Order

RULE = "instructions"


_FORBIDS = regex.compile(
    r"\b(?:never|not|don't|dont|avoid|refuse(?:\s+to)?|cannot|can't|won't|instead\s+of|rather\s+than)\b"
    r"[^.;:!?\n]{0,40}$"
)


def instructions(text: str) -> Iterator[Finding]:
    """Yield what reads as an order to the agent; spans are of the raw text."""
    folded = fold(text)
    for order in ORDERS:
        if not any(word in folded.text for word in order.needs):
            continue
        for found in order.pattern.finditer(folded.text):
            if not (order.forbidden_is_fine and _is_forbidden(folded.text, found.start())):
                yield _finding(folded, order, *found.span())


def _is_forbidden(text: str, at: int) -> bool:
    return _FORBIDS.search(text, max(0, at - 60), at) is not None


def _finding(folded: Folded, order: Order, start: int, end: int) -> Finding:
    first, last = folded.raw(start), max(folded.raw(end), folded.raw(start) + 1)
    return Finding(RULE, order.severity, order.reason, first, last)
