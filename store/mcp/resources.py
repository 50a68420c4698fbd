"""Memories as resources: each by its id, and an index of those that apply here."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, unquote

from mcp_types import Resource, ResourceTemplate, TextResourceContents

from store.agents.provider import OpenMemory
from store.errors import NotFound
from store.records import Origin, Record

SCHEME = "memory:"
INDEX = "memory:/index"  # no id has a slash
MARKDOWN = "text/markdown"
_LISTED = 100  # memories that a client is shown to choose from
_INDEXED = 500

TEMPLATE = ResourceTemplate(
    name="memory",
    title="A memory by its id",
    uri_template="memory:{id}",
    description="A memory that a person approved and that applies here, or a draft of your own.",
    mime_type=MARKDOWN,
)


def uri_of(id: str) -> str:
    """Return the URI of a memory."""
    return SCHEME + quote(id, safe="")


def listed(memory: OpenMemory, origin: Origin) -> list[Resource]:
    """Return the index and the memories changed last; all others can be read all the same."""
    index = Resource(
        name="index",
        title="Index of memories",
        uri=INDEX,
        description=f"The {_INDEXED} memories changed last that apply here: titles, kinds and ids.",
        mime_type=MARKDOWN,
    )
    return [index, *map(_listed, memory.latest(origin, _LISTED))]


def read(memory: OpenMemory, uri: str, origin: Origin) -> TextResourceContents:
    """Return a resource.

    Raises:
        NotFound: there is none of this URI that the reader may see.
    """
    if uri == INDEX:
        return _text(uri, index_of(memory.latest(origin, _INDEXED)))
    if not uri.startswith(SCHEME):
        raise NotFound(
            f"there is no resource {uri[:100]!r}", hint="Resources are memory:ID and the index."
        )
    record = memory.look_up(unquote(uri.removeprefix(SCHEME)), origin)
    return _text(uri, f"# {record.title}\n\n{_facts(record)}\n\n{record.content}\n")


def index_of(records: Iterable[Record]) -> str:
    """Return an index in Markdown: a line for each memory, its title on one line and linked."""
    lines = [
        f"- [{_escaped(each.title)}]({uri_of(each.id)}) ({each.type}, {each.scope})"
        for each in records
    ]
    return "# Memories\n\n" + ("\n".join(lines) or "Nothing is remembered here yet.") + "\n"


def _facts(record: Record) -> str:
    waiting = ", a draft that nobody has approved" if record.pending else ""
    return f"{record.type}, {record.scope}{waiting}; changed {record.updated_at:%Y-%m-%d}"


def _listed(record: Record) -> Resource:
    return Resource(
        name=record.id,
        title=record.title,
        uri=uri_of(record.id),
        description=f"{record.type}, {record.scope}",
        mime_type=MARKDOWN,
    )


def _escaped(title: str) -> str:
    words = " ".join(title.split())
    return words.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _text(uri: str, text: str) -> TextResourceContents:
    return TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)
