"""Whose a record is: the agent, and the conversation where it belongs to one. And what a flush wrote.

Records that were there before are nobody's, as are those of other doors.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

COLUMNS = ("agent_id", "conversation_key", "conversation_id")
BINDINGS: dict[str, tuple[str, ...]] = {
    "global": (),
    "project": ("project_root",),
    "session": ("session_id",),
}


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("record", sa.Column(name, sa.String(), nullable=False, server_default=""))
    _index_latest("agent_id")
    owned = sa.text("agent_id <> ''")
    op.create_index(
        "record_of_agent",
        "record",
        ["agent_id", "status", "updated_at"],
        sqlite_where=owned,
        postgresql_where=owned,
    )
    op.create_table(
        "flush",
        sa.Column("agent_id", sa.String(), nullable=False),
        sa.Column("flush", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("record_id", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("agent_id", "flush", "content"),
    )
    op.create_index("ix_flush_at", "flush", ["at"])


def downgrade() -> None:
    op.drop_table("flush")
    op.drop_index("record_of_agent", "record")
    _index_latest()
    for name in reversed(COLUMNS):
        op.drop_column("record", name)


def _index_latest(*further: str) -> None:
    for scope, binding in BINDINGS.items():
        of_scope = sa.text(f"scope = '{scope}'")
        op.drop_index(f"record_latest_{scope}", "record")
        op.create_index(
            f"record_latest_{scope}",
            "record",
            ["status", "type", *binding, *further, "updated_at"],
            sqlite_where=of_scope,
            postgresql_where=of_scope,
        )
