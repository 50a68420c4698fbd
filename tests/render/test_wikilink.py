"""What is a link, where it stands, and how it is pointed elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.wikilink import find_links, fold_name, replace_targets, targets

CASES = json.loads((Path(__file__).parents[1] / "cases" / "links.json").read_text())["cases"]

# Pieces that meet in real notes: together they make code, tables, comments and half-open links.
LINKS = ("[[a]]", "[[b|B]]", "[[c\\|C]]", "![[d#e]]", "| [[f\\|F]] | [[f]] |\n", "[", "[[", "]]")
MARKS = ("|", "|-|\n", "`", "```\n", "> ", "- ", "1. ", "# ", " #", "*", "---\n", "===", "[x](y)")
OTHER = ("\n", "\n\n", "\r\n", "    ", "\t", "\\", "<!--", "-->", "x", "é", "\0", "\r", "\u2028")
PIECES = st.lists(st.sampled_from(LINKS + MARKS + OTHER), max_size=40).map("".join)


@pytest.mark.parametrize("case", CASES, ids=[case["text"][:40] for case in CASES])
def test_the_cases_have_exactly_their_targets(case: dict[str, Any]) -> None:
    names = case.get("names", ())
    assert list(targets(case["text"], lambda name: name in names)) == case["targets"]
    if "alias" in case:
        assert find_links(case["text"])[0].alias == case["alias"]


@given(PIECES)
def test_offsets_and_lines_are_exact_in_any_text(text: str) -> None:
    for link in find_links(text):
        written = text[link.start : link.end]
        assert written.startswith("[[")
        assert written.endswith("]]")
        assert written[2:-2].replace("\\|", "|").strip(" \t") == link.whole
        assert link.line == text.count("\n", 0, link.start) + 1
        assert not link.embed or text[link.start - 1] == "!"


@given(PIECES)
def test_renaming_changes_the_targets_and_nothing_else(text: str) -> None:
    links = find_links(text)
    renamed = replace_targets(text, {"a": "zz", "f": "yy"})
    assert [link.target for link in find_links(renamed)] == [
        {"a": "zz", "f": "yy"}.get(link.target, link.target) for link in links
    ]
    assert replace_targets(renamed, {"zz": "a", "yy": "f"}) == text


@given(st.text())
def test_any_text_has_links_or_not_without_an_error(text: str) -> None:
    find_links("[[x]] " + text + "[[" + text + "]]")


def test_a_paragraph_of_brackets_has_the_same_links() -> None:
    text = "[[a]] `[[no]]` \\[[no]] ![[b|B]] <!-- [[no]] --> [ "
    once, many = find_links(text), find_links(text * 500)
    assert [link.target for link in many] == [link.target for link in once] * 500
    assert many[1].embed
    assert text[many[1].start : many[1].end] == "[[b|B]]"


def test_renaming_keeps_alias_heading_and_the_escape_a_table_needs() -> None:
    text = "| [[a\\|A]] | [[a#h]] |\n|---|---|\n\n[[a]] `[[a]]` ![[a|A]]\n"
    assert replace_targets(text, {"a": "b c"}) == text.replace("[[a", "[[b c").replace(
        "`[[b c", "`[[a"
    )


def test_a_whole_text_that_is_renamed_goes_as_a_whole() -> None:
    assert replace_targets("[[B | C33]]", {"B | C33": "new"}) == "[[new]]"


@pytest.mark.parametrize("tag", ["reply_to_current", " reply_to_current ", "reply_to:42"])
def test_a_control_tag_is_never_a_link(tag: str) -> None:
    assert find_links(f"[[{tag}]] hello") == ()


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Deploy_Pipeline - Runbook", "deploy-pipeline-runbook"),
        ("notes/sub/Foo Bar.md", "foo-bar"),
        ("CAFE\u0301", "caf\u00e9"),
        ("Straße", "strasse"),
        ("---", "---"),
        (".md", ".md"),
    ],
)
def test_folding_makes_the_spellings_of_a_name_alike(name: str, folded: str) -> None:
    assert fold_name(name) == folded
    assert fold_name(folded) == folded
