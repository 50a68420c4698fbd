"""Deciding: approve, reject, and taking an approval back. The operator's alone."""

from __future__ import annotations

import json

from sqlalchemy import Connection, and_, bindparam, delete, or_, select

from store import claims, entries, journal, sources, trash
from store.entries import Entry
from store.errors import Conflict, InvalidArgument, NotFound
from store.journal import Moment
from store.links import restate
from store.names import drop_names, normal
from store.records import Decision, Origin, RecordResult, RecordStatus
from store.tables import journal as lines
from store.tables import version
from store.writes import (
    check_seen,
    propose,
    replace_canonical,
    what,
)

_LAST_VERSION = (
    select(version)
    .where(version.c.record_pk == bindparam("of"))
    .order_by(version.c.pk.desc())
    .limit(1)
)
_TITLES = select(version.c.title).where(version.c.record_pk == bindparam("of"))
_DROP_VERSION = delete(version).where(version.c.pk == bindparam("of"))
# The last of these lines tells how a record came to be canonical.
_LAST_ORIGIN = (
    select(lines.c.decision)
    .where(
        lines.c.id == bindparam("id"),
        or_(
            lines.c.decision.in_((Decision.RECORD, Decision.RESTORE)),
            and_(lines.c.decision == Decision.APPROVE, lines.c.detail == "draft"),
        ),
    )
    .order_by(lines.c.seq.desc())
    .limit(1)
)

_LAST_LINE = (
    select(lines.c.decision, lines.c.detail)
    .where(lines.c.id == bindparam("id"))
    .order_by(lines.c.seq.desc())
    .limit(1)
)


def approve(conn: Connection, id: str, seen: str | None, moment: Moment) -> RecordResult:
    """Make what waits under an id canonical; a proposal to forget moves its record to the trash.

    Args:
        seen: the revision that the reviewer looked at; None approves whatever is there.

    Raises:
        NotFound: nothing waits under this id. Conflict: it has changed since it was looked at.
    """
    canonical, pending = _waiting(conn, id, seen)
    kind = what(pending)
    if canonical is None:
        entries.set_status(conn, pending, RecordStatus.CANONICAL)
        claims.drop(conn, pending.pk)
    elif pending.removes:
        entries.remove(conn, pending, moment.now)
        trash.delete_canonical(conn, canonical, moment)
    else:
        draft = {
            "created_at": pending.created_at,
            "source_session_id": pending.source_session_id,
            "source_turn_id": pending.source_turn_id,
            "recorded_by": pending.recorded_by,
            "echo": pending.echo,
        }
        entries.remove(conn, pending, moment.now)
        replace_canonical(
            conn, canonical, pending.title, pending.content, pending.summary, moment, draft
        )
    journal.append(conn, Decision.APPROVE, pending.id, moment, pending.content_hash, kind)
    return RecordResult(id, RecordStatus.CANONICAL)


def reject(conn: Connection, id: str, seen: str | None, moment: Moment) -> None:
    """Discard what waits under an id; only a line of the journal stays. Raises as `approve`."""
    _, pending = _waiting(conn, id, seen)
    entries.remove(conn, pending, moment.now)
    if not pending.removes:
        sources.rejected(conn, id)
    journal.append(conn, Decision.REJECT, pending.id, moment, pending.content_hash, what(pending))


def _waiting(conn: Connection, id: str, seen: str | None) -> tuple[Entry | None, Entry]:
    """Return the canonical entry of an id, if any, and the pending one, checked against what was seen."""
    canonical, pending = entries.find_both(conn, id)
    if pending is None:
        if seen is not None:
            raise Conflict(
                f"{id!r} was decided in the meantime: nothing of it waits any more",
                hint="Its history tells who decided.",
            )
        raise NotFound(f"nothing waits for a decision under the id {id!r}")
    check_seen(pending, seen)
    return canonical, pending


def unapprove(conn: Connection, id: str, moment: Moment) -> RecordResult:
    """Take the last approval of a record back: it is a draft again, or has the text it had before.

    An approved revision waits again, as it was. A record that was forgotten is restored; the proposal is not.

    Raises:
        NotFound: no canonical record has this id.
        Conflict: it was edited, or a newer draft of it waits.
        InvalidArgument: it never was a draft.
    """
    if conn.execute(_LAST_LINE, {"id": id}).one_or_none() == (Decision.APPROVE, "removal"):
        return trash.restore(conn, id, moment)
    canonical, pending = entries.find_both(conn, id)
    if canonical is None:
        raise NotFound(f"no canonical record has the id {id!r}")
    if pending is not None:
        raise Conflict(
            f"a newer draft of {id!r} waits; nothing was changed", hint="Decide that one first."
        )
    last = conn.execute(_LAST_VERSION, {"of": canonical.pk}).first()
    if last is not None and not last.draft:
        raise Conflict(f"{id!r} was edited since its approval; nothing was changed")
    if last is not None:
        _take_back_revision(conn, canonical, last, moment)
        kind = "revision"
    else:
        origin = conn.execute(_LAST_ORIGIN, {"id": id}).scalar()
        if origin != Decision.APPROVE:
            raise InvalidArgument(f"{id!r} was not made canonical by an approval")
        entries.set_status(conn, canonical, RecordStatus.PENDING)
        kind = "draft"
    journal.append(conn, Decision.UNAPPROVE, canonical.id, moment, canonical.content_hash, kind)
    return RecordResult(id, RecordStatus.PENDING)


def _take_back_revision(conn: Connection, canonical: Entry, last: Entry, moment: Moment) -> None:
    draft = json.loads(last.draft)
    conn.execute(_DROP_VERSION, {"of": last.pk})
    gone = normal(canonical.title)
    kept = {normal(title) for title in conn.execute(_TITLES, {"of": canonical.pk}).scalars()}
    kept |= {normal(last.title), canonical.id}
    folded = (
        set() if gone in kept else drop_names(conn, canonical.pk, canonical.id, [gone], moment.now)
    )
    base = entries.set_text(
        conn,
        canonical,
        title=last.title,
        content=last.content,
        summary=last.summary,
        now=moment.now,
    )
    restate(conn, folded)
    origin = Origin(
        recorded_by=draft["recorded_by"],
        turn_id=draft["source_turn_id"],
        source_session_id=draft["source_session_id"],
    )
    text = (canonical.title, canonical.content, canonical.summary)
    echo = draft.get(
        "echo", ""
    )  # of one that was approved before there were echoes, nothing is known
    revision = propose(conn, base, *text, moment.now, origin, echo=echo)
    entries.set_columns(conn, revision, created_at=draft["created_at"])
