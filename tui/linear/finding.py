"""Lists: the drafts, all records, what a search finds, the journal, the trash."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from render.markdown import markdown
from render.tree import Group, Text
from store.cards import age
from store.records import JournalEntry, RecordStatus, TrashItem
from tui.actions import Need
from tui.cards import is_flagged
from tui.filters import parse_filter
from tui.linear.listing import Listing, places
from tui.linear.sitting import Sitting
from tui.linear.speaking import PAGE, amount, brief
from tui.rows import Row, row_of


def say_list(sitting: Sitting, words: str) -> None:
    """Say rows by number; without numbers the ones from where one is."""
    length = len(sitting.listing.rows)
    if words:
        chosen = places(words, length)
    else:
        first = max(sitting.at, 0)
        chosen = range(first, min(first + PAGE, length))
    _say_rows(sitting, chosen)


def more(sitting: Sitting, words: str) -> None:
    """Say the rows after those that were said last."""
    first = sitting.listing.said
    chosen = range(first, min(first + PAGE, len(sitting.listing.rows)))
    if chosen:
        _say_rows(sitting, chosen)
    else:
        sitting.say("That was the end of the list.")


def _say_rows(sitting: Sitting, chosen: Sequence[int]) -> None:
    listing = sitting.listing
    if not chosen:
        sitting.say(_nothing(listing))
        return
    for place, row in zip(chosen, listing.look_at(sitting.desk, chosen), strict=True):
        sitting.say(f"{place + 1}. {_words_of(sitting, row)}")
        if not row.gone:
            sitting.listed.add((row.id, row.revision))
    listing.said = chosen[-1] + 1
    rest = len(listing.rows) - listing.said
    sitting.say(f"{rest} after that: more says them." if rest > 0 else "End of the list.")


def _nothing(listing: Listing) -> str:
    if listing.text:
        return "Nothing matches."
    return "No drafts wait for you." if listing.status else "Nothing is there."


def _words_of(sitting: Sitting, row: Row) -> str:
    if row.gone:
        return f"{row.id} {row.gone}"
    is_draft = row.status is RecordStatus.PENDING
    marked = sitting.marks.get(row.id) if is_draft else None
    kind = "revision" if row.is_revision else "draft" if is_draft else "record"
    facts = (
        row.type,
        row.scope,
        kind if row.is_revision or sitting.listing.status is None else "",
        age(row.created_at, sitting.clock()),
        "flagged" if row.flagged else "",
        f"marked {marked.mark}" if marked else "",
        f"failed: {marked.failure}" if marked and marked.failure else "",
    )
    return f"{row.id}, {', '.join(filter(None, facts))}: {brief(row.title)}"


def filter_list(sitting: Sitting, words: str) -> None:
    """Narrow the list, or show all of it again."""
    status, place = sitting.listing.status, sitting.listing.place
    if sitting.listing.chosen is None:  # search results are a list of their own
        status, place = None, "record"
    _begin(sitting, Listing(place, parse_filter(words), words, status))


def show_drafts(sitting: Sitting, words: str) -> None:
    """Go back to the drafts."""
    _begin(sitting, Listing("draft", parse_filter(words), words, RecordStatus.PENDING))


def browse(sitting: Sitting, words: str) -> None:
    """List all records, narrowed by a filter."""
    _begin(sitting, Listing("record", parse_filter(words), words))


def refresh(sitting: Sitting, words: str) -> None:
    """Read the list anew; its numbers change."""
    _begin(sitting, sitting.listing)


def _begin(sitting: Sitting, listing: Listing) -> None:
    sitting.card = None
    listing.said = 0
    sitting.read_list(listing)
    if listing.status is RecordStatus.PENDING:
        sitting.drafts = listing
    for problem in listing.chosen.problems if listing.chosen else ():
        sitting.say(f"{problem}.")
    how = "filter" if listing.chosen else "for"
    narrowed = f", {how} {listing.text}" if listing.text else ""
    sitting.say(f"{amount(len(listing.rows), listing.place)}{narrowed}.")
    say_list(sitting, "")


def search(sitting: Sitting, words: str) -> None:
    """List the best matches for some words."""
    if not words:
        sitting.say("search: say some words")
        return
    hits = sitting.desk.search(words)
    rows = [row_of(hit.record, flagged=is_flagged(hit.record)) for hit in hits]
    _begin(sitting, Listing("result", None, words, rows=rows))


def history(sitting: Sitting, words: str) -> None:
    """Say what was decided, newest first: of everything, or of one record."""
    _say_journal(sitting, words or None, None)


def older(sitting: Sitting, words: str) -> None:
    """Say older lines of the journal."""
    id, lines = sitting.journal
    if lines:
        _say_journal(sitting, id, lines[-1].seq)
    else:
        history(sitting, words)


def _say_journal(sitting: Sitting, id: str | None, before: int | None) -> None:
    lines = sitting.desk.history(id, PAGE, before)
    if lines:
        sitting.journal = (id, lines)
    for line in lines:
        sitting.say(_words_of_line(sitting, line))
    if not lines:
        sitting.say("Nothing was decided yet." if before is None else "That was the first line.")
    elif len(lines) == PAGE:
        sitting.say("older says the lines before these.")


def _words_of_line(sitting: Sitting, line: JournalEntry) -> str:
    what = f"{line.decision} {line.id}".strip()
    facts = (age(line.at, sitting.clock()), line.by and f"by {line.by}", line.detail)
    return f"{line.seq}. {what}: {', '.join(filter(None, facts))}"


def say_trash(sitting: Sitting, words: str) -> None:
    """Say what was deleted and can be restored, or read one text of it."""
    if words:
        thrown = _thrown(sitting, words)
        if thrown is not None:
            record = thrown.record
            title = Group((Text(record.title),))
            sitting.voice.show(Group((title, *markdown(record.content).children)))
            sitting.say(f"End of {brief(record.id)}.")
        return
    sitting.trash = sitting.desk.trash()
    if not sitting.trash:
        sitting.say("The trash is empty.")
    for number, thrown in enumerate(islice(sitting.trash, 500), 1):
        when = age(thrown.deleted_at, sitting.clock())
        sitting.say(
            f"{number}. {thrown.record.id}, deleted {when} by {thrown.deleted_by}, "
            f"destroyed on {thrown.purge_at:%d %B %Y}: {brief(thrown.record.title)}"
        )


def _thrown(sitting: Sitting, words: str) -> TrashItem | None:
    """Return what has a number in the trash, as it was said last."""
    if words.isdecimal() and 1 <= int(words) <= len(sitting.trash):
        return sitting.trash[int(words) - 1]
    sitting.say(f"{brief(words)}: {Need.TRASHED}; trash says what is")
    return None


def restore(sitting: Sitting, words: str) -> None:
    """Bring a record back from the trash, by its number there or its id."""
    id = words
    if words.isdecimal():
        thrown = _thrown(sitting, words)
        if thrown is None:
            return
        id = thrown.record.id
    if not id:
        sitting.say("restore: say a number of the trash or an id")
        return
    result = sitting.desk.restore(id, sitting.reviewer)
    sitting.trash = ()  # its numbers have moved
    sitting.say(f"{result.id} is back.")
