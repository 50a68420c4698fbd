"""What agents and operators write: new records, new texts, and edits of what waits."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from store import checks, entries, journal, served
from store.clock import to_micros
from store.entries import Entry, is_revision
from store.errors import Conflict, InvalidArgument, NotFound
from store.journal import Moment
from store.links import restate
from store.names import add_names, drop_names, names_of, normal
from store.reader import reader_of
from store.records import Decision, NewRecord, Origin, Record, RecordResult, RecordStatus
from store.rows import to_record
from store.slugs import free_slug, slugify
from store.tables import record, version

# Also what is read of a proposal where only its text arrives, as over the wire.
_REMOVAL = "This proposes to forget the memory: approving it moves the memory to the trash."
KEPT_VERSIONS = 20  # of a record; the texts before are forgotten

_WAITING = select(record).where(
    record.c.id == bindparam("of"), record.c.status == RecordStatus.PENDING.value
)
_KEEP_VERSION = insert(version)
_OLD_VERSIONS = select(version.c.pk).where(version.c.record_pk == bindparam("of"))
_DROP_VERSIONS = delete(version).where(
    version.c.record_pk == bindparam("of"),
    version.c.pk.not_in(_OLD_VERSIONS.order_by(version.c.pk.desc()).limit(KEPT_VERSIONS)),
)


def write(
    conn: Connection,
    new: NewRecord,
    origin: Origin,
    status: RecordStatus,
    moment: Moment,
    echo: str = "",
) -> RecordResult:
    """Write a new record, checked by `checks.new_record`, under a free id.

    Args:
        echo: what its text repeats, see `store.served`.

    Raises:
        InvalidArgument: its title is none, see `checks.title`.
    """
    wanted = slugify(new.id) if new.id and new.id.strip() else ""
    title = checks.title(new.title, new.content, wanted or "untitled")
    id = free_slug(conn, wanted or slugify(title))
    created = to_micros(new.created_at) if new.created_at else moment.now
    kind = {"type": new.type.value, "scope": new.scope.value}
    entry = {"id": id, **kind, **_stamp(origin), "echo": echo}
    values = {
        **entry,
        **entries.text_values(entry, title, new.summary, new.content),
        "status": status.value,
        "created_at": created,
        "updated_at": to_micros(new.updated_at) if new.updated_at else created,
    }
    # A suggestion that folded to another id is still what its author calls the record.
    suggested = [new.id] if new.id and normal(new.id) != id else []
    entries.insert(conn, values, [*new.aliases, *suggested])
    detail = "draft" if status is RecordStatus.PENDING else "canonical"
    journal.append(conn, Decision.RECORD, id, moment, values["content_hash"], detail)
    return RecordResult(id, status)


def _stamp(origin: Origin) -> dict[str, Any]:
    return {
        "source_session_id": origin.source_session_id or origin.session_id,
        "source_turn_id": origin.turn_id,
        "recorded_by": origin.recorded_by,
        "session_id": origin.session_id,
        "project_root": origin.project_root,
        **entries.audience_columns(origin.audience),
    }


def update_text(
    conn: Connection,
    id: str,
    content: str,
    title: str | None,
    origin: Origin,
    moment: Moment,
    *,
    ratified: bool,
    echo: str = "",
) -> RecordResult:
    """Replace a text: a draft's in place, a canonical record's by a pending revision.

    Args:
        ratified: whether what agents write waits for an operator. Otherwise a canonical text is replaced
            at once, and a draft (some other host's) is not there to be updated.
        echo: what the text repeats, see `store.served`.

    Raises:
        NotFound: no such id. InvalidArgument: the title is none, see `checks.title`.
    """
    canonical, pending = entries.find_both(conn, id)
    if canonical is None and not ratified:
        raise NotFound.record(id)
    if canonical is None and pending is not None:
        new_title = checks.title(title, content, id) if title is not None else pending.title
        pending = _rewritten(conn, pending, origin, whole=title is not None)
        draft = replace_draft(conn, pending, new_title, content, pending.summary, moment.now, echo)
        journal.append(conn, Decision.UPDATE, draft.id, moment, draft.content_hash, "draft")
        return RecordResult(id, RecordStatus.PENDING)
    assert canonical is not None  # noqa: S101 - find_both
    new_title = checks.title(title, content, id) if title is not None else canonical.title
    if not ratified:
        changed = replace_canonical(conn, canonical, new_title, content, canonical.summary, moment)
        journal.append(conn, Decision.UPDATE, changed.id, moment, changed.content_hash, "canonical")
        return RecordResult(id, RecordStatus.CANONICAL)
    if pending is not None:
        entries.remove(conn, pending, moment.now)
    text = (new_title, content, canonical.summary)
    revision = propose(conn, canonical, *text, moment.now, origin, echo=echo)
    journal.append(conn, Decision.UPDATE, revision.id, moment, revision.content_hash, "revision")
    return RecordResult(id, RecordStatus.PENDING)


def writer_of(recorded_by: str) -> str:
    """Return who wrote, whatever the version: what stands before the last slash, if there is one."""
    return recorded_by.rpartition("/")[0] or recorded_by


def _rewritten(conn: Connection, draft: Entry, origin: Origin, *, whole: bool) -> Entry:
    """Note on a draft that another writer gives it a text, until its own writes all of it anew.

    Its provenance stays; but what one source is trusted with, no other may say in its name.
    """
    by = origin.recorded_by
    own = writer_of(by) == writer_of(draft.recorded_by)
    if not by or (own and not whole):
        return draft
    entries.set_columns(conn, draft, rewritten_by="" if own else by)
    return entries.reread(conn, draft.pk)


def propose(
    conn: Connection,
    canonical: Entry,
    title: str,
    content: str,
    summary: str,
    now: int,
    origin: Origin,
    *,
    removes: bool = False,
    echo: str = "",
) -> Entry:
    """Write a pending revision of a canonical record; it is bound, and whose, as the record is."""
    kept = ("id", "type", "scope", "session_id", "project_root", *entries.AUDIENCE)
    as_it_is = {key: canonical._mapping[key] for key in kept}
    entry = {**_stamp(origin), **as_it_is, "removes": removes, "echo": echo}
    values = {
        **entry,
        **entries.text_values(entry, title, summary, content, canonical.revision),
        "status": RecordStatus.PENDING.value,
        "base_revision": canonical.revision,
        "created_at": now,
        "updated_at": now,
    }
    return entries.reread(conn, entries.insert(conn, values, aliases=None))


def propose_removal(
    conn: Connection, id: str, reason: str, origin: Origin, moment: Moment
) -> RecordResult:
    """Propose to forget a canonical record: a pending revision whose approval moves it to the trash.

    Proposing it again changes nothing.

    Args:
        reason: for the reviewer; empty for none.

    Raises:
        NotFound: no such id. InvalidArgument: there is no canonical record, or a new text of it waits.
    """
    canonical, pending = entries.find_both(conn, id)
    if canonical is None:
        raise InvalidArgument(
            f"{id!r} is a draft that nobody approved: there is nothing to forget",
            hint="Its reviewer decides; until then nobody recalls it.",
        )
    if pending is not None and not pending.removes:
        raise InvalidArgument(
            f"a new text of {id!r} waits for a decision", hint="Ask again once it is decided."
        )
    if pending is None:
        told = f"{_REMOVAL}\n\n{reason.strip()}".rstrip()
        revision = propose(
            conn, canonical, canonical.title, told, "", moment.now, origin, removes=True
        )
        journal.append(conn, Decision.UPDATE, id, moment, revision.content_hash, "removal")
    return RecordResult(id, RecordStatus.PENDING)


def replace_draft(
    conn: Connection,
    draft: Entry,
    title: str,
    content: str,
    summary: str,
    now: int,
    echo: str = "",
) -> Entry:
    """Give a new draft another text; a title it no longer has is no name of it any more."""
    folded: set[str] = set()
    if title != draft.title:
        folded = drop_names(conn, draft.pk, draft.id, _own_title(conn, draft), now)
        folded |= add_names(conn, draft.pk, [title])
    changed = entries.set_text(
        conn, draft, title=title, content=content, summary=summary, now=now, echo=echo
    )
    restate(conn, folded)
    return changed


def _own_title(conn: Connection, draft: Entry) -> list[str]:
    """Return the draft's title as a name, unless the same word is its id."""
    title = normal(draft.title)
    return [title] if title != draft.id and title in names_of(conn, draft.pk) else []


def replace_canonical(
    conn: Connection,
    canonical: Entry,
    title: str,
    content: str,
    summary: str,
    moment: Moment,
    draft: dict[str, Any] | None = None,
) -> Entry:
    """Give a canonical record another text, keep the one it replaces, and rebase what waits on it.

    Args:
        draft: what is to be known of the revision whose approval this is, None for an edit.
    """
    conn.execute(
        _KEEP_VERSION,
        {
            "record_pk": canonical.pk,
            "revision": canonical.revision,
            "title": canonical.title,
            "summary": canonical.summary,
            "content": canonical.content,
            "replaced_at": moment.now,
            "draft": json.dumps(draft) if draft else "",
        },
    )
    conn.execute(_DROP_VERSIONS, {"of": canonical.pk})
    folded = set() if title == canonical.title else add_names(conn, canonical.pk, [title])
    changed = entries.set_text(
        conn, canonical, title=title, content=content, summary=summary, now=moment.now
    )
    restate(conn, folded)
    rebase(conn, changed)
    return changed


def rebase(conn: Connection, canonical: Entry) -> None:
    """Change the revision of what waits on a canonical record, whose text was changed.

    Whoever looked at the pending revision has seen another base, and gets a conflict.
    """
    pending = conn.execute(_WAITING, {"of": canonical.id}).first()
    if pending is not None:
        values = entries.text_values(
            pending._mapping, pending.title, pending.summary, pending.content, canonical.revision
        )
        entries.set_columns(conn, pending, revision=values["revision"])


def edit(
    conn: Connection,
    id: str,
    seen: str,
    content: str | None,
    title: str | None,
    moment: Moment,
) -> Record:
    """Change the text of what is waiting under an id, else of its canonical record, in place.

    Args:
        seen: the revision that the editor started from.

    Raises:
        NotFound: no such id. Conflict: it has changed since. InvalidArgument: the title is none.
    """
    canonical, pending = entries.find_both(conn, id)
    entry = pending if pending is not None else canonical
    assert entry is not None  # noqa: S101 - find_both
    check_seen(entry, seen)
    if entry.removes:
        raise InvalidArgument(
            f"what waits under {id!r} proposes to forget it and has no text to edit",
            hint="Approve or reject it.",
        )
    text = entry.content if content is None else content
    name = entry.title if title is None else checks.title(title, text, id)
    echo = served.echo_still(reader_of(conn), text, entry.echo) if pending is not None else ""
    if pending is None:
        changed = replace_canonical(conn, entry, name, text, entry.summary, moment)
    elif is_revision(entry) and canonical is not None:
        changed = entries.set_text(
            conn,
            entry,
            title=name,
            content=text,
            summary=entry.summary,
            now=moment.now,
            base=canonical.revision,
            echo=echo,
        )
    else:
        changed = replace_draft(conn, entry, name, text, entry.summary, moment.now, echo)
    journal.append(conn, Decision.UPDATE, changed.id, moment, changed.content_hash, what(changed))
    return to_record(changed)


def what(entry: Entry) -> str:
    """Return the journal's word for an entry."""
    if entry.status == RecordStatus.CANONICAL:
        return "canonical"
    if entry.removes:
        return "removal"
    return "revision" if is_revision(entry) else "draft"


def check_seen(entry: Entry, seen: str | None) -> None:
    """Raise Conflict unless an entry still is what its reviewer looked at; None means not checked."""
    if seen is not None and seen != entry.revision:
        raise Conflict(
            f"{entry.id!r} is not what you looked at any more; nothing was changed",
            hint="Look at it again, then decide.",
        )
