"""The tools that the host gives its agents: remember, forget and search, for the audience of the turn."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from store.agents import propose, remember, search
from store.agents.calls import Call
from store.agents.provider import AgentProvider
from store.agents.shapes import check
from store.agents.tool import Declaration, Outcome
from store.apus.callers import Caller, Session, caller_of, flag, identifier
from store.apus.failures import PermissionDenied
from store.apus.memory import SessionMemory
from store.apus.policy import Reach, Viewer, owner_of, reach_of, viewer_of
from store.audience import Audience
from store.errors import InvalidArgument
from store.records import Origin
from store.sessions import project_of

PERSISTENCE, LOOKUP = ("memory_remember",), ("memory_search",)
_UNTOLD = "untold"
_NAME = re.compile(r"\bmemory\.(remember|forget|search)\b")
_LABELS = {
    "memory_remember": ("Remember", remember.DECLARATION),
    "memory_forget": ("Forget", propose.DECLARATION),
    "memory_search": ("Search memory", search.DECLARATION),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """What the host says of the turn that calls a tool.

    Args:
        only_tools: the host knows no audiences; it is an older one that gives its agents tools alone.
        is_owner: whether the host says that its owner speaks; None where it does not say.
        owner_reads: the operator wants an owner's turns to search on such a host.
    """

    only_tools: bool = False
    is_owner: bool | None = None
    owner_reads: bool = False
    flush_id: str = ""
    session_id: str = ""
    project_root: str = ""


def declared() -> list[dict[str, Any]]:
    """Return the tools as the host registers them."""
    return [
        {
            "name": name,
            "label": label,
            "description": _renamed(declaration.description),
            "parameters": declaration.takes.to_json(),
        }
        for name, (label, declaration) in _LABELS.items()
    ]


def _renamed(text: str) -> str:
    """Return a description with the names that the tools have in this host, whose names hold no dots."""
    return _NAME.sub(r"memory_\1", text)


class Tools:
    """Answers tool calls."""

    def __init__(self, provider: AgentProvider) -> None:
        self._provider = provider

    def remember(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Keep a draft, once for a flush and a text."""
        from store.apus.flushes import Flush

        caller, turn = _asked(params)
        arguments = _arguments(params, remember.DECLARATION)
        audience = write_audience(caller, turn)
        memory = self._memory(caller, turn, audience)
        tool = remember.Remember(memory)
        # Who may not be told what is there already at least does not write the same twice.
        flush_id = turn.flush_id or ("" if memory.reads else _UNTOLD)
        # One transaction: what is much like it is looked for, and the flush asked, by one writer at a time.
        with self._provider.database.writing() as conn:
            flush = Flush(audience, flush_id, arguments) if flush_id else None
            if flush and (id := flush.earlier(conn)):
                message = f"Kept already, as {id}; nothing was written."
                return _answer(Outcome({"outcome": "unchanged", "message": message, "id": id}))
            outcome = tool.invoke(arguments, _origin(caller, turn), call)
            if flush and outcome.result["outcome"] in ("created", "updated"):
                flush.note(conn, outcome.result["id"], self._provider.clock())
        return _answer(outcome)

    def forget(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Propose that a memory be forgotten; an operator decides."""
        caller, turn = _asked(params)
        arguments = _arguments(params, propose.DECLARATION)
        audience = write_audience(caller, turn)
        tool = propose.ProposeForgetting(self._memory(caller, turn, audience))
        return _answer(tool.invoke(arguments, _origin(caller, turn), call))

    def search(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Look something up."""
        caller, turn = _asked(params)
        arguments = _arguments(params, search.DECLARATION)
        reach = read_reach(caller, turn)
        memory = SessionMemory(self._provider, Audience(caller.agent_id), reach)
        outcome = search.Search(memory).invoke(arguments, _origin(caller, turn), call)
        return _answer(outcome, json.dumps(outcome.result, ensure_ascii=False, indent=1))

    def _memory(self, caller: Caller, turn: Turn, audience: Audience) -> SessionMemory:
        try:
            reach: Reach | None = read_reach(caller, turn)
        except PermissionDenied:
            reach = None
        return SessionMemory(self._provider, audience, reach)


def write_audience(caller: Caller, turn: Turn) -> Audience:
    """Return for whom a session writes.

    An older host knows no audiences. What its owner says there, or somebody of whom it does not say who
    it is, is a draft for the owner alone.

    Raises:
        PermissionDenied: it may not write.
    """
    viewer = viewer_of(caller)
    if isinstance(caller.authority, Session):
        if viewer in (Viewer.OWNER, Viewer.CONVERSATION) and caller.authority.audience:
            return caller.authority.audience
        unsaid = turn.is_owner is None and turn.only_tools
        if viewer is Viewer.UNGRANTED and (turn.is_owner is True or unsaid):
            return Audience(caller.agent_id)
    raise PermissionDenied("this session may not keep memories")


def read_reach(caller: Caller, turn: Turn) -> Reach:
    """Return what a tool may read.

    On an older host, which grants no audience, nothing, unless the operator wants its owner's turns to read.
    """
    if not isinstance(caller.authority, Session):
        raise PermissionDenied("tools are for sessions")
    asked = turn.only_tools and turn.owner_reads and turn.is_owner is True
    if asked and viewer_of(caller) is Viewer.UNGRANTED:
        granted = replace(caller.authority, audience=Audience(caller.agent_id))
        return reach_of(replace(caller, authority=granted))
    return reach_of(caller)


def _asked(params: Mapping[str, Any]) -> tuple[Caller, Turn]:
    caller = caller_of(params.get("caller"))
    tool = params.get("tool")
    if not isinstance(tool, Mapping):
        raise InvalidArgument("tool: expected an object")
    if tool.get("agentId", caller.agent_id) != caller.agent_id:
        raise PermissionDenied("the tool was called for another agent")
    if tool.get("sandboxed") is True and isinstance(caller.authority, Session):
        caller = replace(caller, authority=replace(caller.authority, sandboxed=True))
    return caller, Turn(
        only_tools=_yes(tool, "toolsOnly"),
        is_owner=_maybe(tool, "senderIsOwner"),
        owner_reads=_yes(tool, "ownerReads"),
        flush_id=identifier("tool.flushId", tool.get("flushId"), optional=True),
        session_id=identifier("tool.sessionId", tool.get("sessionId"), optional=True),
        project_root=_project(tool.get("workspaceDir")),
    )


def _maybe(tool: Mapping[str, Any], name: str) -> bool | None:
    return None if tool.get(name) is None else flag(f"tool.{name}", tool[name])


def _yes(tool: Mapping[str, Any], name: str) -> bool:
    return bool(_maybe(tool, name))


def _project(directory: Any) -> str:
    if directory is None:
        return ""
    if not isinstance(directory, str) or not os.path.isabs(directory) or "\0" in directory:
        raise InvalidArgument("tool.workspaceDir: expected an absolute path")
    return project_of(os.path.normpath(directory))


def _arguments(params: Mapping[str, Any], declaration: Declaration) -> Mapping[str, Any]:
    arguments = params.get("params")
    if not isinstance(arguments, Mapping):
        raise InvalidArgument("params: expected an object")
    check(declaration.takes, arguments)
    return arguments


def _origin(caller: Caller, turn: Turn) -> Origin:
    authority = caller.authority
    session = authority.session_id if isinstance(authority, Session) else ""
    audience = authority.audience if isinstance(authority, Session) else None
    # A flush runs in a session of its own: of a conversation, the audience says which it is.
    bound = audience.session_id if audience and audience.is_conversation else ""
    owner = bool(turn.flush_id) and not bound
    return Origin(
        recorded_by=f"apus:{caller.agent_id}",
        session_id=bound or session or turn.session_id,
        project_root=turn.project_root,
        reader=owner_of(caller.agent_id) if owner else "",
    )


def _answer(outcome: Outcome, text: str = "") -> dict[str, Any]:
    said = text or str(outcome.result["message"])
    return {"content": [{"type": "text", "text": said}], "details": outcome.result}
