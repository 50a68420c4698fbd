"""The indexes by which Recall finds the latest entries of each kind that a turn may see.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Partial, so that each entry is in exactly one of them.
BINDINGS: dict[str, tuple[str, ...]] = {
    "global": (),
    "project": ("project_root",),
    "session": ("session_id",),
}


def upgrade() -> None:
    for scope, binding in BINDINGS.items():
        of_scope = sa.text(f"scope = '{scope}'")
        op.create_index(
            f"record_latest_{scope}",
            "record",
            ["status", "type", *binding, "updated_at"],
            sqlite_where=of_scope,
            postgresql_where=of_scope,
        )


def downgrade() -> None:
    for scope in BINDINGS:
        op.drop_index(f"record_latest_{scope}", "record")
