"""Trees and texts for property tests."""

from __future__ import annotations

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

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_tuples = st.lists(ANY_TEXT, max_size=3).map(tuple)
_lines = st.lists(st.builds(DiffLine, st.sampled_from(DiffOp), ANY_TEXT), max_size=4).map(tuple)
_starts = st.integers(0, 9)
_hunks = st.builds(DiffHunk, _starts, _starts, _starts, _starts, _lines)
LEAVES: st.SearchStrategy[Node] = st.one_of(
    st.builds(Text, ANY_TEXT, st.sampled_from(TextStyle)),
    st.builds(CodeBlock, ANY_TEXT, st.none() | ANY_TEXT),
    st.builds(Diff, st.lists(_hunks, max_size=2).map(tuple)),
    st.builds(Table, _tuples, st.lists(_tuples, max_size=3).map(tuple)),
    st.builds(Link, ANY_TEXT, ANY_TEXT),
    st.builds(SubSession, ANY_TEXT, ANY_TEXT),
    st.builds(
        Action,
        ANY_TEXT,
        ANY_TEXT,
        ANY_TEXT,
        st.dictionaries(st.text(max_size=5), _json, max_size=3),
        ANY_TEXT,
    ),
)


def _inner(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    children = st.lists(nodes, max_size=4).map(tuple)
    return st.one_of(
        st.builds(List, children, st.booleans()),
        st.builds(Group, children),
        st.builds(Collapsible, ANY_TEXT, children, st.booleans()),
    )


NODES: st.SearchStrategy[Node] = st.recursive(LEAVES, _inner, max_leaves=12)
JSON = _json
