"""The keys by which near-matches are found, of entries written from now on.

`memory-inbox doctor` makes those of entries that were there before.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
GROUPS = 12


def upgrade() -> None:
    op.create_table(
        "near_key",
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("pk", KEY, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        *(sa.Column(f"g{number}", sa.Integer(), nullable=False) for number in range(GROUPS)),
        sa.ForeignKeyConstraint(["pk"], ["record.pk"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("type", "scope", "length", "pk", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_near_key_pk", "near_key", ["pk"])


def downgrade() -> None:
    op.drop_table("near_key")
