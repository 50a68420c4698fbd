"""The full-text index over `search_text`, and the triggers that keep it in step.

On other engines than SQLite search has means of its own; there this step does nothing.
"""

from alembic import op

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
        return
    for statement in (TABLE, *TUNING, *TRIGGERS, FILL):
        op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for trigger in ("added", "dropped", "changed"):
        op.execute(f"DROP TRIGGER search_text_{trigger}")
    op.execute("DROP TABLE search_index")
