"""Marks: what an operator has decided and not yet applied, with undo and redo without limit.

A pure model. A mark remembers the revision that was on the card when it was set; applying hands that
revision to the store, which refuses when the draft has changed since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from store.records import Origin


class Mark(StrEnum):
    """What is to become of a draft."""

    APPROVE = "approve"
    REJECT = "reject"
    SKIP = "skip"  # decided later: nothing is done
    HELD = "held"  # left out of a bulk approval until it is looked at


DECIDED = frozenset({Mark.APPROVE, Mark.REJECT, Mark.SKIP})
"""Marks that "next undecided" passes over."""

APPLIED = frozenset({Mark.APPROVE, Mark.REJECT})
"""Marks that do something when the plan is applied."""

SIGNS: dict[Mark, str] = {Mark.APPROVE: "✓", Mark.REJECT: "✗", Mark.SKIP: "»", Mark.HELD: "○"}
"""One cell for each mark: it reads without colour."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A mark on one draft as it was seen.

    Args:
        revision: the revision that was on the card, or in the list for marks that do nothing.
        is_revision: whether the draft would replace a canonical text.
        failure: why the last attempt to apply it failed; empty when there was none.
    """

    id: str
    mark: Mark
    revision: str
    is_revision: bool = False
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What a step did to one draft's mark; None is no mark."""

    id: str
    before: Marked | None
    after: Marked | None

    @property
    def inverse(self) -> Change:
        """The change that takes this one back."""
        return Change(self.id, self.after, self.before)


@dataclass(frozen=True, slots=True)
class Wording:
    """A title and a text, and the revision of the draft that has them."""

    title: str
    content: str
    revision: str


@dataclass(frozen=True, slots=True)
class Edit:
    """What an edit made of one draft; the store has the new wording already.

    Args:
        made: the draft did not exist before: it is a revision of the canonical record that ``before`` words.
        origin: where a draft that was made came from, so that doing it again makes the same one.
    """

    id: str
    before: Wording
    after: Wording
    made: bool = False
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True)
class Step:
    """What one key press did, undone as one.

    Args:
        words: names the step in notices, as in "approve user-role" or "approve 12 drafts".
        edit: the edit that was part of it; whoever undoes the step has the store take it back.
    """

    words: str
    changes: tuple[Change, ...]
    edit: Edit | None = None

    @property
    def id(self) -> str:
        """The draft where the cursor belongs when the step is undone."""
        return self.edit.id if self.edit else self.changes[0].id


