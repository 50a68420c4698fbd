"""Proposals to forget a record: pending revisions whose approval moves it to the trash.

Revision ID: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "record", sa.Column("removes", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    op.execute("DELETE FROM record WHERE removes")
    with op.batch_alter_table("record") as record:
        record.drop_column("removes")
