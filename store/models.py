"""The tables. Everything else reads them through Core selects; nothing returns a model to a caller.

Times are integer microseconds since the epoch, UTC: exact, ordered and alike on every engine. A *record*
row is one entry of a listing: a canonical record, a new draft, or a pending revision, which shares its
`id` with the canonical row it would replace (so `id` is unique per status, not alone).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlmodel import Field, SQLModel

# SQLite only makes INTEGER PRIMARY KEY an alias of the rowid, PostgreSQL wants 64 bits.
_Key = BigInteger().with_variant(Integer, "sqlite")


def _key() -> Column[int]:
    return Column(_Key, primary_key=True, autoincrement=True)


def _owner(index: bool = True) -> Column[int]:
    return Column(_Key, ForeignKey("record.pk", ondelete="CASCADE"), nullable=False, index=index)


def _time() -> Column[int]:
    return Column(BigInteger, nullable=False)


def _empty() -> Column[str]:
    return Column(String, nullable=False, server_default="")


def _latest(scope: str, *binding: str) -> Index:
    """Return the index by which Recall finds the latest entries of a scope; each entry is in one."""
    of_scope = text(f"scope = '{scope}'")
    return Index(
        f"record_latest_{scope}",
        *("status", "type", *binding, "updated_at"),
        sqlite_where=of_scope,
        postgresql_where=of_scope,
    )


class RecordRow(SQLModel, table=True):
    """One entry: canonical record, new draft or pending revision."""

    __tablename__ = "record"
    __table_args__ = (
        UniqueConstraint("id", "status"),
        Index("record_page", "created_at", "pk"),
        Index("record_status_page", "status", "created_at", "pk"),
        Index("record_kind", "status", "type", "scope"),  # counting reads no record
        Index(
            "record_revision",
            "status",
            "type",
            "scope",
            sqlite_where=text("base_revision IS NOT NULL"),
            postgresql_where=text("base_revision IS NOT NULL"),
        ),
        _latest("global", "agent_id"),
        _latest("project", "project_root", "agent_id"),
        _latest("session", "session_id", "agent_id"),
        Index(
            "record_of_agent",
            "agent_id",
            "status",
            "updated_at",
            sqlite_where=text("agent_id <> ''"),
            postgresql_where=text("agent_id <> ''"),
        ),
        {"sqlite_autoincrement": True},  # a keyset token must never meet a reused key
    )
    pk: int | None = Field(default=None, sa_column=_key())
    id: str
    status: str
    type: str
    scope: str
    title: str
    summary: str = ""
    content: str = Field(sa_column=Column(Text, nullable=False))
    tokens: int
    links: str = "[]"  # JSON list of ids, kept in step with `link` by store/links.py
    content_hash: str
    revision: str
    base_revision: str | None = None  # of the canonical text a pending revision was written against
    created_at: int = Field(sa_column=_time())
    updated_at: int = Field(sa_column=_time())
    source_session_id: str = ""
    source_turn_id: str | None = None
    recorded_by: str = ""
    session_id: str = ""
    project_root: str = ""
    # Whose it is, see `store.records.Audience`; all empty for what is nobody's.
    agent_id: str = Field(default="", sa_column=_empty())
    conversation_key: str = Field(default="", sa_column=_empty())
    conversation_id: str = Field(default="", sa_column=_empty())
    # Whether it is a proposal to forget its record, with the reason as its text; it is a revision then.
    removes: bool = Field(
        default=False, sa_column=Column(Boolean, nullable=False, server_default=false())
    )
    # JSON of `store.records.Echo`; empty for a text that repeats nothing.
    echo: str = Field(default="", sa_column=_empty())
    # Who gave a draft its present text, where that is another than who recorded it.
    rewritten_by: str = Field(default="", sa_column=_empty())


class NameRow(SQLModel, table=True):
    """A name that links may use for a record: its id, its titles, and aliases from imports."""

    __tablename__ = "name"
    __table_args__ = (UniqueConstraint("record_pk", "name"),)
    pk: int | None = Field(default=None, sa_column=_key())
    record_pk: int = Field(sa_column=_owner(index=False))  # the unique constraint's index serves
    name: str  # NFC, as written; found through `folded`, which is alike for equal names
    folded: str = Field(index=True)
    is_id: bool = False


class LinkRow(SQLModel, table=True):
    """One `[[link]]` of an entry, resolved: `state` and `target_id` follow every change of a name."""

    __tablename__ = "link"
    __table_args__ = (
        Index("link_state", "state", "source_id", "source_pk", "seq"),
        Index("link_target", "target_id"),
        Index(
            "link_whole",
            "whole_folded",
            sqlite_where=text("whole_folded IS NOT NULL"),
            postgresql_where=text("whole_folded IS NOT NULL"),
        ),
    )
    source_pk: int = Field(
        sa_column=Column(_Key, ForeignKey("record.pk", ondelete="CASCADE"), primary_key=True)
    )
    seq: int = Field(primary_key=True)  # order of occurrence, from 0
    source_id: str  # of the entry; ids never change
    target: str  # as written, alias and heading split off
    folded: str = Field(index=True)
    whole: str | None = None  # the whole inner text, where it is not the target itself
    whole_folded: str | None = None
    alias: str = ""
    line: int  # from 1
    state: str
    target_id: str | None = None


class RetiredRow(SQLModel, table=True):
    """A name that once answered: what makes a dangling link broken and not merely wanted.

    Only its digest is kept: what was rejected or purged leaves no words behind.
    """

    __tablename__ = "retired"
    digest: str = Field(
        primary_key=True
    )  # SHA-256 of the folded name: a deleted title leaves no text
    id: str
    at: int = Field(sa_column=_time())


class VersionRow(SQLModel, table=True):
    """A canonical text that an approval or edit replaced, kept so that it can be taken back."""

    __tablename__ = "version"
    pk: int | None = Field(default=None, sa_column=_key())
    record_pk: int = Field(sa_column=_owner())
    revision: str  # of the text kept here
    title: str
    summary: str = ""
    content: str = Field(sa_column=Column(Text, nullable=False))
    replaced_at: int = Field(sa_column=_time())
    draft: str = ""  # JSON: whose approved revision replaced it, empty for an edit


class TrashRow(SQLModel, table=True):
    """A deleted canonical record, whole."""

    __tablename__ = "trash"
    pk: int | None = Field(default=None, sa_column=_key())
    id: str = Field(index=True)
    deleted_at: int = Field(sa_column=Column(BigInteger, nullable=False, index=True))
    deleted_by: str
    payload: str = Field(sa_column=Column(Text, nullable=False))  # JSON: the row and its names


class JournalRow(SQLModel, table=True):
    """A decision: append-only, each line hashed over the one before it."""

    __tablename__ = "journal"
    seq: int | None = Field(default=None, sa_column=_key())
    at: int = Field(sa_column=_time())
    decision: str
    id: str = Field(index=True)
    by: str
    content_hash: str
    detail: str = ""
    hash: str


class TokenRow(SQLModel, table=True):
    """A token count that a host gave for a text and model."""

    __tablename__ = "token_count"
    content_hash: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    tokens: int


class SourceRow(SQLModel, table=True):
    """A file entry that was imported: what makes a second import add nothing.

    Identity is (root, path, part); the part ``*`` is what a file of several holds besides its entries.
    The raw head and line ends are kept for the way back to the file. See `store.sources`.
    """

    __tablename__ = "source"
    __table_args__ = (UniqueConstraint("root", "path", "part"),)
    pk: int | None = Field(default=None, sa_column=_key())
    record_id: str = Field(
        index=True
    )  # kept when the record is rejected or deleted: decisions stay
    root: str  # absolute folder
    path: str  # below the root, POSIX
    part: str = ""  # entry within a file of several
    format: str
    file_hash: str  # SHA-256 of the entry's bytes as last read
    head: bytes = b""  # frontmatter as it was, with BOM and separators
    raw: bytes | None = None  # the whole entry, only where its text does not give the bytes back
    newline: str = "\n"
    mtime_us: int = Field(default=0, sa_column=_time())
    gone: bool = False
    given: str = ""  # hash of title, summary and text as last read: tells edits made here


class SearchRow(SQLModel, table=True):
    """The pre-segmented text that the full-text index covers; same key as its record."""

    __tablename__ = "search_text"
    pk: int = Field(
        sa_column=Column(_Key, ForeignKey("record.pk", ondelete="CASCADE"), primary_key=True)
    )
    title: str = Field(sa_column=Column(Text, nullable=False))
    body: str = Field(sa_column=Column(Text, nullable=False))


class FlushRow(SQLModel, table=True):
    """What an agent wrote in one flush of its context: what makes a repeated write add nothing.

    Hashes only. `record_id` is what the first write made, whatever became of it since.
    """

    __tablename__ = "flush"
    agent_id: str = Field(primary_key=True)
    flush: str = Field(primary_key=True)  # SHA-256 of the host's name of the flush
    content: str = Field(primary_key=True)  # SHA-256 of audience, kind and text
    record_id: str
    at: int = Field(sa_column=Column(BigInteger, nullable=False, index=True))


class ClaimRow(SQLModel, table=True):
    """Who is about to decide a draft, and until when that holds. See `store.claims`."""

    __tablename__ = "claim"
    record_pk: int = Field(
        sa_column=Column(
            _Key,
            ForeignKey("record.pk", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        )
    )
    by: str
    until: int = Field(sa_column=_time())


class ServedRow(SQLModel, table=True):
    """That a session was given a record, and when last. See `store.served`."""

    __tablename__ = "served"
    session_id: str = Field(primary_key=True)
    record_id: str = Field(primary_key=True)
    at: int = Field(sa_column=Column(BigInteger, nullable=False, index=True))
