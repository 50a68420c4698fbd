"""A diff tells exactly what changes, and old and new can be read back from it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from render.diff import diff
from render.tree import Diff, DiffHunk, DiffLine, DiffOp

TEXTS = st.lists(st.sampled_from(["a", "b", "", "c\r"]), max_size=12).map("\n".join)


def lines_of(text: str, other: str) -> list[str]:
    """Return the lines that are compared: where one text alone ends its last line, so do they show it."""
    lines = text.removesuffix("\n").split("\n") if text else []
    differ = text and other and text.endswith("\n") != other.endswith("\n")
    return [*lines, ""] if differ and text.endswith("\n") else lines


def apply(lines: list[str], changes: Diff) -> list[str]:
    """Apply hunks to lines as `patch` does, checking every line they speak of."""
    done, result = 0, list[str]()
    for hunk in changes.hunks:
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        result += lines[done:start]
        assert len(result) == (hunk.new_start - 1 if hunk.new_lines else hunk.new_start)
        done = start
        for line in hunk.lines:
            if line.op is not DiffOp.ADD:
                assert lines[done] == line.text
                done += 1
            if line.op is not DiffOp.REMOVE:
                result.append(line.text)
        assert hunk.old_lines == sum(line.op is not DiffOp.ADD for line in hunk.lines)
        assert hunk.new_lines == sum(line.op is not DiffOp.REMOVE for line in hunk.lines)
    return result + lines[done:]


@given(TEXTS, TEXTS, st.integers(0, 4))
def test_applied_to_the_old_text_it_gives_the_new_one(old: str, new: str, context: int) -> None:
    changes = diff(old, new, context)
    assert (changes == Diff(())) == (old == new)
    assert apply(lines_of(old, new), changes) == lines_of(new, old)


@given(TEXTS, TEXTS, st.integers(0, 4))
def test_context_is_never_more_than_asked_for(old: str, new: str, context: int) -> None:
    for hunk in diff(old, new, context).hunks:
        for edge in (hunk.lines, hunk.lines[::-1]):
            changed = next(at for at, line in enumerate(edge) if line.op is not DiffOp.CONTEXT)
            assert changed <= context


def test_a_change_in_the_middle_has_three_lines_around_it() -> None:
    old = "".join(f"{number}\n" for number in range(1, 11))
    assert diff(old, old.replace("5\n", "five\nand\n")) == Diff(
        (
            DiffHunk(
                *(2, 7, 2, 8),
                tuple(
                    DiffLine(DiffOp(op), text)
                    for op, text in [
                        *(("context", line) for line in "234"),
                        ("remove", "5"),
                        ("add", "five"),
                        ("add", "and"),
                        *(("context", line) for line in "678"),
                    ]
                ),
            ),
        )
    )


def test_a_missing_final_line_end_is_a_change() -> None:
    lines = [line for hunk in diff("a\n", "a").hunks for line in hunk.lines]
    assert DiffLine(DiffOp.REMOVE, "") in lines


def test_texts_too_long_to_compare_are_replaced_as_a_whole() -> None:
    old = "same\n" + "".join(f"{number}\n" for number in range(1, 8_001)) + "end\n"
    new = "same\n" + "".join(f"{-number}\n" for number in range(1, 8_001)) + "end\n"
    (hunk,) = diff(old, new).hunks
    assert [line.op for line in hunk.lines].count(DiffOp.ADD) == 8_000
    assert hunk.lines[0] == DiffLine(DiffOp.CONTEXT, "same")
