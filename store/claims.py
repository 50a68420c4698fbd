"""Claims: who is about to decide a draft, so that two operators do not do the same work.

A claim holds for some minutes and is renewed while its operator is there. It is a courtesy, kept by desks:
what makes a decision happen once is the revision it is checked against. A claim goes with its draft,
whatever becomes of that.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, delete, insert, select

from store.clock import from_micros
from store.errors import Claimed
from store.journal import Moment
from store.prepared import Prepared
from store.records import CLAIM_SECONDS, MOST_CLAIMS, Claim, RecordStatus
from store.tables import claim, record

STEP = 500  # drafts a statement

_PENDING = record.c.status == RecordStatus.PENDING.value
_DRAFTS = select(record.c.pk, record.c.id).where(
    _PENDING, record.c.id.in_(bindparam("ids", expanding=True))
)
_CLAIMS = select(claim).where(claim.c.record_pk.in_(bindparam("pks", expanding=True)))
_DROP = delete(claim).where(claim.c.record_pk.in_(bindparam("pks", expanding=True)))
_DROP_ONE = Prepared(delete(claim).where(claim.c.record_pk == bindparam("pk")))
_RELEASE = _DROP.where(claim.c.by == bindparam("who"))
_OF_OTHERS = (
    select(record.c.id, claim.c.by, claim.c.until)
    .join(record, record.c.pk == claim.c.record_pk)
    .where(_PENDING, claim.c.by != bindparam("who"))
    .order_by(claim.c.until.desc())
    .limit(MOST_CLAIMS)
)
_ON = Prepared(
    select(claim.c.by, claim.c.until)
    .join(record, record.c.pk == claim.c.record_pk)
    .where(record.c.id == bindparam("id"), _PENDING)
)


def take(conn: Connection, ids: Iterable[str], moment: Moment, *, take_over: bool) -> list[Claim]:
    """Claim drafts, or renew the claims on them; what is no draft any more is passed over.

    Args:
        ids: at most `STEP`, without repeats.
        take_over: also those on which somebody else's claim has expired.

    Returns:
        The claims of others that stand in the way.
    """
    drafts = {row.pk: row.id for row in conn.execute(_DRAFTS, {"ids": list(ids)})}
    free, refused = set(drafts), []
    for row in conn.execute(_CLAIMS, {"pks": list(drafts)}).all():
        if row.by != moment.by and (_holds(row.until, moment.now) or not take_over):
            free.discard(row.record_pk)
            refused.append(Claim(drafts[row.record_pk], row.by, from_micros(row.until)))
    if free:
        until = moment.now + CLAIM_SECONDS * 1_000_000
        conn.execute(_DROP, {"pks": list(free)})
        conn.execute(
            insert(claim),
            [{"record_pk": pk, "by": moment.by, "until": until} for pk in sorted(free)],
        )
    return refused


def release(conn: Connection, ids: Iterable[str], by: str) -> None:
    """Give claims of one's own up; those of others stay."""
    pks = [row.pk for row in conn.execute(_DRAFTS, {"ids": list(ids)})]
    conn.execute(_RELEASE, {"pks": pks, "who": by})


def drop(conn: Connection, pk: int) -> None:
    """Take the claim off a draft that was decided."""
    _DROP_ONE.run(conn, {"pk": pk})


def of_others(conn: Connection, by: str) -> tuple[Claim, ...]:
    """Return the claims of everybody else, expired ones too, at most `MOST_CLAIMS`, the latest first."""
    rows = conn.execute(_OF_OTHERS, {"who": by})
    return tuple(Claim(row.id, row.by, from_micros(row.until)) for row in rows)


def require_free(conn: Connection, id: str, moment: Moment) -> None:
    """Refuse a decision about a draft that somebody else has claimed.

    Raises:
        Claimed: by whom, and until when.
    """
    found = _ON.first(conn, {"id": id})
    if found is not None and found[0] != moment.by and _holds(found[1], moment.now):
        raise Claimed(
            f"{id!r} is claimed by {found[0]} until {from_micros(found[1]):%H:%M} UTC;"
            " nothing was changed",
            hint="Leave it to them, or wait until the claim has expired.",
        )


def _holds(until: int, now: int) -> bool:
    """Tell whether a claim holds, both times in microseconds.

    One that ends later than any can has been made by a clock that was put back since; clocks of several
    machines differ by less than a claim lasts.
    """
    return now < until <= now + 2 * CLAIM_SECONDS * 1_000_000
