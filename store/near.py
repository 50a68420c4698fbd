"""Records much like one about to be written: a fuzzy look at ids and titles of its type and scope."""

from __future__ import annotations

from sqlalchemy import Connection

from store.records import MemoryScope, MemoryType, NearMatch

CUT_OFF = 85.0  # likeness from which a title counts as near, in [0, 100]


def find_near(
    conn: Connection,
    title: str,
    type: MemoryType,
    scope: MemoryScope,
    *,
    id: str = "",
    limit: int = 5,
    except_id: str = "",
) -> tuple[NearMatch, ...]:
    """Return the records of a type and scope whose id or title is at least `CUT_OFF` alike.

    Args:
        title: the title about to be written.
        id: the id suggested for it, compared with ids as well; empty when there is none.
        except_id: the id of a record to leave out, all its entries included (the one being reviewed).
    """
    return ()
