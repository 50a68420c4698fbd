"""The values that readers of a store get: enums and frozen dataclasses, no database in sight.

Enums are the lower-case words that the command line and JSON output use. Times are aware UTC
datetimes. Names follow `pluggableharness.memory.v1`; fields beyond it are marked *ours*.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from render.lens.finding import Echo as Echo
from store.audience import Audience as Audience


class MemoryType(StrEnum):
    """What a memory is about."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


class MemoryScope(StrEnum):
    """Where a memory applies."""

    SESSION = "session"
    PROJECT = "project"
    GLOBAL = "global"


class RecordStatus(StrEnum):
    """Ratified, or waiting for an operator."""

    CANONICAL = "canonical"
    PENDING = "pending"


class LinkClass(StrEnum):
    """What became of a `[[link]]`."""

    RESOLVED = "resolved"
    WANTED = "wanted"  # the target never existed: a forward reference
    BROKEN = "broken"  # the target existed and was deleted, rejected or renamed away
    AMBIGUOUS = "ambiguous"  # two records answer to the name at the same step


class Decision(StrEnum):
    """What a line of the journal says was done."""

    RECORD = "record"
    UPDATE = "update"
    APPROVE = "approve"
    REJECT = "reject"
    UNAPPROVE = "unapprove"
    WITHDRAW = "withdraw"
    DELETE = "delete"
    RESTORE = "restore"
    PURGE = "purge"
    CONFIGURE = "configure"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a record came from; stamped once, never changed."""

    source_session_id: str = ""
    source_turn_id: str | None = None
    recorded_by: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who writes, from where. *Ours*: becomes the provenance and the binding of what is written.

    Args:
        recorded_by: the door and the writer, as in ``memory.remember`` or ``import:claude``.
        session_id: the session that writes, empty when there is none; binds session scope.
        turn_id: the turn's ULID, if known.
        project_root: absolute path of the project, empty when unknown; binds project scope.
        source_session_id: provenance only, where it differs from the binding (imports).
        audience: whose the written is, where an agent's host says so.
        reader: the name under which its reading was noted, where that is not the session's.
    """

    recorded_by: str = ""
    session_id: str = ""
    turn_id: str | None = None
    project_root: str = ""
    source_session_id: str = ""
    audience: Audience | None = None
    reader: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A memory, as listed and shown.

    A *pending revision* (``is_revision``) has the id of the canonical record it would replace. ``revision``
    changes with all that an operator sees before deciding; it is to be handed back to approve and reject.
    """

    id: str
    type: MemoryType
    scope: MemoryScope
    title: str
    content: str
    tokens: int
    status: RecordStatus
    links: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    provenance: Provenance = Provenance()
    relevance_score: float | None = None
    summary: str = ""  # ours: one line, from an importer's `description`
    revision: str = ""  # ours
    is_revision: bool = False  # ours
    removes: bool = False  # ours: a revision that proposes to forget its record; its text says why
    session_id: str = ""  # ours: the binding of session scope
    project_root: str = ""  # ours: the binding of project scope
    audience: Audience | None = None  # ours: whose it is; None for nobody's
    echo: Echo | None = None  # ours: what a draft repeats of what its session had been given
    rewritten_by: str = ""  # ours: who gave a draft its text, where another recorded it

    @property
    def pending(self) -> bool:
        """Whether the record waits for an operator."""
        return self.status is RecordStatus.PENDING


@dataclass(frozen=True, slots=True)
class NewRecord:
    """What is needed to record: ``id`` is a suggestion, derived from the title when None."""

    type: MemoryType
    scope: MemoryScope
    title: str
    content: str
    id: str | None = None
    summary: str = ""
    aliases: tuple[str, ...] = ()  # ours: further names that links may use (file stem, permalink)
    created_at: datetime | None = None  # ours: imports keep the file's own times
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RecordResult:
    """What a write answers with."""

    id: str
    status: RecordStatus


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records to list; an empty tuple or None means all.

    ``text`` is a literal query (*ours*): every whitespace-separated part must occur.
    """

    types: tuple[MemoryType, ...] = ()
    scopes: tuple[MemoryScope, ...] = ()
    status: RecordStatus | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One keyset page, newest first; an empty ``next_page_token`` is the last page."""

    records: tuple[Record, ...]
    next_page_token: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many entries there are, for headers and status bars."""

    pending: int
    canonical: int
    revisions: int  # of the pending ones
    trashed: int
    oldest_pending: datetime | None = None

    @property
    def total(self) -> int:
        """All live entries."""
        return self.pending + self.canonical


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What a host asks for at context assembly; see `memory.v1.RecallRequest`.

    ``token_budget`` is in tokens; 0 or less fits nothing. *Ours* are ``query`` and ``most``, memory.search's
    words and limit, and ``ancestors``: sessions that this one descends from, whose memories it sees too.
    """

    token_budget: int
    session_id: str = ""
    turn_id: str = ""
    model: str = ""
    files_touched: tuple[str, ...] = ()
    working_directory: str = ""
    types: tuple[MemoryType, ...] = ()
    scopes: tuple[MemoryScope, ...] = ()
    include_pending: bool = False
    query: str = ""
    ancestors: tuple[str, ...] = ()
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A recall candidate with the parts of its score, each in [0, 1] (*ours*: previews)."""

    record: Record
    score: float
    parts: dict[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What Recall gives and what it drops, in rank order (*ours*: previews show both)."""

    given: tuple[Scored, ...]
    dropped: tuple[Scored, ...]
    tokens: int
    token_budget: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: ``snippet`` is raw text of the record around the first match."""

    record: Record
    score: float
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class LinkEntry:
    """One `[[link]]` of one record, with what became of it.

    ``line`` counts from 1. ``resolved_id`` is set for a resolved link, ``candidates`` for an ambiguous one.
    """

    source_id: str
    source_status: RecordStatus
    target: str
    link_class: LinkClass
    line: int
    line_text: str
    resolved_id: str | None = None
    candidates: tuple[str, ...] = ()
    alias: str = ""


@dataclass(frozen=True, slots=True)
class NearMatch:
    """An existing record much like a given title or id; ``likeness`` is in [0, 100]."""

    id: str
    title: str
    status: RecordStatus
    likeness: float


@dataclass(frozen=True, slots=True)
class Impact:
    """What deciding one draft does to the links of others, as record ids with a link to it."""

    resolves: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    makes_ambiguous: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """All that a decision needs, read in one transaction.

    ``base`` is the canonical record under a pending revision, None for a new draft or a canonical record.
    ``base_was`` is the text the revision was written against when the base has moved since, else None.
    """

    record: Record
    base: Record | None
    links: tuple[LinkEntry, ...]
    backlinks: tuple[LinkEntry, ...]
    near: tuple[NearMatch, ...]
    on_approve: Impact
    on_reject: Impact
    base_was: Record | None = None
    names: tuple[str, ...] = ()  # names of the record that links may use


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the append-only journal: never the text, only its hash."""

    seq: int
    at: datetime
    decision: Decision
    id: str
    by: str
    content_hash: str
    detail: str = ""


CLAIM_SECONDS = 600  # that a claim holds unless it is renewed
MOST_CLAIMS = 10_000  # so many are listed, and so many does one inbox keep up


@dataclass(frozen=True, slots=True)
class Claim:
    """A reviewer, ``by``, is about to decide a draft (*ours*); until then nobody else should."""

    id: str
    by: str
    until: datetime


@dataclass(frozen=True, slots=True)
class TrashItem:
    """A deleted canonical record that can be restored until ``purge_at``."""

    key: int
    record: Record
    deleted_at: datetime
    deleted_by: str
    purge_at: datetime


@dataclass(frozen=True, slots=True)
class Producer:
    """Who serves: `common.v1.ProducerRef`."""

    name: str
    version: str
    source: str
    category: str = "memory"
    protocol_version: int = 1


@dataclass(frozen=True, slots=True)
class ConfigAttribute:
    """One attribute of Configure; ``type`` is ``string``, ``number`` or ``bool``."""

    name: str
    type: str
    description: str
    sensitive: bool = False
    required: bool = False
    default: str | int | bool | None = None


@dataclass(frozen=True, slots=True)
class PromptExpansion:
    """A slash command that expands to a prompt."""

    name: str
    description: str
    template: str


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a provider offers: `memory.v1.MemoryCapabilities`."""

    default_token_budget: int
    types: tuple[MemoryType, ...]
    scopes: tuple[MemoryScope, ...]
    ratification_supported: bool
    slash_commands: tuple[PromptExpansion, ...] = ()
    config_schema: tuple[ConfigAttribute, ...] = ()
    hook_points: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MutationEvent:
    """What Render draws: `event.v1.MemoryMutationEvent`, decoded."""

    record_id: str
    content: str
    attributes: dict[str, str] = field(default_factory=dict, hash=False)


def content_hash(content: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes, in hex: the key of token counts and the journal."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def fallback_tokens(text: str) -> int:
    """Return ceil(UTF-8 bytes / 4): exactly what a host uses where its model cannot count."""
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4
