"""Records much like one about to be written: a fuzzy look at ids and titles of its type and scope.

Likeness is max(ratio, token_sort_ratio) of RapidFuzz over folded texts: letters wrong or missing, and
words in another order. Both come from the edit distance in which letters are put in or taken out,

    ratio = 100 (1 - distance / (length of one + length of other))

and that distance is at least the sum of differences in how often each letter occurs. So `near_key` keeps
with each text how many of its letters fall into each of a dozen groups: the database passes over most of a
partition by a few subtractions a row, and nothing near is missed, for pooling letters into groups or
reordering words never makes that sum larger.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections import defaultdict

from rapidfuzz import fuzz, process
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
)

from store.prepared import Prepared
from store.records import MemoryScope, MemoryType, NearMatch, RecordStatus
from store.tables import LETTER_GROUPS, near_key, record

CUT_OFF = 85.0  # likeness from which a title counts as near, in [0, 100]

_NUMBER = re.compile(r" \d+$")
_SEPARATORS = re.compile(r"[\W_]+")
# Pooled so that English text puts about as many letters into each.
_GROUPS = ("e", "t", "a", "o", "ijxqz", "nk", "sp", "hy", "rg", "dwv", "lmb", "cuf")
_GROUP_OF = {letter: group for group, letters in enumerate(_GROUPS) for letter in letters}
_FIRST = 5  # groups that are compared before the others
_LOOKED_UP = 100  # of the texts that are near: those of one record may be several

_DROP = Prepared(delete(near_key).where(near_key.c.pk == bindparam("of")))
_KEEP = Prepared(insert(near_key), near_key.c.keys())
_ENTRY = Prepared(
    select(record.c.id, record.c.type, record.c.scope).where(record.c.pk == bindparam("of"))
)
_NAMED = select(record.c.id, record.c.title, record.c.status, record.c.pk).where(
    record.c.pk.in_(bindparam("pks", expanding=True))
)


def keep_keys(conn: Connection, pk: int, title: str) -> None:
    """Make an entry comparable by its id and present title, within the caller's transaction."""
    drop_keys(conn, pk)
    for id, type, scope in _ENTRY.all(conn, {"of": pk}):
        _KEEP.run_each(conn, keys_of(pk, type, scope, title, id))


def keys_of(pk: int, type: str, scope: str, title: str, id: str) -> list[dict[str, str | int]]:
    """Return the rows of `near_key` for an entry's title and id, columns in the table's order."""
    place = {"type": type, "scope": scope}
    return [{**place, **_key(form, pk, seq)} for seq, form in enumerate(_forms(title, id))]


def drop_keys(conn: Connection, pk: int) -> None:
    """Make an entry incomparable; deleting its row does so too."""
    _DROP.run(conn, {"of": pk})


def find_near(
    conn: Connection,
    title: str,
    type: MemoryType,
    scope: MemoryScope,
    *,
    id: str = "",
    limit: int = 5,
    except_id: str = "",
    among: ColumnElement[bool] | None = None,
) -> tuple[NearMatch, ...]:
    """Return the records of a type and scope whose id or title is at least `CUT_OFF` alike, nearest first.

    A record that is the very same has a likeness of 100.

    Args:
        title: the title about to be written.
        id: the id suggested for it, compared as well; empty when there is none.
        except_id: the id of a record to leave out, all its entries included (the one being reviewed).
        among: what an entry must be to be named, a condition on `record`; None for anything.
    """
    likeness: dict[int, float] = defaultdict(float)
    for form in _forms(title, id):
        rows = conn.execute(_close(form, type, scope)).all()
        texts = [row.text for row in rows]
        for scorer in (fuzz.ratio, fuzz.token_sort_ratio):
            for _, score, at in process.extract(
                form, texts, scorer=scorer, score_cutoff=CUT_OFF, limit=None
            ):
                likeness[rows[at].pk] = max(likeness[rows[at].pk], score)
    named = _NAMED if among is None else _NAMED.where(among)
    nearest = heapq.nsmallest(_LOOKED_UP, likeness, key=lambda pk: (-likeness[pk], pk))
    matches = [
        NearMatch(row.id, row.title, RecordStatus(row.status), likeness[row.pk])
        for row in conn.execute(named, {"pks": nearest})
        if row.id != except_id
    ]
    best: dict[str, NearMatch] = {}
    for match in sorted(matches, key=lambda match: (-match.likeness, match.id, match.status)):
        best.setdefault(match.id, match)
    return tuple(best.values())[:limit]


def _close(form: str, type: MemoryType, scope: MemoryScope) -> Select[int, str]:
    """Return the select of all keys of a partition that can be near a form, and few others."""
    key, asked = near_key.c, _key(form)
    share = 100 - CUT_OFF
    length = len(form)
    apart = [func.abs(key[name] - asked[name]) for name in LETTER_GROUPS]
    most = share * (key.length + length)
    return select(key.pk, key.text).where(
        key.type == type.value,
        key.scope == scope.value,
        # The distance is at least the difference in length.
        key.length.between(length * CUT_OFF / (100 + share), length * (100 + share) / CUT_OFF),
        # Some of the letters first: they rule most texts out, and the rest need not be looked at.
        100 * sum(apart[:_FIRST], literal(0)) <= most,
        100 * sum(apart, literal(0)) <= most,
    )


def _forms(title: str, id: str) -> list[str]:
    """Return the folded forms of a title and id that differ by more than the number of a taken id."""
    name, slug = _form(title), _form(id)
    if _NUMBER.sub("", slug) == name:
        slug = name
    return list(filter(None, dict.fromkeys((name, slug))))


def _form(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(_SEPARATORS.sub(" ", folded).split())


def _key(form: str, pk: int = 0, seq: int = 0) -> dict[str, str | int]:
    """Return the columns of a form: its length, whose it is, itself, and its letters by group."""
    counts = [0] * len(LETTER_GROUPS)
    for letter in form:
        if letter != " ":
            counts[_GROUP_OF.get(letter, ord(letter) % len(counts))] += 1
    letters = dict(zip(LETTER_GROUPS, counts, strict=True))
    return {"length": len(form), "pk": pk, "seq": seq, "text": form, **letters}
