"""Pages and counts: newest first, each entry once, and tokens that are nobody else's."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.errors import InvalidArgument
from store.local import LocalDesk, open_desk
from store.reader import reader_of
from store.records import MemoryScope, MemoryType, RecordFilter, RecordStatus
from tests.store.making import AGENT, canonical, draft, new

CASES = json.loads((Path(__file__).parents[1] / "cases" / "paging.json").read_text())["cases"]
THEN = datetime(2026, 1, 2, tzinfo=UTC)
PENDING, CANONICAL = RecordStatus.PENDING, RecordStatus.CANONICAL


def at_once(desk: LocalDesk, count: int, first: int = 0) -> list[str]:
    """Write records with one and the same time of creation."""
    with desk.batch():
        return [
            desk.write(replace(new(f"Record {number}"), created_at=THEN), AGENT).id
            for number in range(first, first + count)
        ]


def sweep(
    desk: LocalDesk, size: int, between: Callable[[list[str]], object] = lambda seen: None
) -> list[str]:
    """List all ids, doing something between every two pages."""
    seen: list[str] = []
    token = ""
    while True:
        page = desk.list_records(page_size=size, page_token=token)
        seen += [record.id for record in page.records]
        token = page.next_page_token
        if not token:
            return seen
        between(seen)


def test_the_cases_are_all_tested_below() -> None:
    assert [tuple(sorted(case)) for case in CASES] == [
        *[("during", "expect", "page_size")] * 3,
        ("expect", "page_size"),
        ("expect", "page_token"),
        ("expect", "page_size"),
    ]


def test_a_sweep_over_equal_times_gives_each_once(desk: LocalDesk) -> None:
    ids = at_once(desk, 300)
    assert sweep(desk, 13) == ids[::-1]


def test_a_sweep_misses_nothing_that_was_there_while_records_come(desk: LocalDesk) -> None:
    ids = at_once(desk, 300)
    fresh = iter(range(1000, 2000))
    seen = sweep(desk, 13, lambda _: at_once(desk, 1, next(fresh)))
    assert len(seen) == len(set(seen))
    assert set(ids) <= set(seen)


def test_a_sweep_misses_no_survivor_while_records_go(desk: LocalDesk) -> None:
    ids = at_once(desk, 300)
    gone: set[str] = set()

    def delete_one_on_each_side(seen: list[str]) -> None:
        listed = [id for id in seen if id not in gone]
        ahead = [id for id in ids if id not in gone and id not in seen]
        for choice in (listed[:1], ahead[:1]):
            for id in choice:
                desk.delete_record(id)
                gone.add(id)

    seen = sweep(desk, 13, delete_one_on_each_side)
    assert len(seen) == len(set(seen))
    assert set(ids) - gone <= set(seen)


def test_a_negative_page_size_is_an_error(desk: LocalDesk) -> None:
    with pytest.raises(InvalidArgument, match="-1"):
        desk.list_records(page_size=-1)


def test_a_page_size_is_fifty_unless_given_and_five_hundred_at_most(desk: LocalDesk) -> None:
    at_once(desk, 510)
    assert len(desk.list_records().records) == 50
    page = desk.list_records(page_size=100_000)
    assert len(page.records) == 500
    assert len(desk.list_records(page_token=page.next_page_token).records) == 10


def test_the_last_page_says_so_even_when_it_is_full(desk: LocalDesk) -> None:
    at_once(desk, 20)
    first = desk.list_records(page_size=10)
    last = desk.list_records(page_size=10, page_token=first.next_page_token)
    assert len(last.records) == 10
    assert last.next_page_token == ""
    assert desk.list_records(types=[MemoryType.USER]).records == ()


@pytest.mark.parametrize("token", ["garbage", "!", "AAAA", "ä", "a" * 10_000, "=", "\0"])
def test_a_malformed_token_is_an_error_that_names_it(desk: LocalDesk, token: str) -> None:
    with pytest.raises(InvalidArgument) as error:
        desk.list_records(page_token=token)
    assert repr(token)[1:50] in str(error.value)
    assert len(str(error.value)) < 300


def test_a_damaged_token_is_an_error(desk: LocalDesk) -> None:
    at_once(desk, 3)
    token = desk.list_records(page_size=1).next_page_token
    packed = bytearray(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    for place in range(len(packed)):
        damaged = bytearray(packed)
        damaged[place] ^= 1
        with pytest.raises(InvalidArgument):
            desk.list_records(page_token=base64.urlsafe_b64encode(damaged).decode().rstrip("="))


@given(st.text(max_size=60))
def test_no_token_makes_anything_but_a_clear_error(token: str) -> None:
    from store.listing import _position

    with pytest.raises(InvalidArgument):
        _position(token, RecordFilter())


def test_a_token_of_another_listing_is_an_error(desk: LocalDesk) -> None:
    at_once(desk, 3)
    token = desk.list_records(status=CANONICAL, page_size=1).next_page_token
    with pytest.raises(InvalidArgument, match="another filter"):
        desk.list_records(page_size=1, page_token=token)
    desk.list_records(status=CANONICAL, page_size=2, page_token=token)


def test_filters_narrow_and_an_empty_one_is_all(desk: LocalDesk) -> None:
    ids = {
        (type, scope): canonical(desk, f"{type} {scope}", type=type, scope=scope)
        for type in MemoryType
        for scope in MemoryScope
    }
    listed = desk.list_records(types=[MemoryType.USER], scopes=[MemoryScope.GLOBAL]).records
    assert [record.id for record in listed] == [ids[MemoryType.USER, MemoryScope.GLOBAL]]
    assert len(desk.list_records(types=list(MemoryType), scopes=[]).records) == len(ids)


def test_browsing_by_text_pages_like_listing(desk: LocalDesk) -> None:
    wanted = [canonical(desk, f"Note {number}", "about postgres") for number in range(5)]
    canonical(desk, "Other", "about sqlite")
    query = RecordFilter(text="postgres")
    first = desk.browse(query, 3)
    rest = desk.browse(query, 3, first.next_page_token)
    assert [record.id for record in first.records + rest.records] == wanted[::-1]
    assert desk.count(query).canonical == 5


def test_a_revision_is_an_entry_of_its_own(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan")
    draft(desk, "Idea")
    desk.update_record(id, "changed", origin=AGENT)
    listed = desk.list_records(status=PENDING).records
    assert [(record.id, record.is_revision) for record in listed] == [(id, True), ("idea", False)]
    counts = desk.count()
    assert (counts.pending, counts.canonical, counts.revisions, counts.total) == (2, 1, 1, 3)


def test_counts_tell_of_trash_and_of_the_oldest_that_waits(desk: LocalDesk) -> None:
    assert desk.count().oldest_pending is None
    first = draft(desk, "First")
    draft(desk, "Second")
    desk.delete_record(canonical(desk, "Gone"))
    counts = desk.count()
    assert counts.oldest_pending == desk.get_record(first).created_at
    assert counts.trashed == 1
    assert desk.count(RecordFilter(types=(MemoryType.USER,))).total == 0


# A sweep under whatever happens meanwhile.

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["insert", "insert old", "delete", "approve", "revise", "reject"]),
        st.integers(0, 10**6),
    ),
    max_size=6,
)


@pytest.fixture(scope="module")
def shared(shared_places: Callable[[], str]) -> Iterator[LocalDesk]:
    with closing(open_desk(shared_places())) as desk:
        yield desk


@settings(deadline=None)  # each example writes to a disk
@given(size=st.integers(1, 7), steps=st.lists(ACTIONS, max_size=12))
def test_a_sweep_sees_what_was_there_throughout_exactly_once(
    shared: LocalDesk, size: int, steps: list[list[tuple[str, int]]]
) -> None:
    desk = shared
    for record in desk.list_records(page_size=500).records:
        (desk.reject_record if record.pending else desk.delete_record)(record.id)
    for number in range(12):
        given = replace(new(f"Old {number}"), created_at=THEN if number % 3 else None)
        desk.write(given, AGENT, PENDING if number % 2 else CANONICAL)
    before = entries(desk)
    lasting = set(before)
    pending_steps = iter(steps)

    def meanwhile(seen: object) -> None:
        for action, number in next(pending_steps, []):
            act(desk, action, number)
            lasting.intersection_update(entries(desk))

    listed = list(sweep_keys(desk, size, meanwhile))
    assert len(listed) == len(set(listed))
    assert lasting <= set(listed)


def entries(desk: LocalDesk) -> list[int]:
    with desk.database.reading() as conn:
        return list(conn.exec_driver_sql("SELECT pk FROM record").scalars())


def sweep_keys(desk: LocalDesk, size: int, meanwhile: Callable[[object], None]) -> Iterator[int]:
    """Sweep by the key of each entry: a revision replaced meanwhile is another entry of the same id."""
    token = ""
    while True:
        with desk.database.reading():
            page = desk.list_records(page_size=size, page_token=token)
        keys = keys_of(desk, [(record.id, record.status.value) for record in page.records])
        yield from keys
        token = page.next_page_token
        if not token:
            return
        meanwhile(keys)


def keys_of(desk: LocalDesk, places: list[tuple[str, str]]) -> list[int]:
    query = "SELECT pk FROM record WHERE id = ? AND status = ?"
    with desk.database.reading() as conn:
        read = reader_of(conn)
        return [read.all(query, *place)[0][0] for place in places]


def act(desk: LocalDesk, action: str, number: int) -> None:
    drafts = desk.list_records(status=PENDING, page_size=500).records
    records = desk.list_records(status=CANONICAL, page_size=500).records
    if action.startswith("insert"):
        old = THEN if action == "insert old" else None
        desk.write(replace(new(f"New {number}"), created_at=old), AGENT)
    elif action in ("approve", "reject") and drafts:
        id = drafts[number % len(drafts)].id
        (desk.approve_record if action == "approve" else desk.reject_record)(id)
    elif action in ("delete", "revise") and records:
        id = records[number % len(records)].id
        desk.delete_record(id) if action == "delete" else desk.update_record(id, str(number))
