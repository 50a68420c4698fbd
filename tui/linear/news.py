"""What others do to the store meanwhile: told after an answer, never in one."""

from __future__ import annotations

from functools import cache

from store.errors import SourceUnavailable
from store.records import Record, RecordStatus
from tui.cards import is_flagged
from tui.linear.sitting import Sitting
from tui.linear.speaking import amount
from tui.live import News, look
from tui.paging import Key
from tui.rows import key_of, row_of

SELDOM = 20
"""Answers from one look to the next, where a provider has no journal and looking means reading drafts."""


def tell_news(sitting: Sitting) -> None:
    """Look whether drafts came, changed or went, and say what matters to the operator."""
    chosen = sitting.drafts.chosen
    sitting.answers += 1
    if chosen is None or ("history" in sitting.desk.missing and sitting.answers % SELDOM):
        return

    @cache
    def listed() -> frozenset[Key]:
        return frozenset(row.key for row in sitting.drafts.rows)

    marked = {item.id for item in sitting.marks}
    try:
        news = look(
            sitting.desk,
            sitting.seen,
            lambda key: key in listed(),
            marked,
            chosen,
            sitting.drafts.status,
            sitting.clock,
        )
    except SourceUnavailable:
        return  # the next command says it, or the next look finds it
    sitting.seen = news.seq
    if news.overrun:
        sitting.say("Much has happened in the store: refresh reads the list anew.")
    else:
        _tell(sitting, news)


def _tell(sitting: Sitting, news: News) -> None:
    for record in news.changed:
        _note_change(sitting, record)
    for id, why in news.gone.items():
        _note_end(sitting, id, why)
    if news.fresh:
        first = len(sitting.drafts.rows) + 1
        # At the end, the oldest first: every number that was said stays.
        sitting.drafts.rows.extend(reversed(news.fresh))
        last = len(sitting.drafts.rows)
        which = f"number {first}" if first == last else f"numbers {first} to {last}"
        sitting.say(f"{amount(len(news.fresh), 'new draft')}, {which}.")


def _note_change(sitting: Sitting, record: Record) -> None:
    place = sitting.drafts.place_of(key_of(record))
    if place is not None:
        sitting.drafts.rows[place] = row_of(record, flagged=is_flagged(record))
    marked = sitting.marks.get(record.id)
    if marked is not None and marked.revision != record.revision:
        sitting.drop_mark(record.id, "has changed")
    card = sitting.card.record if sitting.card else None
    if card is not None and key_of(card) == key_of(record) and card.revision != record.revision:
        sitting.card = None
        sitting.say(f"{record.id} has changed since it was read out: show reads it as it is now.")


def _note_end(sitting: Sitting, id: str, why: str) -> None:
    place = sitting.drafts.place_of((id, RecordStatus.PENDING))
    known = place is not None and sitting.drafts.rows[place].gone
    if known and id not in sitting.marks:
        return  # it came in this sitting
    if not known:
        sitting.drafts.leave(id, why)
    sitting.drop_mark(id, why)
    card = sitting.card.record if sitting.card else None
    if card is not None and key_of(card) == (id, RecordStatus.PENDING):
        sitting.card = None
        sitting.say(f"{id} {why}.")
