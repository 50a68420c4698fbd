"""Ids: readable, unique, of at most 80 characters, and the same again for the same titles."""

from __future__ import annotations

import json
import multiprocessing
import unicodedata
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.local import LocalDesk, open_desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin
from store.slugs import FALLBACK, LENGTH, slugify, suffixed
from tests.store.making import canonical, draft, new

CASES = json.loads((Path(__file__).parents[1] / "cases" / "slugs.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["titles"][0][:20])
def test_titles_give_these_ids(
    case: dict[str, list[str]], desk: LocalDesk, places: Callable[[], str]
) -> None:
    ids = [draft(desk, title) for title in case["titles"]]
    if isinstance(case["ids"], list):
        assert ids == case["ids"]
    assert all(ids)
    assert len(set(ids)) == len(ids)
    assert max(map(len, ids)) <= 80
    with closing(open_desk(places())) as other:
        assert [draft(other, title) for title in case["titles"]] == ids


@given(st.text(max_size=200))
def test_a_slug_is_kebab_case_and_its_own_slug(text: str) -> None:
    slug = slugify(text)
    assert 0 < len(slug) <= LENGTH
    assert slug == unicodedata.normalize("NFC", slug)
    assert all(part for part in slug.split("-"))
    assert slugify(slug) == slug


@given(st.text(min_size=1, max_size=200).map(slugify), st.integers(2, 10**7))
def test_a_suffix_fits_and_tells_apart(slug: str, number: int) -> None:
    longer = suffixed(slug, number)
    assert len(longer) <= LENGTH
    assert longer.endswith(f"-{number}")
    assert not longer.startswith("-")


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("हिन्दी नोट", "हिन्दी-नोट"),  # vowel signs are marks, and part of their letters
        ("Straße", "strasse"),
        ("I ❤️ Python", "i-python"),
        ("a\u0301 decomposed", "á-decomposed"),
        ("  -- Trim -- me --  ", "trim-me"),
        ("C++ & C#", "c-c"),
        ("notes.md.md", "notes-md"),
        ("½ measures", "½-measures"),
        ("🎉", FALLBACK),
        ("", FALLBACK),
    ],
)
def test_slugs_of_odd_titles(title: str, slug: str) -> None:
    assert slugify(title) == slug


def test_a_suggested_id_is_taken_as_a_slug_and_never_overwrites(desk: LocalDesk) -> None:
    assert draft(desk, "One", id="My_Notes") == "my-notes"
    assert draft(desk, "Two", id="my-notes") == "my-notes-2"
    assert desk.get_record("my-notes").title == "One"


def test_a_suffix_that_a_title_has_by_itself_is_taken_too(desk: LocalDesk) -> None:
    ids = [draft(desk, title) for title in ("Role 2", "Role", "Role", "Role 2")]
    assert ids == ["role-2", "role", "role-3", "role-2-2"]


def test_the_next_free_suffix_is_found_among_very_many(desk: LocalDesk) -> None:
    with desk.batch():
        ids = [canonical(desk, "Same") for _ in range(100)]
    assert ids == ["same", *(f"same-{number}" for number in range(2, 101))]


def test_a_revision_does_not_take_an_id_of_its_own(desk: LocalDesk) -> None:
    id = canonical(desk, "Role")
    assert desk.update_record(id, "changed").id == id
    assert draft(desk, "Role") == "role-2"


def test_the_id_of_what_was_rejected_is_free_again(desk: LocalDesk) -> None:
    desk.reject_record(draft(desk, "Role"))
    assert draft(desk, "Role") == "role"


def _write_many(where: str, start: object, count: int) -> list[str]:
    with closing(open_desk(where)) as desk:
        start.wait()  # type: ignore[attr-defined]
        titles = ("Same title", "same-title", "Same Title 2")
        return [draft(desk, titles[turn % 3]) for turn in range(count)]


def test_ids_stay_unique_under_eight_writer_processes(where: str, desk: LocalDesk) -> None:
    spawn = multiprocessing.get_context("spawn")
    with spawn.Manager() as manager, spawn.Pool(8) as pool:
        start = manager.Barrier(8)
        calls = [(where, start, 25)] * 8
        answers = pool.starmap(_write_many, calls)
    ids = [id for answer in answers for id in answer]
    assert len(ids) == len(set(ids)) == 200
    assert desk.count().pending == 200
    assert {desk.get_record(id).id for id in ids} == set(ids)


def test_every_type_and_scope_shares_one_space_of_ids(desk: LocalDesk) -> None:
    ids = [
        desk.write(NewRecord(type, scope, "Same", "text"), Origin()).id
        for type in MemoryType
        for scope in MemoryScope
    ]
    assert len(set(ids)) == len(MemoryType) * len(MemoryScope)


def test_a_record_keeps_its_id_whatever_its_title_becomes(desk: LocalDesk) -> None:
    id = desk.record(new("First name")).id
    desk.update_record(id, "text", title="Another name")
    assert desk.get_record(id).title == "Another name"
    assert desk.get_record("first-name").id == "first-name"
