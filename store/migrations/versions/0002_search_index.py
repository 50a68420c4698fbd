"""The full-text index over `search_text`: on SQLite with the triggers that keep it in step.

On PostgreSQL the program keeps it in step itself (`store.tsvector`), so that it takes nothing of the server
but a column type and its index.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# The tokenizer that splits at ASCII punctuation and nowhere else: all other rules are store/segment.py's.
# External content: the text is not kept twice, and the index can be checked against it.
TABLE = """
CREATE VIRTUAL TABLE search_index USING fts5(
    title, body, content='search_text', content_rowid='pk', tokenize='porter ascii'
)
"""
# Fewer and larger merges happen within a write than by default (4 and 16): a long merge is a stall.
TUNING = (
    "INSERT INTO search_index(search_index, rank) VALUES ('automerge', 8)",
    "INSERT INTO search_index(search_index, rank) VALUES ('crisismerge', 64)",
)
_REMOVE = """
    INSERT INTO search_index(search_index, rowid, title, body)
    VALUES ('delete', old.pk, old.title, old.body);
"""
_ADD = "INSERT INTO search_index(rowid, title, body) VALUES (new.pk, new.title, new.body);"
TRIGGERS = (
    f"CREATE TRIGGER search_text_added AFTER INSERT ON search_text BEGIN {_ADD} END",
    f"CREATE TRIGGER search_text_dropped AFTER DELETE ON search_text BEGIN {_REMOVE} END",
    f"""
    CREATE TRIGGER search_text_changed AFTER UPDATE ON search_text
    WHEN old.title <> new.title OR old.body <> new.body OR old.pk <> new.pk
    BEGIN {_REMOVE} {_ADD} END
    """,
)
FILL = "INSERT INTO search_index(search_index) VALUES ('rebuild')"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        _upgrade_server()
        return
    for statement in (TABLE, *TUNING, *TRIGGERS, FILL):
        op.execute(statement)


def _upgrade_server() -> None:
    op.create_table(
        "search_index",
        sa.Column("pk", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("words", TSVECTOR(), nullable=False),
        sa.Column("text", sa.Text(collation="C"), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["pk"], ["record.pk"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("pk"),
    )
    op.create_index("search_index_words", "search_index", ["words"], postgresql_using="gin")
    total = op.create_table(
        "search_total",
        sa.Column("pk", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entries", sa.BigInteger(), nullable=False),
        sa.Column("words", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("pk"),
    )
    op.bulk_insert(total, [{"pk": 1, "entries": 0, "words": 0}])


def downgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.drop_table("search_total")
        op.drop_table("search_index")
        return
    for trigger in ("added", "dropped", "changed"):
        op.execute(f"DROP TRIGGER search_text_{trigger}")
    op.execute("DROP TABLE search_index")
