"""What sessions were given, and drafts that repeat it.

Revision ID: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("record", sa.Column("echo", sa.String(), nullable=False, server_default=""))
    op.create_table(
        "served",
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("record_id", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "record_id"),
    )
    op.create_index("ix_served_at", "served", ["at"])


def downgrade() -> None:
    op.drop_table("served")
    with op.batch_alter_table("record") as record:
        record.drop_column("echo")
