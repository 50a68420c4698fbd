"""Which calls are answered, told by name alone: nothing is imported for a service before its first call."""

from __future__ import annotations

from dataclasses import dataclass

PACKAGE = "pluggableharness"
MEMORY = f"{PACKAGE}.memory.v1.MemoryService"
TOOL = f"{PACKAGE}.tool.v1.ToolService"
HOOK = f"{PACKAGE}.hook.v1.HookSubscriberService"


@dataclass(frozen=True, slots=True)
class Routes:
    """The methods of one service that are answered, and those of them that stream."""

    service: str
    methods: tuple[str, ...]
    streaming: tuple[str, ...] = ()


_MEMORY = Routes(
    MEMORY,
    (
        "GetCapabilities",
        "Configure",
        "Recall",
        "Record",
        "UpdateRecord",
        "DeleteRecord",
        "ApproveRecord",
        "RejectRecord",
        "Render",
        "ListRecords",
        "GetRecord",
        "Describe",
    ),
)
_TOOL = Routes(TOOL, ("GetSchema", "Configure", "Invoke", "Render", "Preview"), ("Invoke",))
_HOOK = Routes(HOOK, ("DispatchHook",))

# A host that does not know a binary's category asks each category's Describe in turn and keeps the first
# that answers. Tools come before memory there: the memory provider must not answer as a tool provider.
MEMORY_PROVIDER = (_MEMORY, _TOOL, _HOOK)
# Hooks are left to the memory provider: a host that launches both would record everything twice.
TOOL_PROVIDER = (Routes(TOOL, (*_TOOL.methods, "Describe"), _TOOL.streaming),)
