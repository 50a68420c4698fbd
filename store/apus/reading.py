"""The reading half of the door: search, get and candidates, each within what its caller may read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.apus import applying, cursors, finding, hits, requests
from store.apus.callers import caller_of
from store.apus.policy import Reach, reach_of
from store.apus.projects import active_roots
from store.apus.sight import Wanted, within
from store.errors import InvalidArgument
from store.host import LocalProvider
from store.reader import Reader, reader_of
from store.segment import terms
from store.snippet import Snippets

_MOST_CANDIDATES = 200
_CANDIDATES = 50
_LINES = 1_000_000  # more than any text has
KINDS = ("trigger", "project")
_NOT_FOUND = {"status": "not_found"}


class Reading:
    """Answers of the provider.

    Args:
        provider: whose store is read.
        provider_id: the host's id of this provider, which its references bear.
    """

    def __init__(self, provider: LocalProvider, provider_id: str) -> None:
        self._provider = provider
        self._provider_id = provider_id

    def search(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return a page of hits, best first, and the cursor of the next one."""
        reach = reach_of(caller_of(params.get("caller")))
        query = requests.text(params, "query")
        requests.require_sources(params)
        least, size = requests.score(params), _page_size(params, "maxResults", requests.HITS)
        active = requests.texts(params, "activeProjectKeys")
        cursor = params.get("cursor")
        asked = cursors.fingerprint(query, least, active)
        with self._provider.database.reading() as conn:
            read = reader_of(conn)
            wanted = _wanted(read, active)
            if cursor is not None:
                found = cursors.decode(requests.text(params, "cursor", 20_000), asked)
            else:
                every = finding.find(read, reach, query, wanted)
                found = [each for each in every if each.score >= least]
            page, rest = found[:size], found[size:]
            scores = {each.pk: each.score for each in page}
            records = hits.records(read, reach, list(scores), wanted)
            self._provider.note_served([each.id for each in records.values()], *reach.readers)
            making = self._hits(read, reach, active, Snippets(terms(query)))
            answer: dict[str, Any] = {"hits": making.of(records, scores), "coverage": "complete"}
        if rest:
            answer["nextCursor"] = cursors.encode(asked, rest)
        if cursor is None and len(every) == finding.MOST:
            answer |= {
                "coverage": "partial",
                "warning": f"Only the best {finding.MOST} matches are listed.",
            }
        return answer

    def candidates(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the host may recall unasked, what was changed last first."""
        reach = reach_of(caller_of(params.get("caller")))
        kind = params.get("kind")
        if kind not in KINDS:
            raise InvalidArgument(f"kind: expected one of {', '.join(KINDS)}")
        limit = requests.number(params, "limit", _CANDIDATES, 1, _MOST_CANDIDATES)
        active = requests.texts(params, "activeProjectKeys")
        with self._provider.database.reading() as conn:
            read = reader_of(conn)
            wanted = _wanted(read, active)
            pks = applying.latest(read, reach, wanted, limit, of_projects=kind == "project")
            making = self._hits(read, reach, active, Snippets(()))
            listed = making.of(hits.records(read, reach, pks, wanted))
        return {"hits": listed, "coverage": "partial" if len(pks) == limit else "complete"}

    def get(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return a record's text, or as many lines of it as are asked for."""
        reach = reach_of(caller_of(params.get("caller")))
        first = requests.number(params, "from", 1, 1, _LINES)
        many = requests.number(params, "lines", _LINES, 1, _LINES)
        asked = requests.reference(params, self._provider_id)
        if asked is None:
            return dict(_NOT_FOUND)
        condition = within(reach)
        query = f"SELECT pk FROM record WHERE id = ? AND {condition.condition}"  # noqa: S608
        with self._provider.database.reading() as conn:
            read = reader_of(conn)
            pks = [pk for (pk,) in read.all(query, asked.id, *condition.values)]
            found = list(hits.records(read, reach, pks).values())
        if not found or asked.revision not in ("", found[0].revision):
            return dict(_NOT_FOUND)
        self._provider.note_served([found[0].id], *reach.readers)
        reference = hits.reference_of(found[0], self._provider_id)
        citations = [{"label": found[0].title, "reference": reference}]
        bounded = params.get("from") is not None or params.get("lines") is not None
        text = found[0].content
        part = lines_of(text, first, many) if bounded else {"text": text}
        return {"status": "ok", "reference": reference, "citations": citations, **part}

    def _hits(
        self, read: Reader, reach: Reach, active: tuple[str, ...] | None, snippets: Snippets
    ) -> hits.Hits:
        return hits.Hits(read, reach, self._provider_id, active, snippets)


def lines_of(text: str, first: int, many: int) -> dict[str, Any]:
    """Return a run of a text's lines; ``first`` counts from 1, and past the end there are none."""
    lines = text.split("\n")
    run = lines[first - 1 : first - 1 + many]
    part: dict[str, Any] = {"text": "\n".join(run), "from": first, "lines": len(run)}
    left = first - 1 + len(run) < len(lines) and bool(run)
    part["truncated"] = left
    if left:
        part["nextFrom"] = first + len(run)
    return part


def _page_size(params: Mapping[str, Any], name: str, default: int) -> int:
    return requests.number(params, name, default, 1, requests.MOST_HITS)


def _wanted(read: Reader, active: tuple[str, ...] | None) -> Wanted:
    return Wanted(roots=None if active is None else active_roots(read, active))
