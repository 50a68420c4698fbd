"""Drafts whose text another writer has replaced.

Revision ID: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("rewritten_by", sa.String(), nullable=False, server_default="")
    op.add_column("record", column)


def downgrade() -> None:
    with op.batch_alter_table("record") as record:
        record.drop_column("rewritten_by")
