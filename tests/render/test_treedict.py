"""Trees to dicts and back, whatever comes."""

from __future__ import annotations

import json

from hypothesis import given

from render.tree import Group, Node, Table, Text, TextStyle
from render.treedict import from_dict, to_dict
from tests.render.strategies import JSON, NODES


@given(NODES)
def test_a_tree_survives_the_way_through_json(node: Node) -> None:
    assert from_dict(json.loads(json.dumps(to_dict(node)))) == node


@given(JSON)
def test_any_json_is_a_tree(value: object) -> None:
    node = from_dict(value)
    assert from_dict(to_dict(node)) == node


def test_an_unknown_kind_degrades_to_the_text_it_has() -> None:
    chart = {"kind": "chart", "summary": "3 drafts a day", "points": [1, 2]}
    assert from_dict(chart) == Text("3 drafts a day")
    assert from_dict({"kind": "chart", "points": [1]}) == Text('{"kind": "chart", "points": [1]}')
    assert from_dict({"kind": "group", "children": [chart, 7]}) == Group(
        (Text("3 drafts a day"), Text("7"))
    )


def test_fields_of_the_wrong_shape_are_empty() -> None:
    assert from_dict({"kind": "text", "content": 5, "style": "blinking"}) == Text("")
    assert from_dict({"kind": "text", "style": ["bold"]}) == Text("")
    assert from_dict({"kind": "table", "headers": "ab", "rows": [["x", 1], "y"]}) == Table(
        (), (("x", "1"), ())
    )
    assert from_dict({"kind": "text", "content": "x", "style": "dim"}) == Text("x", TextStyle.DIM)


def test_nesting_without_end_ends_in_text() -> None:
    value: object = {"kind": "text", "content": "core"}
    for _ in range(5_000):
        value = {"kind": "group", "children": [value]}
    assert isinstance(from_dict(value), Group)
