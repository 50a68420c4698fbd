"""What a source last gave, by hash: tells an edit made here from a change of the file.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("source", sa.Column("given", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("source", "given")
