"""What an agent would be given: recall for a directory, files and a budget."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace

from store.records import RecallRequest, Scored
from tui.cards import is_flagged
from tui.linear.listing import Listing
from tui.linear.sitting import Sitting
from tui.recalling import budget_words, lines, preview, to_approve
from tui.rows import row_of

BUDGET = 2000  # tokens; what a provider asks for by default
_HOW = "recall: say in:DIRECTORY, file:PATH, budget:TOKENS, marks or drafts"


def recall(sitting: Sitting, words: str) -> None:
    """Say which records would be given, in rank order, and which there is no room for."""
    request = _request(words)
    if request is None:
        sitting.say(_HOW)
        return
    after = "marks" in words.split()
    if after and "preview_decided" in sitting.desk.missing:
        sitting.say(f"recall: {sitting.desk.missing['preview_decided']}")
        return
    seen = preview(sitting.desk, request, to_approve(sitting.marks) if after else None)
    found, why = seen.shown, {line.scored.record.id: line.why for line in lines(seen)}
    both = (*found.given, *found.dropped)
    rows = [row_of(each.record, flagged=is_flagged(each.record)) for each in both]
    sitting.card, sitting.at = None, -1
    sitting.listing = Listing("recalled record", None, words, rows=rows)
    drafts = ", drafts included" if request.include_pending else ""
    sitting.say(f"For {request.working_directory}{drafts}:")
    for number, scored in enumerate(both, 1):
        if number == len(found.given) + 1:
            sitting.say("Dropped, no room in the budget:")
        because = why[scored.record.id]
        sitting.say(f"{number}. {_words_of(scored)}" + (f": {because}" if because else ""))
    sitting.say(f"{budget_words(seen)}.".replace(" · ", ", ").replace(" → ", ", then "))
    if not both:
        sitting.say("Nothing would be given: no approved record applies here.")


def _request(words: str) -> RecallRequest | None:
    """Return what is asked; None when it cannot be understood."""
    request = RecallRequest(token_budget=BUDGET, working_directory=os.getcwd())
    try:
        parts = shlex.split(words)
    except ValueError:  # a quote that does not end
        return None
    for part in parts:
        key, _, value = part.partition(":")
        if key == "in" and value:
            path = os.path.abspath(os.path.expanduser(value))
            request = replace(request, working_directory=path)
        elif key == "file" and value:
            request = replace(request, files_touched=(*request.files_touched, value))
        elif key == "budget" and value.isdecimal():
            request = replace(request, token_budget=int(value))
        elif part == "marks":
            continue  # not of the question, but of what is taken to be approved
        elif part == "drafts":
            request = replace(request, include_pending=True)
        else:
            return None
    return request


def _words_of(scored: Scored) -> str:
    parts = ", ".join(f"{name} {part:.2f}" for name, part in scored.parts.items())
    why = f" ({parts})" if parts else ""
    return f"{scored.record.id}, {scored.record.tokens:,} tokens, score {scored.score:.2f}{why}"
