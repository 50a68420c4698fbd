"""What has happened, in past tense; each message carries all that its handlers need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.message import Message

from render.tree import Node
from store.provider import Desk
from store.records import Claim, Counts, Record, Review
from tui.changing import Reversal
from tui.failures import Failure
from tui.filters import Filter
from tui.fixing import Fixed
from tui.lists import AnyKey
from tui.live import News
from tui.marks import Edit, Mark, Marked
from tui.paging import FetchedPage, PageRequest
from tui.plan import Plan, PlanLine
from tui.rows import Row


@dataclass
class JobFailed(Message):
    """A job ended with an error; ``group`` tells the node that asked which of its jobs it was."""

    group: str
    failure: Failure


@dataclass
class DeskOpened(Message):
    """The store is open; screens may ask it from now on. ``kept`` are marks of an earlier sitting."""

    desk: Desk
    kept: tuple[Marked, ...] = ()


@dataclass
class ListRead(Message):
    """A list was read anew from its top: its first pages, and the counts under its filter."""

    era: int
    chosen: Filter
    pages: tuple[FetchedPage, ...]
    counts: Counts


@dataclass
class ReviewRead(Message):
    """All that a decision about one record needs was read, and laid out as a card."""

    asked: AnyKey
    review: Review
    node: Node


@dataclass
class SecretsUnmasked(Message):
    """The card of a record was laid out with its secrets to be read."""

    review: Review
    node: Node


@dataclass
class FilterTyped(Message):
    """The filter bar's text changed; ``text`` is as typed."""

    text: str


@dataclass
class FilterClosed(Message):
    """The filter bar was left: ``kept`` with its filter on, or cleared."""

    kept: bool


@dataclass
class RowHighlighted(Message):
    """The cursor of a list came to a line; ``row`` is None while that line is being read."""

    line: int
    row: Row | None


@dataclass
class RowToggled(Message):
    """A row's mark column was clicked, or the row twice."""

    line: int
    row: Row


@dataclass
class LinesShown(Message):
    """A list shows these lines, both included, and wants the rows for them."""

    first: int
    last: int


@dataclass
class RowsFlagged(Message):
    """The texts of a page were looked at for warnings: whether they hold any, by revision."""

    request: PageRequest
    flags: Mapping[str, bool]


@dataclass
class PageFetched(Message):
    """A page of a list arrived."""

    page: FetchedPage


@dataclass
class PlanMade(Message):
    """It was worked out what the marks will do."""

    plan: Plan


@dataclass
class ItemApplied(Message):
    """One draft of a plan was decided."""

    line: PlanLine


@dataclass
class ItemFailed(Message):
    """One draft of a plan could not be decided; its mark stays."""

    line: PlanLine
    failure: Failure


@dataclass
class PlanApplied(Message):
    """A plan was carried out: what was done, and how many failed."""

    done: tuple[PlanLine, ...]
    failed: int


@dataclass
class TakenBack(Message):
    """Approvals were taken back; ``failures`` says of which it did not work and why."""

    ids: tuple[str, ...]
    failures: tuple[Failure, ...]


@dataclass
class LookedAgain(Message):
    """The store was looked at again."""

    news: News


@dataclass
class ClaimsSettled(Message):
    """What is marked was claimed, but for the drafts that others have: their claims."""

    refused: tuple[Claim, ...]


@dataclass
class ClaimsTakenOver(Message):
    """Drafts whose claims had expired are claimed here now, but for those with ``refused`` claims."""

    ids: tuple[str, ...]
    refused: tuple[Claim, ...]


@dataclass
class StoreWritten(Message):
    """Somebody has written to the store, or may have while nothing was heard of it."""


@dataclass
class LookFailed(Message):
    """The store could not be looked at; the next look may work."""

    failure: Failure


@dataclass
class RecordEdited(Message):
    """A record's title or text was changed in the store.

    Args:
        reworded: it was an earlier edit that was taken back or done again.
        decide: the draft is to be approved with it.
    """

    before: Record
    after: Record
    reworded: bool = False
    decide: bool = False


@dataclass
class SaveConflicted(Message):
    """A record was not saved: somebody else changed it; ``now`` is what it has become."""

    now: Record


@dataclass
class RowsGathered(Message):
    """The rows of a selection were read, to be marked."""

    rows: tuple[Row, ...]
    mark: Mark


@dataclass
class ReviewsRead(Message):
    """Several reviews were read together, in the order in which they were asked for."""

    reviews: tuple[ReviewRead, ...]


@dataclass
class RecordsMerged(Message):
    """Drafts were merged: ``after`` is the draft that has their text, ``sources`` wait to be rejected."""

    after: Record
    sources: tuple[Record, ...]
    edit: Edit


@dataclass
class LinksFixed(Message):
    """Links were pointed elsewhere in several texts, or back again.

    Args:
        failures: of the texts that could not be changed.
        back: a fix was taken back.
    """

    fixed: Fixed
    failures: tuple[Failure, ...] = ()
    back: bool = False

    @property
    def words(self) -> str:
        """What was done, in a sentence."""
        texts = "1 text" if len(self.fixed.texts) == 1 else f"{len(self.fixed.texts)} texts"
        now = self.fixed.name if self.back else self.fixed.to
        return (
            f"[[{now}]] is linked again in {texts}."
            if self.back
            else (f"[[{self.fixed.name}]] is now [[{now}]] in {texts}.")
        )


@dataclass
class DraftWritten(Message):
    """The operator wrote a new draft, to be approved or not."""

    record: Record
    approve: bool


@dataclass
class RecordChanged(Message):
    """A record got another type or scope, was deleted, or such a change was taken back.

    Args:
        words: what was done, in a sentence.
        moved: the record before and after, where it is still there.
        reversal: how to take it back; None for what was itself taken back.
    """

    words: str
    moved: tuple[Record, Record] | None = None
    reversal: Reversal | None = None


@dataclass
class DraftBegun(Message):
    """A new draft is to be written, like another record if there is one."""

    title: str
    like: Record | None