class Marks:
    """All marks of a sitting, in the order in which they were set."""

    def __init__(self, marked: Iterable[Marked] = ()) -> None:
        self._marks: dict[str, Marked] = {item.id: item for item in marked}
        self._done: list[Step] = []
        self._undone: list[Step] = []

    def __len__(self) -> int:
        return len(self._marks)

    def __iter__(self) -> Iterator[Marked]:
        return iter(tuple(self._marks.values()))

    def __contains__(self, id: object) -> bool:
        return id in self._marks

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step to do again."""
        return bool(self._undone)

    def get(self, id: str) -> Marked | None:
        """Return the mark of a draft."""
        return self._marks.get(id)

    def decided(self, id: str) -> bool:
        """Tell whether a draft needs no more attention."""
        marked = self._marks.get(id)
        return marked is not None and marked.mark in DECIDED

    def to_apply(self) -> tuple[Marked, ...]:
        """Return the marks that do something, in the order in which they were set."""
        return tuple(item for item in self._marks.values() if item.mark in APPLIED)

    def counts(self) -> Counter[Mark]:
        """Return how many drafts have each mark."""
        return Counter(item.mark for item in self._marks.values())

    def set(self, *marked: Marked) -> Step | None:
        """Mark drafts as one step; None when all of them were so marked already."""
        changes = [Change(item.id, self._marks.get(item.id), item) for item in marked]
        return self._step(_words_of(marked), changes)

    def edited(self, edit: Edit, *marked: Marked) -> Step:
        """Take note of an edit as one step; a mark on the draft goes along with its new revision.

        Args:
            marked: marks that are set with the edit, on the draft or on others that were merged into it.
        """
        after = {item.id: item for item in marked}
        before = self._marks.get(edit.id)
        if before is not None and edit.id not in after:
            after[edit.id] = replace(before, revision=edit.after.revision)
        changes = [Change(id, self._marks.get(id), item) for id, item in after.items()]
        words = f"edit {edit.id}"
        if marked:
            words = (
                f"merge into {edit.id}"
                if len(marked) > 1
                else f"edit and {marked[0].mark} {edit.id}"
            )
        return self._did(Step(words, tuple(c for c in changes if c.before != c.after), edit))

    def clear(self, ids: Sequence[str]) -> Step | None:
        """Take marks away as one step; None when there was none."""
        changes = [Change(id, self._marks[id], None) for id in ids if id in self._marks]
        what = ids[0] if len(changes) == 1 else f"{len(changes)} drafts"
        return self._step(f"unmark {what}", changes)

    def undo(self) -> Step | None:
        """Take the last step back and return it; None when there is none."""
        return self._shift(self._done, self._undone, backwards=True)

    def redo(self) -> Step | None:
        """Do the last undone step again and return it; None when there is none."""
        return self._shift(self._undone, self._done, backwards=False)

    def fail(self, id: str, reason: str) -> None:
        """Keep the mark of a draft that could not be applied, with the reason."""
        if (marked := self._marks.get(id)) is not None:
            self._marks[id] = replace(marked, failure=reason)

    def follow(self, id: str, before: str, after: str) -> None:
        """Let a mark, and the steps that lead to it, be of the revision that an operator's change made.

        Args:
            before, after: revisions; marks of any other revision stay what they are.
        """

        def moved(marked: Marked | None) -> Marked | None:
            if marked is None or (marked.id, marked.revision) != (id, before):
                return marked
            return replace(marked, revision=after)

        def stepped(step: Step) -> Step:
            changes = (Change(c.id, moved(c.before), moved(c.after)) for c in step.changes)
            return Step(step.words, tuple(changes), step.edit)

        if (marked := moved(self._marks.get(id))) is not None:
            self._marks[id] = marked
        self._done, self._undone = (list(map(stepped, s)) for s in (self._done, self._undone))

    def forget(self, *ids: str) -> tuple[Marked, ...]:
        """Drop drafts from the marks and from every step: they were applied, have changed or are gone.

        Undo must not bring back a mark on something that the operator has not seen.
        """
        gone = set(ids)
        dropped = tuple(self._marks.pop(id) for id in ids if id in self._marks)
        self._done = _without(self._done, gone)
        self._undone = _without(self._undone, gone)
        return dropped

    def _step(self, words: str, changes: Sequence[Change]) -> Step | None:
        real = tuple(change for change in changes if change.before != change.after)
        if not real:
            return None
        return self._did(Step(words, real))

    def _did(self, step: Step) -> Step:
        self._put(step.changes)
        self._done.append(step)
        self._undone.clear()
        return step

    def _shift(self, source: list[Step], target: list[Step], *, backwards: bool) -> Step | None:
        if not source:
            return None
        step = source.pop()
        self._put([change.inverse for change in step.changes] if backwards else step.changes)
        target.append(step)
        return step

    def _put(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.after is None:
                self._marks.pop(change.id, None)
            else:
                self._marks[change.id] = change.after


def in_bulk(mark: Mark, *, unseen: bool) -> Mark:
    """Return the mark that a decision about many gives one draft: flagged ones are approved one by one.

    Args:
        unseen: whether the draft is flagged and its card was not looked at.
    """
    return Mark.HELD if mark is Mark.APPROVE and unseen else mark


def _words_of(marked: Sequence[Marked]) -> str:
    real = [item for item in marked if item.mark is not Mark.HELD] or list(marked)
    what = real[0].id if len(real) == 1 else f"{len(real)} drafts"
    return f"{real[0].mark} {what}" if real else "nothing"


def _without(steps: Iterable[Step], gone: set[str]) -> list[Step]:
    kept = (
        Step(
            step.words,
            tuple(change for change in step.changes if change.id not in gone),
            step.edit if step.edit and step.edit.id not in gone else None,
        )
        for step in steps
    )
    return [step for step in kept if step.changes or step.edit]
