"""The revision of an entry: what changes when anything does that an operator looks at before deciding."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple

from store.records import Audience, Provenance


def revision_of(
    id: str,
    type: str,
    scope: str,
    title: str,
    summary: str,
    content: str,
    base: str = "",
    bound: tuple[str | None, ...] = (),
) -> str:
    """Return the revision of what an operator sees: 16 hex digits over all of it.

    Args:
        base: the revision of the canonical record under a pending revision, else empty.
        bound: where it applies and came from, see `bound_by`: the same text elsewhere is another.
    """
    seen = json.dumps([id, type, scope, title, summary, content, base, *bound], ensure_ascii=True)
    return hashlib.sha256(seen.encode()).hexdigest()[:16]


def bound_by(
    session_id: str,
    project_root: str,
    provenance: Provenance,
    audience: Audience | None = None,
    removes: bool = False,
    echo: str = "",
    rewritten_by: str = "",
) -> tuple[str | None, ...]:
    """Return what a revision covers besides the text: binding, provenance, audience, and what it does.

    Args:
        echo: what the text repeats, as it is kept; a draft that came to be one is another.
    """
    whose = () if audience is None else astuple(audience)
    does = ("removes",) if removes else ()
    repeats = ("echo", echo) if echo else ()
    rewritten = ("rewritten", rewritten_by) if rewritten_by else ()
    return (session_id, project_root, *astuple(provenance), *whose, *does, *repeats, *rewritten)
