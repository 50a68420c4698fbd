"""Frontmatter comes out as written, whatever YAML would make of it."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from store.folders.frontmatter import parse, scalar, set_field, split

MANGLED = {
    "description: May 13: rebuild. Source: chat": "May 13: rebuild. Source: chat",
    'description: "The plan" and what followed': '"The plan" and what followed',
    "description: 2026-08-14 #1131 closed as duplicate": "2026-08-14 #1131 closed as duplicate",
    "description: #1131 closed": "#1131 closed",
    "description: !important: read this": "!important: read this",
    "description: [draft] of the plan": "[draft] of the plan",
    "description: `code` first": "`code` first",
    "description: @handle said so": "@handle said so",
    "description: 100%: done": "100%: done",
}
UNTYPED = {
    "description: 2026-08-14": "2026-08-14",
    "description: 0123": "0123",
    "description: yes": "yes",
    "description: 1e3": "1e3",
    'description: "quoted: fine"': "quoted: fine",
    "description: |\n  two\n  lines": "two\nlines\n",
    "description: >-\n  folded\n  text": "folded text",
    "description: plain\n  goes on": "plain goes on",
}


@pytest.mark.parametrize(("line", "value"), MANGLED.items())
def test_what_yaml_mangles_is_recovered_and_reported(line: str, value: str) -> None:
    fields, bent = parse(f"name: x\n{line}\ntype: user")
    assert fields == {"name": "x", "description": value, "type": "user"}
    assert bent


@pytest.mark.parametrize(("line", "value"), UNTYPED.items())
def test_nothing_is_typed(line: str, value: str) -> None:
    fields, bent = parse(f"{line}\ntype: user")
    assert fields == {"description": value, "type": "user"}
    assert not bent


def test_tags_that_yaml_takes_for_comments_are_there() -> None:
    front = split("---\ntags:\n- #work\n- plain\n- #home/office\n---\nText\n")
    assert front.items("tags") == ("#work", "plain", "#home/office")
    assert front.bent


def test_a_broken_block_still_gives_its_nested_fields_and_lists() -> None:
    front = split(
        "---\nname: a: b\nmetadata: \n  type: user\n  originSessionId: 5d2f\ntags:\n  - one\n  - #two\n---\n"
    )
    assert front.text("name") == "a: b"
    assert front.nested("metadata", "originSessionId") == "5d2f"
    assert front.items("tags") == ("one", "#two")


def test_a_rule_in_the_body_ends_nothing() -> None:
    front = split("---\nname: has-a-rule\n---\nAbove.\n\n---\n\nBelow.\n")
    assert front.body == "Above.\n\n---\n\nBelow.\n"


@pytest.mark.parametrize(
    "text",
    [
        "---\nA rule and prose, no frontmatter.\n\n---\nMore.\n",
        "---\nname: never closed\n",
        "--- \n---\nempty\n",
        "",
        "\n\n",
        "text\n---\nname: x\n---\n",
    ],
)
def test_what_is_no_frontmatter_stays_in_the_body(text: str) -> None:
    front = split(text)
    assert (front.head, front.body) == ("", text)


@given(st.text(alphabet=st.sampled_from("-ab: #\n\t\"'|>[{&*!%@`."), max_size=80))
def test_head_and_body_are_the_whole_text(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\nbody\n"):
        front = split(whole)
        assert front.head + front.body == whole


@given(st.text(max_size=60))
def test_a_written_scalar_reads_back_here_and_in_yaml(value: str) -> None:
    value = value.encode("utf-8", "ignore").decode()
    line = f"name: {scalar(value)}"
    assert "\n" not in line
    if value not in ("", "null", "~"):
        assert parse(line)[0]["name"] == value
    loaded = yaml.safe_load(line)["name"]
    assert loaded == value


@given(st.text(alphabet="ab: #\n'\"", max_size=20))
def test_setting_a_field_leaves_the_other_lines_alone(value: str) -> None:
    head = (
        "---\nname: old\n  goes on\ndescription: May 13: x\nmetadata: \n  type: user # why\n---\n\n"
    )
    changed = set_field(head, "name", value)
    assert split(changed + "body").text("name") == value.strip()
    assert changed.split("\n")[2:] == head.split("\n")[3:]


def test_a_field_that_was_not_there_is_added_last() -> None:
    assert set_field("---\ntype: user\n---\n", "name", "x") == "---\ntype: user\nname: x\n---\n"


def test_hostile_blocks_are_read_in_no_time_and_without_a_crash() -> None:
    split("---\na: " + "[" * 50_000 + "\n---\n")
    split("---\n" + " " * 40_000 + "\n---\n")
    split("---\nkey: v\n" + "x" * 40_000 + "\n" + " " * 40_000 + "y\n---\n")
    bomb = "a0: &a0 [x, x]\n" + "".join(
        f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)
    )
    assert split(f"---\n{bomb}---\nbody").body == "body"
