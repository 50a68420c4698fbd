"""How each kind of answer is laid out: the columns of a terminal, the cells of a plain line."""

from __future__ import annotations

from store.records import (
    Hit,
    JournalEntry,
    LinkEntry,
    Record,
    Scored,
    TrashItem,
)
from tui.cli.columns import Column
from tui.cli.output import Shape, as_fields

_ID = Column("id", "bold", give="wrap")
_TYPE = Column("type")
_SCOPE = Column("scope")
_TOKENS = Column("tokens", "dim", "right")
_TITLE = Column("title", give="cut")


def state_word(record: Record) -> str:
    """Say what an entry is: ``canonical``, ``pending``, or ``revision`` or ``removal`` for a pending one."""
    if record.removes:
        return "removal"
    return "revision" if record.is_revision else record.status.value


def one_line(text: str) -> str:
    """Return a text with its line breaks and runs of blanks as single blanks."""
    return " ".join(text.split())


# Entries of a listing.
RECORDS: Shape[Record] = Shape(
    (_ID, Column("status"), _TYPE, _SCOPE, _TOKENS, Column("age", "dim", "right"), _TITLE),
    lambda record: (
        record.id,
        state_word(record),
        record.type,
        record.scope,
        str(record.tokens),
        record.created_at,
        record.title,
    ),
)


# Search results: the record's fields, with its score and the place that matched.
HITS: Shape[Hit] = Shape(
    (_ID, Column("status"), _TYPE, _SCOPE, _TITLE, Column("match", "dim", give="cut")),
    lambda hit: (
        hit.record.id,
        state_word(hit.record),
        hit.record.type,
        hit.record.scope,
        hit.record.title,
        one_line(hit.snippet),
    ),
    lambda hit: as_fields(hit.record) | {"score": hit.score, "snippet": hit.snippet},
)


# Links by the place that has them.
LINKS: Shape[LinkEntry] = Shape(
    (
        Column("in", "bold", give="wrap"),
        Column("line", "dim", "right"),
        Column("class"),
        Column("target", give="wrap"),
        Column("text", "dim", give="cut"),
    ),
    lambda link: (
        link.source_id,
        str(link.line),
        link.link_class,
        link.target if link.resolved_id is None else link.resolved_id,
        one_line(link.line_text),
    ),
)


# Recalled records in rank order.
RECALLED: Shape[Scored] = Shape(
    (Column("score", "dim", "right"), _TOKENS, _ID, _TYPE, _SCOPE, _TITLE),
    lambda scored: (
        f"{scored.score:.3f}",
        str(scored.record.tokens),
        scored.record.id,
        scored.record.type,
        scored.record.scope,
        scored.record.title,
    ),
    lambda scored: as_fields(scored.record) | {"relevance_score": scored.score},
)


# Lines of the decision journal.
JOURNAL: Shape[JournalEntry] = Shape(
    (
        Column("seq", "dim", "right"),
        Column("age", "dim", "right"),
        Column("decision", "bold"),
        Column("id", give="wrap"),
        Column("by", "dim", give="wrap"),
        Column("detail", "dim", give="cut"),
    ),
    lambda entry: (
        str(entry.seq),
        entry.at,
        entry.decision,
        entry.id,
        entry.by,
        one_line(entry.detail),
    ),
)


# Deleted records that can be restored.
TRASH: Shape[TrashItem] = Shape(
    (
        _ID,
        Column("deleted", "dim", "right"),
        Column("by", "dim", give="wrap"),
        _TITLE,
    ),
    lambda item: (
        item.record.id,
        item.deleted_at,
        item.deleted_by,
        item.record.title,
    ),
)

# Numbers by what they count.
COUNTS: Shape[tuple[str, int]] = Shape(
    (Column("number", "bold", "right"), Column("of")),
    lambda counted: (str(counted[1]), counted[0]),
)
