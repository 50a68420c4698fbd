"""`links`, `backlinks`, `recall`, `history`: queries over what refers to what and what was decided."""

from __future__ import annotations

import pytest

from store.local import LocalDesk
from tests.cli.conftest import Cli, Write

pytestmark = pytest.mark.everywhere


def test_links_lists_every_link_with_its_class(cli: Cli, write: Write) -> None:
    write("Runbook")
    write("Deploy", "Intro.\nSee [[runbook]], then [[oncall]].")
    rows = [line.split("\t") for line in cli("links").lines]
    assert [row[:4] for row in rows] == [
        ["deploy", "2", "resolved", "runbook"],
        ["deploy", "2", "wanted", "oncall"],
    ]


def test_broken_links_are_those_whose_target_is_gone(cli: Cli, write: Write) -> None:
    write("Runbook")
    write("Deploy", "See [[runbook]] and [[oncall]].")
    cli("delete", "runbook")
    [link] = cli("links", "--broken", "--json").objects
    assert (link["source_id"], link["target"]) == ("deploy", "runbook")
    assert [o["target"] for o in cli("links", "--class", "wanted", "--json").objects] == ["oncall"]


def test_a_record_with_more_links_than_a_page_is_listed_whole(cli: Cli, write: Write) -> None:
    write("Index", "\n".join(f"- [[target {number}]]" for number in range(1201)))
    assert len(cli("links").lines) == 1201


def test_backlinks_name_the_place(cli: Cli, write: Write) -> None:
    write("Runbook")
    write("Deploy", "See [[runbook]].")
    [link] = cli("backlinks", "runbook", "--json").objects
    assert (link["source_id"], link["line"]) == ("deploy", 1)
    assert "Nothing links" in cli("backlinks", "deploy").err
    assert cli("backlinks", "nobody").code == 1


def test_recall_gives_what_was_approved_and_nothing_else(cli: Cli, write: Write) -> None:
    write("Approved", "ten words", type="user")
    write("Draft", "ten words", type="user", draft=True)
    assert [o["id"] for o in cli("recall", "--budget", "100", "--json").objects] == ["approved"]
    both = cli("recall", "--budget", "100", "--include-pending", "--json").objects
    assert {o["id"] for o in both} == {"approved", "draft"}


def test_recall_never_exceeds_the_budget_and_says_what_it_left_out(cli: Cli, write: Write) -> None:
    write("Short", "x" * 40)
    write("Long", "x" * 400)
    ran = cli("recall", "--budget", "50")
    assert len(ran.lines) == 1
    assert "10 of 50 tokens, 1 left out" in ran.err
    assert [o["id"] for o in cli("recall", "--budget", "50", "--dropped", "--json").objects] == [
        "long"
    ]


def test_a_budget_that_fits_nothing_is_an_error_that_names_the_smallest(
    cli: Cli, write: Write
) -> None:
    write("Note", "x" * 40)
    ran = cli("recall", "--budget", "5")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Budget too small: ")
    assert "10" in ran.err


def test_sections_are_what_a_host_makes_of_the_answer(cli: Cli, write: Write) -> None:
    write("Note", "The text.\nSecond line.", type="reference")
    ran = cli("recall", "--budget", "100", "--sections")
    assert ran.lines == [
        "── memory-inbox memory:reference:note 6 tokens, dynamic",
        "The text.",
        "Second line.",
    ]
    [section] = cli("recall", "--budget", "100", "--sections", "--json").objects
    assert section == {
        "provider": "memory-inbox",
        "label": "memory:reference:note",
        "content": "The text.\nSecond line.",
        "tokens": 6,
        "stability": "dynamic",
    }


def test_history_tells_the_story_of_a_record(cli: Cli, write: Write, desk: LocalDesk) -> None:
    write("Note", draft=True)
    write("Other", draft=True)
    cli("approve", "note")
    cli("reject", "other")
    assert [o["decision"] for o in cli("history", "note", "--json").objects] == [
        "approve",
        "record",
    ]
    [rejection] = [o for o in cli("history", "--json").objects if o["decision"] == "reject"]
    assert rejection["id"] == "other"
    assert len(rejection["content_hash"]) == 64
    assert "Nothing is known" in cli("history", "nobody").err
