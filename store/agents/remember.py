"""memory.remember: keep a memory, or give an existing one a new text.

A memory that is much like the one to be kept stops the call before anything is written: the model then
says which of both it meant. Two memories of the same thing are worse than one more question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from render.diff import diff
from render.tree import Group, List, Node, Text, TextStyle
from store import checks
from store.agents.calls import Call
from store.agents.events import written
from store.agents.provider import Memory
from store.agents.shapes import Shape
from store.agents.tool import Declaration, Outcome
from store.errors import InvalidArgument
from store.records import (
    MemoryScope,
    MemoryType,
    NearMatch,
    NewRecord,
    Origin,
    Record,
    RecordResult,
    RecordStatus,
)
from store.settings import text_limit

_DESCRIPTION = """\
Keep something for later sessions. Worth keeping: who the user is and what they know (type user); how to \
work, corrections as well as what was confirmed to be right (feedback); ongoing work, decisions and why \
they were made (project); where things live in other systems (reference). Not worth keeping: what the code \
or its history says already, what only this task needs, secrets of any kind. Search first: to change a \
memory, give its id. Link others as [[id]]. What you keep may have to be approved by a person before it is \
recalled."""

DECLARATION = Declaration(
    name="memory.remember",
    kind="resource",
    risk="moderate",
    description=_DESCRIPTION,
    takes=Shape(
        "object",
        properties={
            "type": Shape("string", "What the memory is about.", choices=tuple(MemoryType)),
            "scope": Shape(
                "string",
                "Where it applies: this session, this project, everywhere.",
                choices=tuple(MemoryScope),
            ),
            "title": Shape("string", "A short name that says what is in it."),
            "content": Shape("string", "The memory, in Markdown, understandable by itself."),
            "id": Shape("string", "The memory to replace, or the id wanted for a new one."),
            "create_new": Shape(
                "boolean", "Keep it as one more memory, however much it is like another."
            ),
        },
        required=("type", "scope", "title", "content"),
    ),
    gives=Shape(
        "object",
        properties={
            "outcome": Shape(
                "string",
                "Whether it was written; similar means that nothing was.",
                choices=("created", "updated", "unchanged", "similar"),
            ),
            "message": Shape("string", "The same for people."),
            "id": Shape("string", "The memory's id."),
            "status": Shape(
                "string", "pending until a person approves it.", choices=tuple(RecordStatus)
            ),
            "candidates": Shape(
                "array",
                "Memories much like this one; call again with the id of one, or with create_new.",
                items=Shape(
                    "object",
                    properties={
                        "id": Shape("string"),
                        "title": Shape("string"),
                        "status": Shape("string", choices=tuple(RecordStatus)),
                        "likeness": Shape("number", "From 0 to 100."),
                    },
                    required=("id", "title", "status", "likeness"),
                ),
            ),
        },
        required=("outcome", "message"),
    ),
    # Two calls at once could each miss that the other writes much the same.
    safe=False,
)


@dataclass(frozen=True, slots=True)
class Create:
    """Nothing like it is there, or it is wanted in any case."""


@dataclass(frozen=True, slots=True)
class Update:
    """The memory that gets a new text."""

    existing: Record


@dataclass(frozen=True, slots=True)
class Ask:
    """Memories that could be meant."""

    candidates: tuple[NearMatch, ...]


class Remember:
    """The tool."""

    declaration = DECLARATION

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """Write, unless something similar is there."""
        new = _new(arguments)
        plan = self._plan(new, bool(arguments.get("create_new")), origin)
        match plan:
            case Ask(candidates):
                return Outcome(_similar(candidates))
            case Update(existing) if _same(existing, new):
                message = f"{existing.id} says so already; nothing was written."
                return Outcome(_done("unchanged", message, existing))
            case Update(existing):
                call.check()
                result = self._memory.update_record(existing.id, new.content, new.title, origin)
                kind, outcome = "memory_update", "updated"
            case Create():
                call.check()
                result = self._memory.record(new, origin)
                kind, outcome = "memory_write", "created"
        message = f"Kept as {result.id}." + (
            " A person has to approve it." if result.status is RecordStatus.PENDING else ""
        )
        return Outcome(_done(outcome, message, result), kind, written(new, result))

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Show the difference that it would make."""
        new = _new(arguments)
        checks.new_record(new, text_limit())
        match self._plan(new, bool(arguments.get("create_new")), origin):
            case Ask(candidates):
                names = (Text(f"{each.id}: {each.title}") for each in candidates)
                said = Text("Nothing would be written: much like it is", TextStyle.WARNING)
                return Group((Group((said,)), List(tuple(names))))
            case Update(existing):
                changed = diff(existing.content, new.content)
                return Group((_heading(f"Change {existing.id}", new), changed))
            case Create():
                return Group((_heading("New memory", new), diff("", new.content)))

    def _plan(self, new: NewRecord, create_new: bool, origin: Origin) -> Create | Update | Ask:
        if create_new:
            return Create()
        if new.id:
            if existing := self._find(new.id):
                _require_same_kind(existing, new)
                return Update(existing)
        elif (existing := self._find(new.title)) and _same_place(existing, new, origin):
            return Update(existing)
        near = self._memory.near(new.title, new.type, new.scope, new.id or "")
        return Ask(near) if near else Create()

    def _find(self, name: str) -> Record | None:
        """Return the record of an id, or of the id that a title or suggestion would get."""
        from store.slugs import slugify

        return self._memory.find(name) or self._memory.find(slugify(name))


def _new(arguments: Mapping[str, Any]) -> NewRecord:
    return NewRecord(
        type=MemoryType(arguments["type"]),
        scope=MemoryScope(arguments["scope"]),
        title=checks.title(arguments["title"], arguments["content"], "untitled"),
        content=arguments["content"],
        id=checks.name("the id", arguments.get("id", "").strip()) or None,
    )


def _require_same_kind(existing: Record, new: NewRecord) -> None:
    if (existing.type, existing.scope) != (new.type, new.scope):
        raise InvalidArgument(
            f"{existing.id} is of type {existing.type} and scope {existing.scope}, which never change",
            hint="Give these, forget it and remember it anew, or set create_new.",
        )


def _same_place(existing: Record, new: NewRecord, origin: Origin) -> bool:
    """Tell whether a record that only has the same title is the one that is meant."""
    if (existing.type, existing.scope) != (new.type, new.scope):
        return False
    if existing.scope is MemoryScope.SESSION:
        return existing.session_id == origin.session_id
    if existing.scope is MemoryScope.PROJECT:
        return existing.project_root == origin.project_root
    return True


def _same(existing: Record, new: NewRecord) -> bool:
    return (existing.title, existing.content) == (new.title, new.content)


def _similar(candidates: tuple[NearMatch, ...]) -> dict[str, Any]:
    return {
        "outcome": "similar",
        "message": "Nothing was written: there are memories much like this one. To change one of them,"
        " call again with its id; to keep this as one more, call again with create_new.",
        "candidates": [
            {"id": m.id, "title": m.title, "status": m.status.value, "likeness": m.likeness}
            for m in candidates
        ],
    }


def _done(outcome: str, message: str, result: RecordResult | Record) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "message": message,
        "id": result.id,
        "status": result.status.value,
    }


def _heading(what: str, new: NewRecord) -> Node:
    kind = Text(f" ({new.type}, {new.scope})", TextStyle.DIM)
    return Group((Text(f"{what}: {new.title}", TextStyle.BOLD), kind))
