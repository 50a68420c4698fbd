"""What the painter makes of a tree: exact lines, nothing unsafe, nothing lost, stops where they are."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest
from rich.style import Style

from render.markdown import markdown
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
from render.visible import visible
from tui.painter import Painted, StopKind, paint
from tui.painting.lighting import STOP
from tui.painting.palette import NO_STYLE, Part

CASES = Path(__file__).parent.parent / "cases"
HOSTILE: list[str] = json.loads((CASES / "terminal.json").read_text(encoding="utf-8"))["strings"]


def shown(node: Node, width: int, toggled: tuple[str, ...] = ()) -> str:
    """Return the painted characters, without the blanks at the ends of lines."""
    painted = paint(node, width, NO_STYLE, toggled)
    return "\n".join(line.text.rstrip() for line in painted.lines)


def expected(text: str) -> str:
    return dedent(text).strip("\n").replace("·", "")


def paragraph(*children: Text | Link) -> Group:
    return Group(children)


GOLDEN: dict[str, tuple[int, Node, str]] = {
    "words wrap at blanks, and styles run on inside a word": (
        20,
        paragraph(Text("The old pipe"), Text("line", TextStyle.BOLD), Text(" is gone for good.")),
        """
        The old pipeline is
        gone for good.
        """,
    ),
    "a word longer than a line is cut, none of it is lost": (
        10,
        Text("see abcdefghijklmnop now"),
        """
        see
        abcdefghij
        klmnop now
        """,
    ),
    "CJK breaks between characters but never before a closing mark": (
        12,
        Text("時刻表では漢字で書く。略号"),
        """
        時刻表では漢
        字で書く。略
        号
        """,
    ),
    "a line end in a text is a line end": (
        20,
        paragraph(Text("one\ntwo "), Text("three\n", TextStyle.ITALIC), Text("four")),
        """
        one
        two three
        four
        """,
    ),
    "blocks stand apart, list items close together": (
        20,
        Group(
            (
                Text("Before"),
                List((Text("a first item that wraps"), Group((Text("b"), List((Text("c"),)))))),
                List(tuple(Text(word) for word in "abcdefghij"), ordered=True),
            )
        ),
        """
        Before

        • a first item that
          wraps
        • b
          • c

         1. a
         2. b
         3. c
         4. d
         5. e
         6. f
         7. g
         8. h
         9. i
        10. j
        """,
    ),
    "code keeps its blanks, tabs become blanks, long lines go on behind a broken edge": (
        16,
        CodeBlock("if x:\n\treturn 1\nabcdefghijklmnopqrst\n", "py"),
        """
        │ if x:       py
        │     return 1
        │ abcdefghijklmn
        ┊ opqrst
        """,
    ),
    "a language that does not fit beside the code stands above it": (
        10,
        CodeBlock("abcdefgh", "python"),
        """
        python
        │ abcdefgh
        """,
    ),
    "a table is as wide as it must be, numbers to the right": (
        40,
        Table(("route", "fares"), (("Tromsø", "12,871"), ("博多 – 釜山", "14"))),
        """
        route         fares
        ───────────  ──────
        Tromsø       12,871
        博多 – 釜山      14
        """,
    ),
    "a table too wide wraps its widest cells": (
        24,
        Table(("id", "what"), (("a", "it closes the ramp at low tide"),)),
        """
        id  what
        ──  ────────────────────
        a   it closes the ramp
            at low tide
        """,
    ),
    "a table with no room for columns becomes a list": (
        12,
        Table(("one", "two", "three", "four"), (("1", "22222", "33333", "44444"),)),
        """
        one: 1
        two: 22222
        three: 33333
        four: 44444
        """,
    ),
    "a row may have fewer or more cells than the header": (
        20,
        Table(("a",), (("1", "x"), (), ("2",))),
        """
        a
        ─  ─
        1  x

        2
        """,
    ),
    "a diff has signs and the line numbers of the new text": (
        34,
        Diff(
            (
                DiffHunk(
                    1,
                    2,
                    1,
                    3,
                    (
                        DiffLine(DiffOp.CONTEXT, "same"),
                        DiffLine(DiffOp.REMOVE, "for all 14 harbours"),
                        DiffLine(DiffOp.ADD, "for all 16 harbours"),
                        DiffLine(DiffOp.ADD, "and a line that is rather long"),
                    ),
                ),
                DiffHunk(20, 1, 21, 1, (DiffLine(DiffOp.CONTEXT, "far below"),)),
            )
        ),
        """
        ┄ lines 1-3
         1   same
           - for all 14 harbours
         2 + for all 16 harbours
         3 + and a line that is rather
             long
        ┄ lines 21-21
        21   far below
        """,
    ),
    "a quote keeps its edge on every line": (
        14,
        markdown("> a quote that goes on\n>\n> and on"),
        """
        ▎ a quote that
        ▎ goes on
        ▎
        ▎ and on
        """,
    ),
    "a rule parts blocks without empty lines": (
        10,
        markdown("one\n\n***\n\ntwo"),
        """
        one
        ──────────
        two
        """,
    ),
    "a fold shows its summary only": (
        20,
        Collapsible("Details", (Text("hidden"),)),
        """
        ▸ Details
        """,
    ),
    "a fold that starts open shows what is in it": (
        20,
        Collapsible("Details", (Text("one"), Text("two")), collapsed_by_default=False),
        """
        ▾ Details
          one

          two
        """,
    ),
    "what cannot be acted on here is text": (
        40,
        Group((SubSession("01J", "did it"), Action("a", "Approve", "approve"))),
        """
        session 01J: did it

        [ Approve ]
        """,
    ),
    "a link of an unknown scheme is text that shows its target": (
        40,
        paragraph(
            Link("click", "file:///etc/passwd"), Text(" "), Link("javascript:x", "javascript:x")
        ),
        """
        click (file:///etc/passwd) javascript:x
        """,
    ),
    "a link that leads outside says so": (
        40,
        paragraph(Link("tides", "https://tides.example.test")),
        """
        tides↗
        """,
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_tree_is_painted_as_expected(name: str) -> None:
    width, node, lines = GOLDEN[name]
    assert shown(node, width) == expected(lines)


def test_a_toggled_fold_opens_and_its_link_becomes_a_stop() -> None:
    fold = Collapsible("Details", (paragraph(Link("x", "memory:x")),))
    closed = paint(Group((fold, Text("end"))), 20, NO_STYLE)
    assert [stop.kind for stop in closed.stops] == [StopKind.FOLD]
    opened = paint(Group((fold, Text("end"))), 20, NO_STYLE, {closed.stops[0].target})
    assert [(stop.kind, stop.first) for stop in opened.stops] == [
        (StopKind.FOLD, 0),
        (StopKind.LINK, 1),
    ]


def test_a_link_over_two_lines_is_one_stop_with_spans_on_both() -> None:
    painted = paint(
        paragraph(Text("ask the "), Link("deploy pipeline runbook", "memory:deploy")), 18, NO_STYLE
    )
    assert [(stop.first, stop.last) for stop in painted.stops] == [(0, 1)]
    assert linked(painted, 0) == ["deploy", "pipeline runbook"]


def linked(painted: Painted, stop: int) -> list[str]:
    """Return the text of a stop's spans, line by line."""
    lines = (
        "".join(s.text for s in line if s.style and s.style.meta.get(STOP) == stop)
        for line in painted.lines
    )
    return [line for line in lines if line]


def test_only_the_words_that_changed_are_picked_out() -> None:
    palette = {**NO_STYLE, Part.ADD_WORD: Style(bold=True), Part.REMOVE_WORD: Style(italic=True)}
    lines = (
        DiffLine(DiffOp.REMOVE, "green for all 14 harbours"),
        DiffLine(DiffOp.ADD, "green for all 16 harbours"),
        DiffLine(DiffOp.REMOVE, "nothing alike"),
        DiffLine(DiffOp.ADD, "1234567"),
    )
    painted = paint(Diff((DiffHunk(1, 2, 1, 2, lines),)), 40, palette)
    picked = [
        s.text
        for line in painted.lines
        for s in line
        if s.style and (s.style.bold or s.style.italic)
    ]
    assert picked == ["14", "16"]


def test_right_to_left_text_is_isolated_as_a_passage_or_run_by_run() -> None:
    bold = {**NO_STYLE, Part.BOLD: Style(bold=True)}
    farsi, latin = Text("بلیت", TextStyle.BOLD), Text(" · pending")
    (mixed,) = paint(paragraph(farsi, latin), 20, bold).lines
    assert mixed.text.rstrip() == "\u2068بلیت\u2069 · pending"
    (passage,) = paint(paragraph(farsi, Text(" Tromsø "), farsi), 20, bold).lines
    assert passage.text.rstrip() == "\u2068بلیت Tromsø بلیت\u2069"


def test_an_unknown_node_degrades_to_text() -> None:
    class Hologram:
        def __str__(self) -> str:
            return "hologram\x1b[2J"

    assert shown(Group((Text("a"), Hologram())), 40) == "a\n\nhologram␛[2J"  # type: ignore[arg-type]


def test_marks_of_hidden_characters_have_a_style_of_their_own() -> None:
    palette = {**NO_STYLE, Part.MARK: Style(reverse=True)}
    painted = paint(Text("a\u202eb"), 20, palette)
    assert [s.text for s in painted.lines[0] if s.style and s.style.reverse] == ["‹U+202E›"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_painted_character_for_character(text: str) -> None:
    painted = shown(Text(text), 200)
    assert painted == visible(text)
    assert not any(stop for stop in paint(Text(text), 200, NO_STYLE).stops)
