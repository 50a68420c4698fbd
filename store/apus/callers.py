"""Who calls, as the host says it: the authority of a request, checked and turned into values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from store.audience import Audience
from store.errors import InvalidArgument

_LONGEST = 500  # characters of an id


@dataclass(frozen=True, slots=True)
class Operator:
    """A person at the host's gateway, or its command line."""


@dataclass(frozen=True, slots=True)
class Session:
    """A turn of an agent, for whoever the host says: ``audience`` is None where it grants none."""

    sandboxed: bool
    session_id: str = ""
    audience: Audience | None = None


@dataclass(frozen=True, slots=True)
class Host:
    """The host itself, at its own housekeeping."""


Authority: TypeAlias = Operator | Session | Host


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and the agent that the provider was opened for."""

    agent_id: str
    authority: Authority


def caller_of(value: Any) -> Caller:
    """Return the caller of a request.

    Raises:
        InvalidArgument: it is not of the contract's shape. What is missing is never made up.
    """
    fields = _object("caller", value)
    authority = _object("caller.authority", fields.get("authority"))
    return Caller(identifier("caller.agentId", fields.get("agentId")), _authority(authority))


def audience_of(value: Any) -> Audience | None:
    """Return the audience that a host grants, None where it grants none; raises as `caller_of`."""
    if value is None:
        return None
    fields = _object("audience", value)
    agent_id = identifier("audience.agentId", fields.get("agentId"))
    match fields.get("kind"):
        case "owner-private":
            return Audience(agent_id)
        case "conversation":
            return Audience(
                agent_id,
                identifier("audience.sessionKey", fields.get("sessionKey")),
                identifier("audience.sessionId", fields.get("sessionId")),
            )
        case _:
            raise InvalidArgument("audience.kind: expected owner-private or conversation")


def identifier(name: str, value: Any, *, optional: bool = False) -> str:
    """Return a host's name of something, as it is; empty only for an optional one that is not given."""
    if optional and value is None:
        return ""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST:
        raise InvalidArgument(f"{name}: expected a text of 1 to {_LONGEST} characters")
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise InvalidArgument(f"{name}: holds a character that no store can keep")
    return value


def flag(name: str, value: Any) -> bool:
    """Return a yes or no; InvalidArgument for anything else, also for what is missing."""
    if not isinstance(value, bool):
        raise InvalidArgument(f"{name}: expected true or false")
    return value


def _authority(fields: Mapping[str, Any]) -> Authority:
    match fields.get("kind"):
        case "operator":
            return Operator()
        case "host":
            return Host()
        case "session":
            return Session(
                flag("caller.authority.sandboxed", fields.get("sandboxed")),
                identifier("caller.authority.sessionId", fields.get("sessionId"), optional=True),
                audience_of(fields.get("audience")),
            )
        case _:
            raise InvalidArgument("caller.authority.kind: expected operator, session or host")


def _object(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidArgument(f"{name}: expected an object")
    return value
