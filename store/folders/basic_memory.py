"""basic-memory notes: Markdown with a permalink, whose list items are observations and relations.

An observation is ``- [category] text #tag (context)``, a relation ``- relation_type [[Target]]``. A task
(``- [ ]``, ``- [x]``) is neither, nor is a sentence in a list that happens to hold a link.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from store.folders import note, vault
from store.folders.entry import Item, Reading, skipped

_OBSERVATION = re.compile(
    r"-[ \t]+\[(?P<category>[^\[\]\n]{2,60}|[^\[\]\sxX\-/])\][ \t]+(?P<text>\S.*)"
)
_RELATION = re.compile(
    r"-[ \t]+(?P<type>[\w\-]+(?:[ \t][\w\-]+){0,3})[ \t]+\[\[(?P<target>[^\[\]\n]+)\]\]"
    r"[ \t]*(?:\([^()\n]*\))?"
)
_TAG = re.compile(r"(?<!\S)#([\w/\-]+)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Observation:
    """A fact about the note's subject."""

    category: str
    text: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A named link to another note."""

    type: str
    target: str


def read(data: bytes, path: str) -> Reading:
    """Read one note; without a description, its first observation is the summary."""
    reading = vault.read(data, path)
    if not reading.entries:
        return skipped("empty")
    (made,) = reading.entries
    observations, _ = grammar(made.content)
    if not note.parse(data).front.text("description", "summary") and observations:
        made = replace(made, summary=observations[0].text)
    return Reading((made,))


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return a note with the text and title of its record."""
    return vault.update(data, path, changes)


def grammar(body: str) -> tuple[tuple[Observation, ...], tuple[Relation, ...]]:
    """Return the observations and relations of a note's body, in order; code holds neither."""
    observations: list[Observation] = []
    relations: list[Relation] = []
    fence = ""
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence))):
            fence = "" if fence else mark[1]
        if mark or fence:
            continue
        item = line.strip()
        if found := _OBSERVATION.fullmatch(item):
            tags = tuple(_TAG.findall(found["text"]))
            observations.append(Observation(found["category"].strip(), found["text"].strip(), tags))
        elif found := _RELATION.fullmatch(item):
            relations.append(Relation(found["type"], found["target"].split("|")[0].strip()))
    return tuple(observations), tuple(relations)


def is_note(body: str) -> bool:
    """Say whether a body is such a note without a permalink: it has both kinds of item."""
    observations, relations = grammar(body)
    return bool(observations and relations)
