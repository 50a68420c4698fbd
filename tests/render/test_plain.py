"""Trees as text: everything is said, nothing raw, no line too long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.plain import plain, wrap
from render.tree import (
    Action,
    CodeBlock,
    Collapsible,
    Diff,
    DiffHunk,
    DiffLine,
    DiffOp,
    Group,
    Link,
    List,
    Node,
    SubSession,
    Table,
    Text,
    TextStyle,
)
from render.visible import Visible, cell_width, graphemes, visible
from tests.render.strategies import ANY_TEXT, NODES

PARA = Group(
    (Text("see "), Link("Runbook", "memory:run%20book"), Text(" and "), Link("", "http://x.y"))
)


@pytest.mark.parametrize(
    ("node", "lines"),
    [
        (PARA, ["see ▸Runbook (run book) and <http://x.y>"]),
        (Link("run", "memory:run"), ["▸run"]),
        (Link("site", "https://x.y"), ["site <https://x.y>"]),
        (Text("a\nb", TextStyle.CODE), ["`a", "b`"]),
        (Group((PARA, Group((Text("b"),)))), ["see ▸Runbook (run book) and <http://x.y>", "", "b"]),
        (CodeBlock("\tx\n\x1b", "sh"), ["```sh", "    x", "␛", "```"]),
        (
            List((Text("a"), Group((Group((Text("b"),)), List((Text("c"),)))))),
            ["- a", "- b", "  - c"],
        ),
        (List((Text("a\nb"), Text("c")), ordered=True), ["1. a", "   b", "2. c"]),
        (
            Collapsible("more", (Group((Text("a"),)), Group((Text("b"),)))),
            ["▾ more", "  a", "", "  b"],
        ),
        (SubSession("01J", "a child"), ["session 01J: a child"]),
        (Action("approve", "Approve", "ApproveRecord"), ["[ Approve ]"]),
        (Table(("a", "漢字"), (("1", "2"), ("3",))), ["a | 漢字", "--|-----", "1 | 2", "3 |"]),
        (Table((), ()), [""]),
    ],
)
def test_each_kind_of_node(node: Node, lines: list[str]) -> None:
    assert plain(node).split("\n") == lines


def test_a_diff_shows_signs_and_where_it_is() -> None:
    lines = (
        DiffLine(DiffOp.REMOVE, "old text"),
        DiffLine(DiffOp.ADD, "new"),
        DiffLine(DiffOp.CONTEXT, ""),
    )
    node = Diff((DiffHunk(3, 2, 3, 2, lines),))
    assert plain(node).split("\n") == ["@@ -3,2 +3,2 @@", "-old text", "+new", ""]
    assert plain(node, 8).split("\n") == ["@@ -3,2", "+3,2 @@", "-old", "…text", "+new", ""]


def test_a_table_too_wide_becomes_one_cell_a_line() -> None:
    table = Table(("name", "value"), (("long enough", "for two"), ("b", "")))
    assert plain(table, 12).split("\n") == [
        *("name: long", "enough", "value: for", "two", "", "name: b", "value:"),
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("  indented words", ["  indente", "d words"]),
        ("漢字漢字漢字漢字", ["漢字漢字", "漢字漢字"]),
        ("a 👨\u200d👩\u200d👦👨\u200d👩\u200d👦👨\u200d👩\u200d👦👨\u200d👩\u200d👦", None),
        ("         ", ["         "]),
        ("", [""]),
    ],
)
def test_wrapping(text: str, lines: list[str] | None) -> None:
    wrapped = wrap(visible(text), 9)
    assert wrapped == lines or lines is None
    assert all(cell_width(line) <= 9 for line in wrapped)


@given(ANY_TEXT, st.integers(2, 12))
def test_wrapped_lines_fit_and_lose_blanks_alone(text: str, width: int) -> None:
    shown = visible(text)
    lines = wrap(shown, width)
    assert all(cell_width(line) <= width or len(graphemes(line)) == 1 for line in lines)
    assert "".join(lines).replace(" ", "") == shown.replace(" ", "")


def said(node: Node) -> Iterator[str]:
    """Yield every text of a tree that a reader must find."""
    match node:
        case Text(content) | CodeBlock(content):
            yield content
        case Link(text, url):
            yield text or ("" if url.startswith("memory:") else url)
        case Diff(hunks):
            yield from (line.text for hunk in hunks for line in hunk.lines)
        case Table(headers, rows):
            yield from (cell for row in (headers, *rows) for cell in row)
        case List(children) | Group(children):
            for child in children:
                yield from said(child)
        case Collapsible(summary, children):
            yield summary
            yield from said(Group(children))
        case SubSession(session, summary):
            yield from (session, summary)
        case Action(label=label):
            yield label


@given(NODES, st.integers(1, 100))
def test_all_that_a_tree_says_is_there_and_safe(node: Node, width: int) -> None:
    shown = plain(node, width)
    assert isinstance(shown, Visible)
    assert visible(shown, newlines=True) == shown
    wanted = Counter(
        "".join(visible(text.replace("\n", "").replace("\t", "")) for text in said(node))
    )
    del wanted[" "]
    missing = wanted - Counter(shown)
    assert not missing
