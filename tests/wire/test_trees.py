"""Trees go over the wire whole; what is too deep or too new ends in text."""

from __future__ import annotations

from hypothesis import given

from render.tree import Group, List, Node, Text, TextStyle
from store.wire.gen.pluggableharness.render.v1 import tree_pb2
from store.wire.trees import DEEPEST, from_tree, to_tree
from tests.wire import strategies as some


@given(some.trees)
def test_a_tree_survives_the_wire(tree: Node) -> None:
    sent = to_tree(tree).SerializeToString()
    assert from_tree(tree_pb2.RenderTree.FromString(sent)) == tree


def test_a_tree_deeper_than_readers_go_ends_in_its_text() -> None:
    tree: Node = Group((Text("deep"), Text("down")))
    for _ in range(5000):
        tree = List((tree,))
    read = from_tree(tree_pb2.RenderTree.FromString(to_tree(tree).SerializeToString()))
    for _ in range(DEEPEST + 1):
        assert isinstance(read, List)
        (read,) = read.items
    assert read == Text("deep down")


def test_a_node_of_a_newer_peer_says_that_it_cannot_be_drawn() -> None:
    unknown = tree_pb2.RenderNode.FromString(b"\xfa\x01\x00")  # field 31, empty
    tree = tree_pb2.RenderTree(
        root=tree_pb2.RenderNode(group=tree_pb2.GroupNode(children=[unknown]))
    )
    assert from_tree(tree) == Group(
        (Text("(a part that this version cannot draw)", TextStyle.DIM),)
    )


def test_a_tree_without_a_root_is_empty() -> None:
    assert from_tree(tree_pb2.RenderTree()) == Group(())


def test_unknown_styles_read_as_normal_text() -> None:
    odd = tree_pb2.TextNode(content="x", style=99)  # type: ignore[arg-type]
    assert from_tree(tree_pb2.RenderTree(root=tree_pb2.RenderNode(text=odd))) == Text("x")
