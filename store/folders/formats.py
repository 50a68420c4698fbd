"""The formats there are, by name: the only place that knows them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from store.errors import InvalidArgument
from store.folders import (
    basic_memory,
    claude,
    cline,
    gemini,
    hermes,
    mcp,
    mem0,
    openclaw,
    serena,
    vault,
)
from store.folders.entry import Item, Reading


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Args:
        name: what ``--format`` and provenance call it.
        about: what it is, for people.
        read: (bytes, path below the root) to entries.
        update: (bytes, path, changed records by part) to bytes.
        create_file: the file of one record, where every record has its own.
        create_list: the file of many records.
        append: such a file with more records at its end.
        suffix: of files that are created.
    """

    name: str
    about: str
    read: Callable[[bytes, str], Reading]
    update: Callable[[bytes, str, Mapping[str, Item]], bytes]
    create_file: Callable[[Item], bytes] | None = None
    create_list: Callable[[Sequence[Item]], bytes] | None = None
    append: Callable[[bytes, Sequence[Item]], bytes] | None = None
    suffix: str = ".md"


_ALL = (
    Format("claude", "Claude Code auto memory", claude.read, claude.update, claude.create),
    Format("vault", "Markdown notes, plain or Obsidian", vault.read, vault.update, vault.create),
    Format("basic-memory", "basic-memory notes", basic_memory.read, basic_memory.update),
    Format("openclaw", "OpenClaw or Apus workspace", openclaw.read, openclaw.update),
    Format("gemini", "Gemini added memories", gemini.read, gemini.update),
    Format("hermes", "Hermes § files and pending queue", hermes.read, hermes.update),
    Format("cline", "Cline memory bank", cline.read, cline.update),
    Format("serena", "Serena memories", serena.read, serena.update),
    Format(
        "mcp",
        "MCP memory server",
        mcp.read,
        mcp.update,
        create_list=mcp.create,
        append=mcp.append,
        suffix=".jsonl",
    ),
    Format(
        "mem0",
        "mem0 or OpenMemory",
        mem0.read,
        mem0.update,
        create_list=mem0.create,
        append=mem0.append,
        suffix=".json",
    ),
)
FORMATS: Mapping[str, Format] = {each.name: each for each in _ALL}


def named(name: str) -> Format:
    """Return a format by its name; InvalidArgument lists those that exist."""
    try:
        return FORMATS[name]
    except KeyError:
        raise InvalidArgument(
            f"there is no memory format {name!r}", hint=f"Formats: {', '.join(FORMATS)}."
        ) from None
