"""The tables of the first version.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _journal()
    _record()
    _retired()
    _source()
    _token_count()
    _trash()
    _link()
    _name()
    _search_text()
    _version()
    if op.get_context().dialect.name == "sqlite":
        _guard_journal()


def _journal() -> None:
    op.create_table(
        "journal",
        sa.Column("seq", KEY, autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )
    op.create_index("ix_journal_id", "journal", ["id"], unique=False)


def _record() -> None:
    op.create_table(
        "record",
        sa.Column("pk", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("links", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("revision", sa.String(), nullable=False),
        sa.Column("base_revision", sa.String(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("source_session_id", sa.String(), nullable=False),
        sa.Column("source_turn_id", sa.String(), nullable=True),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("project_root", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("pk"),
        sa.UniqueConstraint("id", "status"),
        sqlite_autoincrement=True,
    )
    op.create_index("record_page", "record", ["created_at", "pk"], unique=False)
    op.create_index("record_status_page", "record", ["status", "created_at", "pk"], unique=False)
    op.create_index("record_kind", "record", ["status", "type", "scope"], unique=False)
    op.create_index(
        "record_revision",
        "record",
        ["status", "type", "scope"],
        unique=False,
        sqlite_where=sa.text("base_revision IS NOT NULL"),
        postgresql_where=sa.text("base_revision IS NOT NULL"),
    )


def _retired() -> None:
    op.create_table(
        "retired",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )


def _source() -> None:
    op.create_table(
        "source",
        sa.Column("pk", KEY, autoincrement=True, nullable=False),
        sa.Column("record_id", sa.String(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("file_hash", sa.String(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("newline", sa.String(), nullable=False),
        sa.Column("mtime_us", sa.BigInteger(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("pk"),
        sa.UniqueConstraint("root", "path", "part"),
    )
    op.create_index("ix_source_record_id", "source", ["record_id"], unique=False)


def _token_count() -> None:
    op.create_table(
        "token_count",
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", "model"),
    )


def _trash() -> None:
    op.create_table(
        "trash",
        sa.Column("pk", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_by", sa.String(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("pk"),
    )
    op.create_index("ix_trash_deleted_at", "trash", ["deleted_at"], unique=False)
    op.create_index("ix_trash_id", "trash", ["id"], unique=False)


def _link() -> None:
    op.create_table(
        "link",
        sa.Column("source_pk", KEY, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("whole", sa.String(), nullable=True),
        sa.Column("whole_folded", sa.String(), nullable=True),
        sa.Column("alias", sa.String(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("target_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["source_pk"], ["record.pk"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("source_pk", "seq"),
    )
    op.create_index("ix_link_folded", "link", ["folded"], unique=False)
    op.create_index("link_state", "link", ["state", "source_id", "source_pk", "seq"], unique=False)
    op.create_index("link_target", "link", ["target_id"], unique=False)
    op.create_index(
        "link_whole",
        "link",
        ["whole_folded"],
        unique=False,
        sqlite_where=sa.text("whole_folded IS NOT NULL"),
        postgresql_where=sa.text("whole_folded IS NOT NULL"),
    )


def _name() -> None:
    op.create_table(
        "name",
        sa.Column("pk", KEY, autoincrement=True, nullable=False),
        sa.Column("record_pk", KEY, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("is_id", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["record_pk"], ["record.pk"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("pk"),
        sa.UniqueConstraint("record_pk", "name"),
    )
    op.create_index("ix_name_folded", "name", ["folded"], unique=False)


def _search_text() -> None:
    op.create_table(
        "search_text",
        sa.Column("pk", KEY, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["pk"], ["record.pk"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("pk"),
    )


def _version() -> None:
    op.create_table(
        "version",
        sa.Column("pk", KEY, autoincrement=True, nullable=False),
        sa.Column("record_pk", KEY, nullable=False),
        sa.Column("revision", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("replaced_at", sa.BigInteger(), nullable=False),
        sa.Column("draft", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["record_pk"], ["record.pk"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("pk"),
    )
    op.create_index("ix_version_record_pk", "version", ["record_pk"], unique=False)


def _guard_journal() -> None:
    for verb in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER journal_no_{verb.lower()} BEFORE {verb} ON journal "
            "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
        )
