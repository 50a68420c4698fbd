"""Back and forward along what was visited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.trail import Trail


def test_back_and_forward_again() -> None:
    trail: Trail[str] = Trail()
    trail.start("a")
    trail.visit("b")
    trail.visit("c")
    assert (trail.back(), trail.back(), trail.back()) == ("b", "a", None)
    assert (trail.forward(), trail.here, trail.behind, trail.ahead) == ("b", "b", 1, 1)


def test_a_visit_forgets_what_was_ahead() -> None:
    trail: Trail[str] = Trail()
    trail.start("a")
    trail.visit("b")
    trail.back()
    trail.visit("c")
    assert (trail.forward(), trail.here, trail.back()) == (None, "c", "a")


def test_where_one_is_already_is_no_visit() -> None:
    trail: Trail[str] = Trail()
    trail.start("a")
    trail.visit("a")
    assert trail.behind == 0


@given(st.lists(st.one_of(st.sampled_from("abc"), st.sampled_from(["<", ">"]))))
def test_the_counts_always_say_how_far_one_can_go(steps: list[str]) -> None:
    trail: Trail[str] = Trail()
    trail.start("start")
    for step in steps:
        behind, ahead = trail.behind, trail.ahead
        if step == "<":
            assert (trail.back() is not None) == (behind > 0)
        elif step == ">":
            assert (trail.forward() is not None) == (ahead > 0)
        else:
            trail.visit(step)
            assert trail.here == step
    assert trail.here is not None
