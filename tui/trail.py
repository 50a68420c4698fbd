"""Where a reader has been: the records visited through links, back and forward, as a browser has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Place = TypeVar("Place")


@dataclass(slots=True)
class Trail(Generic[Place]):
    """Places in the order of the visit, and which of them one is at."""

    _places: list[Place] = field(default_factory=list)
    _at: int = -1

    @property
    def here(self) -> Place | None:
        """Where one is, None before the first visit."""
        return self._places[self._at] if self._places else None

    @property
    def behind(self) -> int:
        """How many places one can go back."""
        return max(self._at, 0)

    @property
    def ahead(self) -> int:
        """How many places one can go forward again."""
        return len(self._places) - 1 - self._at

    def start(self, place: Place) -> None:
        """Begin anew at a place."""
        self._places, self._at = [place], 0

    def visit(self, place: Place) -> None:
        """Go to a place; what was ahead is forgotten. Where one is already is no visit."""
        if place != self.here:
            del self._places[self._at + 1 :]
            self._places.append(place)
            self._at += 1

    def back(self) -> Place | None:
        """Go back one place, None if one is at the first."""
        if self.behind == 0:
            return None
        self._at -= 1
        return self.here

    def forward(self) -> Place | None:
        """Go forward one place, None if one is at the last."""
        if self.ahead == 0:
            return None
        self._at += 1
        return self.here
