"""Marks are a pure model: what is set can be taken back, step by step, without limit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.marks import Mark, Marked, Marks


def marked(id: str, mark: Mark = Mark.APPROVE, revision: str = "r1") -> Marked:
    return Marked(id, mark, revision)


def test_a_mark_keeps_the_revision_that_was_seen() -> None:
    marks = Marks()
    marks.set(marked("one", revision="seen"))
    assert marks.to_apply()[0].revision == "seen"


def test_marking_again_replaces_the_mark_and_undo_brings_the_first_back() -> None:
    marks = Marks()
    marks.set(marked("one", Mark.APPROVE))
    marks.set(marked("one", Mark.REJECT))
    assert marks.counts() == {Mark.REJECT: 1}
    marks.undo()
    assert marks.counts() == {Mark.APPROVE: 1}


def test_the_same_mark_twice_is_one_step() -> None:
    marks = Marks()
    marks.set(marked("one"))
    assert marks.set(marked("one")) is None
    marks.undo()
    assert not marks.can_undo


def test_a_bulk_mark_is_undone_as_one_step() -> None:
    marks = Marks()
    marks.set(marked("alone", Mark.REJECT))
    step = marks.set(*(marked(f"draft-{n}") for n in range(12)))
    assert step is not None
    assert step.words == "approve 12 drafts"
    marks.undo()
    assert [item.id for item in marks] == ["alone"]


def test_what_a_bulk_mark_holds_back_is_undecided_and_not_applied() -> None:
    marks = Marks()
    marks.set(marked("fine"), marked("flagged", Mark.HELD))
    assert [item.id for item in marks.to_apply()] == ["fine"]
    assert not marks.decided("flagged")


def test_a_new_mark_ends_what_could_be_redone() -> None:
    marks = Marks()
    marks.set(marked("one"))
    marks.undo()
    marks.set(marked("two"))
    assert not marks.can_redo


def test_undo_never_brings_back_a_mark_on_a_draft_that_was_forgotten() -> None:
    marks = Marks()
    marks.set(marked("one", Mark.REJECT))
    marks.set(marked("one"), marked("two"))
    assert [item.id for item in marks.forget("one")] == ["one"]
    marks.undo()
    assert list(marks) == []
    marks.redo()
    assert [item.id for item in marks] == ["two"]


def test_a_failure_keeps_the_mark_with_its_reason() -> None:
    marks = Marks()
    marks.set(marked("one"))
    marks.fail("one", "changed since you looked")
    assert marks.to_apply()[0].failure == "changed since you looked"


_steps = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from("abcd"), st.sampled_from(list(Mark))),
        st.tuples(st.just("clear"), st.sampled_from("abcd"), st.just(Mark.SKIP)),
    ),
    max_size=20,
)


@given(_steps)
def test_undoing_everything_and_redoing_everything_ends_where_it_began(
    steps: list[tuple[str, str, Mark]],
) -> None:
    marks = Marks()
    for verb, id, mark in steps:
        if verb == "set":
            marks.set(marked(id, mark))
        else:
            marks.clear([id])
    reached = {item.id: item for item in marks}
    while marks.undo():
        pass
    assert len(marks) == 0
    while marks.redo():
        pass
    assert {item.id: item for item in marks} == reached
