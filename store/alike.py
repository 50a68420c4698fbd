"""Names that read like another: what a link that leads nowhere may mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from render.wikilink import fold_name

ALIKE = 60  # percent; a suggestion costs one look, a missed one a search


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a link may mean: a record's id, and how alike one of its names is, in percent."""

    id: str
    likeness: float


class Names:
    """Names of records, among which like ones are sought.

    Args:
        named: ids, each with a name of that record; several names of a record are several pairs.
    """

    def __init__(self, named: Iterable[tuple[str, str]]) -> None:
        pairs = list(named)
        self._ids = [id for id, _ in pairs]
        self._names = [_plain(name) for _, name in pairs]

    def like(
        self, name: str, limit: int = 3, *, except_id: str = "", least: float = ALIKE
    ) -> tuple[Suggestion, ...]:
        """Return the records with a name like this one, the likest first, each once.

        Args:
            except_id: a record that is not meant: the one that has the link.
            least: how alike, in percent, a name is at least.
        """
        alike = process.extract(
            _plain(name),
            self._names,
            scorer=fuzz.token_sort_ratio,
            score_cutoff=least,
            limit=limit * 4,
        )
        best: dict[str, float] = {}
        for _, likeness, at in alike:
            id = self._ids[at]
            if id != except_id:
                best[id] = max(likeness, best.get(id, 0.0))
        ranked = sorted(best.items(), key=lambda each: (-each[1], each[0]))
        return tuple(Suggestion(id, round(likeness, 1)) for id, likeness in ranked[:limit])

    def having(self, part: str, limit: int = 3) -> tuple[Suggestion, ...]:
        """Return the records with a name that has a part, the one that is most of its name first."""
        plain = _plain(part)
        best: dict[str, float] = {}
        for id, name in zip(self._ids, self._names, strict=True):
            if plain and plain in name:
                best[id] = max(fuzz.ratio(plain, name), best.get(id, 0.0))
        ranked = sorted(best.items(), key=lambda each: (-each[1], each[0]))
        return tuple(Suggestion(id, round(likeness, 1)) for id, likeness in ranked[:limit])


def likeness(one: str, other: str) -> float:
    """Return how alike two names are, in percent."""
    first, second = _plain(one), _plain(other)
    return max(fuzz.ratio(first, second), fuzz.token_sort_ratio(first, second))


def _plain(text: str) -> str:
    return fold_name(text).replace("-", " ")
