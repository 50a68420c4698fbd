"""Editing here or in the operator's editor: with undo, with approval, with nothing lost on a conflict."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.tui.sitting import Sitting, desk_at, sitting
from tui.app import InboxApp
from tui.editing import as_file, edit_outside, editor, from_file, shown_text
from tui.marks import Edit, Mark, Marked, Marks, Wording
from tui.screens.edit import EditScreen


def edit_screen(seat: Sitting) -> EditScreen:
    screen = seat.app.screen
    assert isinstance(screen, EditScreen)
    return screen


def text_of(store: Path, id: str = "note-9") -> str:
    desk = desk_at(store)
    try:
        return desk.review(id, RecordStatus.PENDING).record.content
    finally:
        desk.close()


async def test_a_text_is_edited_in_place_and_the_card_follows(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("e")
        await seat.type("Now ")
        await seat.press("ctrl+s")
        assert seat.app.screen is seat.inbox
        assert seat.inbox.shown is not None
        assert seat.inbox.shown.record.content == "Now What note 9 says."
        assert seat.marks == {}
    assert text_of(store) == "Now What note 9 says."


async def test_saving_can_approve_in_the_same_step_and_undo_takes_both_back(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("e")
        await seat.type("Now ")
        await seat.press("ctrl+g")
        assert seat.marks == {"note-9": "approve"}
        assert seat.here == "note-8"
        await seat.press("u")
        assert seat.marks == {}
        assert seat.here == "note-9"
        assert text_of(store) == "What note 9 says."
        await seat.press("U")
        assert seat.marks == {"note-9": "approve"}
        assert text_of(store) == "Now What note 9 says."
        await seat.press("p", "A")
        assert "1 approved · none failed" in seat.header


async def test_a_mark_goes_along_with_an_edit_and_back(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "k", "e")
        await seat.type("X")
        await seat.press("ctrl+s")
        seat.inbox.look()
        await seat.settle()
        assert seat.marks == {"note-9": "approve"}
        await seat.press("u")
        seat.inbox.look()
        await seat.settle()
        assert seat.marks == {"note-9": "approve"}
        await seat.press("p", "A")
        assert "1 approved · none failed" in seat.header
    desk = desk_at(store)
    assert desk.get_record("note-9").content == "What note 9 says."
    desk.close()


async def test_a_text_that_became_too_long_is_said_so_and_stays_in_the_editor(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_INBOX_TEXT_LIMIT_KB", "1")
    async with sitting(store) as seat:
        await seat.press("e")
        edit_screen(seat).text.text = "x" * 1025
        await seat.press("ctrl+s")
        assert [each.text for each in seat.app.jobs.failures] == [
            "the text is 1,025 bytes long, a memory holds at most 1,024"
        ]
        assert edit_screen(seat).text.text == "x" * 1025
    assert text_of(store) == "What note 9 says."


async def test_the_title_is_edited_on_its_own_line(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("e", "shift+tab", "end")
        await seat.type(" b")
        await seat.press("ctrl+s")
        assert seat.rows.row is not None
        assert seat.rows.row.title == "Note 9 b"


async def test_escape_asks_once_before_changes_are_dropped(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("e")
        await seat.type("X")
        await seat.press("escape")
        assert "esc again" in str(edit_screen(seat).text.border_subtitle)
        await seat.type("Y")
        await seat.press("escape")
        assert isinstance(seat.app.screen, EditScreen)
        await seat.press("escape")
        assert seat.app.screen is seat.inbox
    assert text_of(store) == "What note 9 says."


async def test_decision_keys_are_letters_while_editing(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("e")
        await seat.type("arsupqx")
        assert edit_screen(seat).text.text.startswith("arsupqx")
        assert seat.marks == {}


async def test_a_draft_that_changed_meanwhile_is_not_overwritten_unasked(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("e")
        await seat.type("Mine ")
        other = desk_at(store)
        other.update_record("note-9", "Theirs.")
        other.close()
        await seat.press("ctrl+s")
        assert "has changed since you opened it" in str(edit_screen(seat).text.border_subtitle)
        assert text_of(store) == "Theirs."
        await seat.press("ctrl+s")
        assert text_of(store) == "Mine What note 9 says."


async def test_what_another_draft_became_meanwhile_is_not_approved_with_an_edit(
    store: Path,
) -> None:
    """It may apply elsewhere by now, which the editor does not show."""
    async with sitting(store) as seat:
        await seat.press("e")
        await seat.type("Mine ")
        other = desk_at(store)
        before = other.get_record("note-9")
        other.delete_record("note-9")
        again = NewRecord(
            MemoryType.USER, MemoryScope.PROJECT, before.title, before.content, id="note-9"
        )
        other.record(again, Origin(project_root="/"))
        other.close()
        await seat.press("ctrl+g")
        assert "has changed since you opened it" in str(edit_screen(seat).text.border_subtitle)
        assert "user · project scope" in seat.header
        await seat.press("ctrl+g")
        assert text_of(store) == "Mine What note 9 says."
        assert seat.marks == {}


async def test_an_edit_that_somebody_wrote_over_cannot_be_taken_back_and_says_so(
    store: Path,
) -> None:
    async with sitting(store) as seat:
        await seat.press("e")
        await seat.type("Mine ")
        await seat.press("ctrl+s")
        other = desk_at(store)
        other.update_record("note-9", "Theirs.")
        other.close()
        await seat.press("u")
        assert any("taking back the edit of note-9" in notice for notice in seat.notices)
        assert text_of(store) == "Theirs."
        await seat.press("a", "u")
        assert "still being written" not in seat.said


async def test_hidden_characters_are_edited_as_their_marks(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("j", "j", "j", "j", "j", "e")
        screen = edit_screen(seat)
        assert screen.text.text == "Run it‹U+202E› now."
        assert "saved as those" in str(screen.text.border_subtitle)
        await seat.press("end")
        await seat.type("!")
        screen.text.insert("\x1b[2J")
        await seat.press("ctrl+s")
    assert text_of(store, "note-4") == "Run it‹U+202E› now.!␛[2J"


async def test_without_an_editor_in_the_environment_the_key_says_so(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    async with sitting(store) as seat:
        await seat.press("E")
        assert "$EDITOR" in seat.said


def script(path: Path, body: str) -> str:
    """Return an editor that is a Python script with the file as ``sys.argv[1]``."""
    path.write_text(f"import sys, pathlib\nfile = pathlib.Path(sys.argv[1])\n{body}\n")
    return f"{sys.executable} {path}"


async def test_the_operators_editor_changes_title_and_text(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InboxApp, "suspend", lambda self: nullcontext())
    monkeypatch.setenv(
        "VISUAL", script(tmp_path / "ed.py", "file.write_text('New title\\n\\nNew text.')")
    )
    async with sitting(store) as seat:
        await seat.press("E")
        assert seat.inbox.shown is not None
        assert seat.inbox.shown.record.title == "New title"
        assert seat.inbox.shown.record.content == "New text."
        await seat.press("u")
    assert text_of(store) == "What note 9 says."


def test_an_editor_that_fails_changes_nothing(tmp_path: Path) -> None:
    command = script(tmp_path / "ed.py", "file.write_text('half'); sys.exit(1)").split()
    assert edit_outside(command, "Title", "text") == ("Title", "text")


def test_visual_comes_before_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "ed")
    monkeypatch.setenv("VISUAL", "vi -n")
    assert editor() == ["vi", "-n"]
    monkeypatch.setenv("VISUAL", " ")
    assert editor() == ["ed"]


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1), st.text())
def test_a_file_gives_back_the_title_and_the_text(title: str, content: str) -> None:
    assert from_file(as_file(title, content)) == (title, content)


@given(st.text())
def test_what_is_shown_to_edit_keeps_lines_and_tabs_and_is_the_same_the_second_time(
    text: str,
) -> None:
    shown = shown_text(text)
    assert shown_text(shown) == shown
    assert shown.count("\t") == text.count("\t")
    assert shown.count("\n") == text.count("\n")


def test_an_edit_is_a_step_among_the_marks() -> None:
    marks = Marks()
    marks.set(Marked("one", Mark.REJECT, "r1"))
    edit = Edit("one", Wording("One", "a", "r1"), Wording("One", "b", "r2"))
    marks.edited(edit)
    assert [(m.mark, m.revision) for m in marks] == [(Mark.REJECT, "r2")]
    step = marks.undo()
    assert step is not None
    assert step.edit == edit
    assert [(m.mark, m.revision) for m in marks] == [(Mark.REJECT, "r1")]
    marks.forget("one")
    assert marks.redo() is None
