"""What this provider is, what it offers, and the configuration it takes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from store.errors import InvalidArgument
from store.records import (
    Capabilities,
    ConfigAttribute,
    MemoryScope,
    MemoryType,
    Producer,
    PromptExpansion,
)

NAME = "memory-inbox"
TOKEN_BUDGET = 2000

ATTRIBUTES = (
    ConfigAttribute(
        "store", "string", "Path of the database, or its URL without a password.", default=""
    ),
    ConfigAttribute(
        "store_password",
        "string",
        "Password of the database, for a URL that needs one.",
        sensitive=True,
        default="",
    ),
    ConfigAttribute(
        "project_root",
        "string",
        "Directory of the project that memories belong to where no session says otherwise.",
        default="",
    ),
    ConfigAttribute(
        "token_budget", "number", "Tokens that recall gives at most.", default=TOKEN_BUDGET
    ),
    ConfigAttribute(
        "ratification",
        "bool",
        "Whether what agents write waits for a person to approve it.",
        default=True,
    ),
    ConfigAttribute(
        "reviewer", "string", "Who is named in the journal for decisions made here.", default=""
    ),
)
_COMMANDS = (
    PromptExpansion(
        "remember",
        "Remember something for later sessions",
        "Use memory.remember to keep the following for later sessions. Choose the type and scope that"
        " fit, search first whether a memory of it exists already, and update that one if so:\n\n{{args}}",
    ),
    PromptExpansion(
        "recall",
        "Look something up in memory",
        "Use memory.search to find what is remembered about the following, and answer from it. Say so"
        " when nothing is found:\n\n{{args}}",
    ),
)
_HOOK_POINTS = ("post_model_response", "session_end")


@dataclass(frozen=True, slots=True)
class Configuration:
    """Configuration as it holds; ``store`` and ``store_password`` are empty where not configured."""

    store: str = ""
    store_password: str = ""
    project_root: str = ""
    token_budget: int = TOKEN_BUDGET
    ratification: bool = True
    reviewer: str = ""

    def __repr__(self) -> str:
        return "Configuration(…)"  # it holds a password


def describe() -> Producer:
    """Say who serves."""
    try:
        known = version(NAME)
    except PackageNotFoundError:  # run from a source tree
        known = "0"
    return Producer(name=NAME, version=known, source=f"pypi:{NAME}")


def capabilities(configuration: Configuration) -> Capabilities:
    """Say what is offered under a configuration."""
    return Capabilities(
        default_token_budget=configuration.token_budget,
        types=tuple(MemoryType),
        scopes=tuple(MemoryScope),
        ratification_supported=configuration.ratification,
        slash_commands=_COMMANDS,
        config_schema=ATTRIBUTES,
        hook_points=_HOOK_POINTS,
    )


def parse(config: Mapping[str, object]) -> Configuration:
    """Return the configuration that attributes describe; a missing or null one has its default.

    Raises:
        InvalidArgument: names every attribute that is unknown or not of its type, never a value.
    """
    known = {attribute.name: attribute for attribute in ATTRIBUTES}
    faults = [f"{name}: unknown attribute" for name in sorted(set(config) - set(known))]
    values: dict[str, object] = {}
    for name, attribute in known.items():
        value = config.get(name)
        if value is None:
            continue
        try:
            values[name] = _value(attribute, value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise InvalidArgument(
            "; ".join(faults), hint=f"Attributes: {', '.join(known)}; each may be left out."
        )
    return Configuration(**values)  # type: ignore[arg-type]


def _value(attribute: ConfigAttribute, value: object) -> object:
    """Return a value as its attribute holds it; ValueError says what was expected."""
    if attribute.type == "bool":
        if not isinstance(value, bool):
            raise ValueError("expected true or false")
        return value
    if attribute.type == "number":
        # A protobuf Struct has no integers: 2000 arrives as 2000.0.
        whole = isinstance(value, int | float) and float(value).is_integer()
        if isinstance(value, bool) or not isinstance(value, int | float) or not whole:
            raise ValueError("expected a whole number")
        if value <= 0:
            raise ValueError("expected a number above 0")
        return int(value)
    if not isinstance(value, str):
        raise ValueError("expected a string")
    if attribute.name == "project_root" and value:
        path = os.path.expanduser(value)
        if not os.path.isabs(path):
            raise ValueError("expected an absolute path")
        return os.path.normpath(path)
    return value
