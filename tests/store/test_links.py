"""Links: what each means, and that what is kept about them follows every change of a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.local import LocalDesk
from store.records import LinkClass, RecordStatus
from tests.store.making import canonical, draft, states, waiting

CASES = json.loads((Path(__file__).parents[1] / "cases" / "links.json").read_text())["cases"]
RESOLVED, WANTED, BROKEN, AMBIGUOUS = LinkClass


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:24])
def test_the_links_of_these_texts(case: dict[str, object], desk: LocalDesk) -> None:
    for name in case.get("names", []):  # type: ignore[attr-defined]
        canonical(desk, name)
    id = canonical(desk, "The text at hand", str(case["text"]))
    links = desk.review(id).links
    assert list(dict.fromkeys(link.target for link in links)) == case["targets"]
    if "alias" in case:
        assert links[0].alias == case["alias"]
    if "names" in case:
        assert links[0].link_class is RESOLVED


def test_a_decomposed_target_finds_the_composed_name(desk: LocalDesk) -> None:
    id = canonical(desk, "café")
    source = canonical(desk, "Source", "[[cafe\u0301]]")
    assert desk.get_record(source).links == (id,)


def test_links_are_ids_in_order_without_repeats_and_targets_as_written(desk: LocalDesk) -> None:
    canonical(desk, "Role of Ann", id="ann")
    source = canonical(desk, "Source", "[[Later on]] [[ann]] [[Role of Ann|Ann]] [[Later on]]")
    assert desk.get_record(source).links == ("Later on", "ann")


@pytest.mark.parametrize("name", ["the-id", "The Title", "a stem", "THE_TITLE", "x/y/A Stem.md"])
def test_a_record_answers_to_id_title_and_alias_exactly_or_folded(
    desk: LocalDesk, name: str
) -> None:
    id = canonical(desk, "The Title", id="the-id", aliases=("a stem",))
    assert desk.get_record(canonical(desk, "Source", f"[[{name}]]")).links == (id,)


def test_an_exact_id_comes_before_a_title_and_a_title_before_a_folded_name(
    desk: LocalDesk,
) -> None:
    canonical(desk, "plan", id="first")  # its title is the second's id
    canonical(desk, "Second", id="plan")
    canonical(desk, "Plan B", id="third")
    canonical(desk, "plan_b", id="fourth")
    source = canonical(desk, "Source", "[[plan]] [[Plan B]] [[plan_b]]")
    assert desk.get_record(source).links == ("plan", "third", "fourth")


def test_two_answers_at_the_same_step_are_ambiguous_and_named(desk: LocalDesk) -> None:
    for id in ("one", "two"):
        canonical(desk, "Glossary", id=id)
    source = canonical(desk, "Source", "[[Glossary]]")
    [link] = desk.review(source).links
    assert (link.link_class, link.resolved_id) == (AMBIGUOUS, None)
    assert link.candidates == ("one", "two")
    assert desk.get_record(source).links == ("Glossary",)


def test_a_whole_that_becomes_a_name_wins_over_its_part_before_the_bar(desk: LocalDesk) -> None:
    canonical(desk, "B")
    source = canonical(desk, "Source", "[[B | C33]]")
    assert desk.get_record(source).links == ("b",)
    whole = canonical(desk, "B | C33")
    assert desk.get_record(source).links == (whole,)
    desk.delete_record(whole)
    assert desk.get_record(source).links == ("b",)


def test_a_forward_link_is_wanted_until_its_target_is_written(desk: LocalDesk) -> None:
    source = canonical(desk, "Source", "[[Target]]")
    assert states(desk, source) == {"Target": WANTED}
    target = canonical(desk, "Target")
    assert states(desk, source) == {"Target": RESOLVED}
    assert desk.get_record(source).links == (target,)


@pytest.mark.parametrize("name", ["target", "The Target"])
def test_a_link_to_what_was_deleted_is_broken_until_it_is_restored(
    desk: LocalDesk, name: str
) -> None:
    target = canonical(desk, "The Target", id="target")
    source = canonical(desk, "Source", f"[[{name}]]")
    desk.delete_record(target)
    assert states(desk, source) == {name: BROKEN}
    assert desk.get_record(source).links == (name,)
    desk.restore(target)
    assert states(desk, source) == {name: RESOLVED}


@pytest.mark.parametrize("name", ["target", "The Target"])
def test_a_link_to_what_was_rejected_is_broken(desk: LocalDesk, name: str) -> None:
    source = canonical(desk, "Source", f"[[{name}]]")
    desk.reject_record(draft(desk, "The Target", id="target"))
    assert states(desk, source) == {name: BROKEN}


def test_a_link_to_a_title_that_a_draft_no_longer_has_is_broken(desk: LocalDesk) -> None:
    source = canonical(desk, "Source", "[[Old name]]")
    id = draft(desk, "Old name", id="target")
    desk.update_record(id, "text", title="New name")
    assert states(desk, source) == {"Old name": BROKEN}


def test_a_canonical_record_keeps_answering_to_its_former_titles(desk: LocalDesk) -> None:
    source = canonical(desk, "Source", "[[Old name]] [[New name]]")
    id = canonical(desk, "Old name", id="target")
    desk.update_record(id, "text", title="New name")
    assert states(desk, source) == {"Old name": RESOLVED, "New name": WANTED}
    desk.approve_record(id, waiting(desk, id))
    assert states(desk, source) == {"Old name": RESOLVED, "New name": RESOLVED}
    desk.unapprove(id)
    assert states(desk, source) == {"Old name": RESOLVED, "New name": BROKEN}


def test_a_draft_cannot_take_a_link_from_a_canonical_record(desk: LocalDesk) -> None:
    trusted = canonical(desk, "Deploy", id="runbook")
    source = canonical(desk, "Source", "[[Deploy]] [[deploy|how]]")
    draft(desk, "Deploy", id="deploy")
    draft(desk, "deploy|how")
    assert desk.get_record(source).links == (trusted,)


def test_a_link_that_only_a_draft_answers_resolves_to_it(desk: LocalDesk) -> None:
    source = canonical(desk, "Source", "[[Idea]]")
    id = draft(desk, "Idea")
    [link] = desk.backlinks(id)
    assert (link.source_id, link.link_class, link.resolved_id) == (source, RESOLVED, id)


def test_approving_a_second_record_of_a_name_makes_its_links_ambiguous(desk: LocalDesk) -> None:
    canonical(desk, "Glossary", id="one")
    source = canonical(desk, "Source", "[[Glossary]]")
    id = draft(desk, "Glossary", id="two")
    assert states(desk, source) == {"Glossary": RESOLVED}
    assert desk.review(id).on_approve.makes_ambiguous == (source,)
    desk.approve_record(id)
    assert states(desk, source) == {"Glossary": AMBIGUOUS}
    desk.unapprove(id)
    assert states(desk, source) == {"Glossary": RESOLVED}


def test_a_record_may_link_to_itself(desk: LocalDesk) -> None:
    id = canonical(desk, "Self", "[[Self]]")
    assert desk.get_record(id).links == (id,)


def test_what_deciding_a_draft_does_to_the_links_of_others_is_told_before(
    desk: LocalDesk,
) -> None:
    source = canonical(desk, "Source", "[[Idea]] [[unrelated]]")
    review = desk.review(draft(desk, "Idea", "[[source]]"))
    assert review.on_approve.resolves == (source,)
    assert review.on_reject.breaks == (source,)


def test_what_a_revision_with_a_new_title_does_is_told_before(desk: LocalDesk) -> None:
    source = canonical(desk, "Source", "[[New name]]")
    id = canonical(desk, "Old name")
    desk.update_record(id, "text", title="New name")
    review = desk.review(id)
    assert review.on_approve.resolves == (source,)
    assert review.on_reject == type(review.on_reject)()


def test_a_revision_has_links_of_its_own(desk: LocalDesk) -> None:
    id = canonical(desk, "Source", "[[before]]")
    desk.update_record(id, "[[after]]")
    assert desk.review(id, RecordStatus.CANONICAL).record.links == ("before",)
    assert desk.review(id, RecordStatus.PENDING).record.links == ("after",)
    desk.approve_record(id)
    assert desk.get_record(id).links == ("after",)
    assert [link.target for link in desk.links()] == ["after"]


def test_links_tell_where_they_stand(desk: LocalDesk) -> None:
    canonical(desk, "Source", "first\r\n\r\nand then [[nowhere|gone]] at the end\r\n")
    [link] = desk.links([WANTED])
    assert (link.line, link.line_text, link.alias) == (
        3,
        "and then [[nowhere|gone]] at the end",
        "gone",
    )


def test_links_of_a_class_are_paged_by_source(desk: LocalDesk) -> None:
    canonical(desk, "Target")
    for number in range(7):
        canonical(desk, f"Source {number}", "[[a]] [[target]] [[b]] [[c]]")
    found, after = [], ""
    while page := desk.links([WANTED, BROKEN], limit=5, after=after):
        assert len({link.source_id for link in page}) <= 2
        found += page
        after = page[-1].source_id
    assert [(link.source_id, link.target) for link in found] == [
        (f"source-{number}", target) for number in range(7) for target in "abc"
    ]


def test_a_target_too_long_to_be_a_name_is_no_link(desk: LocalDesk) -> None:
    id = canonical(desk, "Source", f"[[{'x' * 501}]] [[{'x' * 500}]]")
    assert desk.get_record(id).links == ("x" * 500,)


def test_rejected_titles_leave_no_words_among_the_retired_names(desk: LocalDesk) -> None:
    desk.reject_record(draft(desk, "Hunter two is the password", id="neutral"))
    with desk.database.reading() as conn:
        rows = conn.exec_driver_sql("SELECT * FROM retired").fetchall()
    assert rows
    assert "hunter" not in repr(rows).casefold()
