"""Who is about to decide which draft, and until when that holds.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "claim",
        sa.Column("record_pk", KEY, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["record_pk"], ["record.pk"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record_pk"),
    )


def downgrade() -> None:
    op.drop_table("claim")
