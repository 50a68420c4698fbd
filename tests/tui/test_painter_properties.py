"""What holds for any tree and any text that the painter is given."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

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
from render.visible import Visible, cell_width, visible
from tui.painter import NARROWEST, paint
from tui.painting.lighting import STOP
from tui.painting.palette import NO_STYLE, Part
from tui.painting.runs import Run, wrap

UNPAINTABLE = {"Cc", "Cs", "Co", "Zl", "Zp"}

texts = st.one_of(
    st.text(), st.text(st.sampled_from(" ab\n\t\x1b\u200d\u202e👩💻漢。نم\u200cी️\ud800"))
)
inline = st.one_of(
    st.builds(Text, texts, st.sampled_from(TextStyle)),
    st.builds(Link, texts, st.one_of(texts, st.just("memory:x"), st.just("https://x"))),
)
diff_line = st.builds(DiffLine, st.sampled_from(DiffOp), texts)
leaves = st.one_of(
    inline,
    st.builds(CodeBlock, texts, st.one_of(st.none(), texts)),
    st.builds(
        Table,
        st.lists(texts, max_size=5).map(tuple),
        st.lists(st.lists(texts, max_size=5).map(tuple), max_size=3).map(tuple),
    ),
    st.builds(
        Diff,
        st.lists(
            st.builds(
                DiffHunk,
                st.integers(1, 999),
                st.integers(0, 99),
                st.integers(1, 999),
                st.integers(0, 99),
                st.lists(diff_line, max_size=5).map(tuple),
            ),
            max_size=2,
        ).map(tuple),
    ),
    st.builds(SubSession, texts, texts),
    st.builds(Action, texts, texts, texts),
)


def nested(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    some = st.lists(children, max_size=4).map(tuple)
    return st.one_of(
        st.builds(Group, some),
        st.builds(List, some, st.booleans()),
        st.builds(Collapsible, texts, some, st.booleans()),
    )


trees = st.recursive(leaves, nested, max_leaves=12)


@given(trees, st.integers(1, 60))
def test_any_tree_paints_lines_of_exactly_the_width_and_nothing_raw(node: Node, width: int) -> None:
    for line in paint(node, width, NO_STYLE).lines:
        assert not {unicodedata.category(character) for character in line.text} & UNPAINTABLE
        assert sum(cell_width(Visible(run.text)) for run in line) == max(NARROWEST, width)


@given(trees, st.integers(1, 60))
def test_every_stop_is_where_it_says(node: Node, width: int) -> None:
    painted = paint(node, width, NO_STYLE)
    for index, stop in enumerate(painted.stops):
        found = [
            number
            for number, line in enumerate(painted.lines)
            if any(run.style and run.style.meta.get(STOP) == index for run in line)
        ]
        assert (found[0], found[-1]) == (stop.first, stop.last)


@given(st.text(), st.integers(2, 30))
def test_wrapping_loses_nothing_but_blanks(text: str, width: int) -> None:
    run = Run(visible(text), NO_STYLE[Part.TEXT])
    lines = wrap([run], width)
    joined = "".join(line.text for line in lines)
    for mark in "\u2068\u2069 ":
        joined = joined.replace(mark, "")
    assert joined == visible(text).replace(" ", "")
    assert all(line.width <= width for line in lines)
