"""What the app can do the inbox line by line can do: each power beside the deciding of drafts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.tui.linear_talk import talk
from tests.tui.sitting import AGENT, NOW, desk_at, draft, fill
from tui.actions import ACTIONS, Action
from tui.linear.commands import COMMANDS, find
from tui.settings import Settings

GIST = "Deploy from the release branch"

OTHERWISE: dict[str, str] = {
    "range": "numbers say many: approve 3-9",
    "select_all": "numbers say many: approve all",
    "edit": "the command edit, with the key of the app's other way to edit",
    "save": "edit saves when the text ends",
    "save_and_approve": "edit, then approve",
    "save_merge": "merge writes when the text ends",
    "next_near": "compare and a number",
    "previous_near": "compare and a number",
    "differences": "compare says the differences, go reads the other text",
    "open": "a card is read whole",
    "show_draft": "go and its id",
    "card": "there are no panes",
    "list": "the command list, which says rows",
    "links": "the command links",
    "next_link": "links numbers them all",
    "previous_link": "links numbers them all",
    "follow": "the command follow",
    "jump": "follow and a number",
    "page_down": "more says the next rows",
    "page_up": "list and numbers",
    "first": "go 1",
    "last": "go and the number of the last",
    "line_down": "what was said stays above",
    "line_up": "what was said stays above",
    "screen_down": "what was said stays above",
    "screen_up": "what was said stays above",
    "top": "what was said stays above",
    "bottom": "what was said stays above",
    "keep_filter": "a filter is said in one line",
    "clear_filter": "filter without words",
    "complete_filter": "what is wrong in a filter is said with what there is",
    "show_these": "queue and a number",
    "with_drafts": "recall drafts",
    "after_marks": "recall marks",
    "apply_kind": "change says what it is then",
    "change_back": "change again, or restore",
    "secrets": "what is masked is read in the app, where nothing keeps it",
    "same_session": "filter from: and the session",
    "same_target": "filter about: and the id",
    "ask": "recall and the question",
    "import_now": "import and a number, then yes",
    "other_folder": "import and a path",
    "find_folders": "import",
    "try_demo": "memory-inbox demo is the app's",
    "connect": "a page to read: docs and README",
    "start": "there are no doors to choose among",
    "apply_fix": "fix says what changes and does it after yes; new writes what is wanted",
    "undo_fix": "the command unfix; the key belongs to undo",
    "other_name": "fix takes any id",
    "next_type": "new takes the type",
    "next_scope": "new takes the scope",
    "save_new": "new writes when the text ends",
    "save_new_and_approve": "new, then approve",
    "restore": "the command restore; the key belongs to recall",
    "palette": "every command is said by its name",
    "back": "nothing is open to be left; the command back is for links",
    "leave": "quit asks, and leave is the answer",
}
"""Actions of the app that are no command of their own, each with how it is done here or why not."""


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_power_of_the_app_is_a_command_or_has_a_reason(action: Action) -> None:
    commands = {command.action for command in COMMANDS}
    assert (action.id in commands) != (action.id in OTHERWISE)


def test_no_reason_is_given_for_what_is_no_action() -> None:
    assert set(OTHERWISE) <= {action.id for action in ACTIONS}


@pytest.fixture
def alike(store: Path) -> Path:
    """Ten drafts, one more, and a canonical record much like that."""
    desk = desk_at(store)
    like = NewRecord(MemoryType.PROJECT, MemoryScope.PROJECT, GIST, "Half done.\n", id="branch")
    desk.write(like, AGENT)
    desk.record(NewRecord(like.type, like.scope, f"{GIST}!", "All done.\n", id="bang"), AGENT)
    desk.close()
    return store


def write(store: Path, *titles: str) -> Callable[[], None]:
    """Return what writes drafts as an agent would, while a sitting runs."""

    def do() -> None:
        desk = desk_at(store, NOW)
        for title in titles:
            desk.record(NewRecord(MemoryType.USER, MemoryScope.GLOBAL, title, "New."), AGENT)
        desk.close()

    return do


def test_likes_are_compared_line_by_line(alike: Path) -> None:
    done = talk(alike, "go bang", "compare", "compare 2", "go note-9", "c")
    assert "1. branch, canonical, 100 % alike" in done.lines
    at = done.lines.index("From branch to bang:")
    assert "  -Half done." in done.lines[at:]
    assert "  +All done." in done.lines[at:]
    assert "compare: say a number; 1 record much like this draft" in done.lines
    assert done.lines[-1] == "compare: nothing is much like this draft"


def test_a_draft_is_merged_into_what_it_is_like_and_undone(alike: Path) -> None:
    done = talk(alike, "go bang", "merge into 1", "", ".", "undo", "redo")
    assert "Merging bang into branch. The text begins as:" in done.lines
    assert "merge into branch." in done.lines
    assert done.marks == {"branch": "approve", "bang": "reject"}
    desk = desk_at(alike)
    assert desk.review("branch", RecordStatus.PENDING).record.content == "Half done.\n\nAll done.\n"
    assert desk.get_record("branch").content == "Half done.\n"
    desk.close()
    assert talk(alike, "go bang", "merge into 1", "", ".", "undo").marks == {}


def test_drafts_are_merged_by_number_into_the_one_at_hand(store: Path) -> None:
    done = talk(store, "list", "go 3", "merge 1-2", "One note", "All", "..", "three.", ".")
    assert done.marks == {"note-7": "approve", "note-9": "reject", "note-8": "reject"}
    desk = desk_at(store)
    record = desk.review("note-7").record
    assert (record.title, record.content) == ("One note", "All\n.\nthree.\n")
    desk.close()


def test_only_what_was_told_is_merged(store: Path) -> None:
    done = talk(store, "merge 2", "merge", "go 2", "apply")
    assert "merge: none of these is another draft that you were told of as it is now" in done.lines
    assert done.marks == {}


def test_a_text_is_edited_line_by_line_where_there_is_no_editor(store: Path) -> None:
    done = talk(store, "edit", "Better", "  two blanks", "", ".", "approve")
    assert done.marks == {"note-9": "approve"}
    desk = desk_at(store)
    record = desk.review("note-9").record
    assert (record.title, record.content) == ("Better", "  two blanks\n\n")
    desk.close()
    assert "nothing was changed" in talk(store, "edit", "", ".").lines
    cut = talk(store, "go note-8", "edit", "Cut", "The input ends")
    assert "The text did not end; nothing was written." in cut.lines
    desk = desk_at(store)
    assert desk.review("note-8").record.title == "Note 8"
    desk.close()


def test_names_that_lead_nowhere_are_said_with_their_places(tmp_path: Path) -> None:
    store = tmp_path / "inbox.db"
    fill(
        store, [draft(0), draft(1, "See [[note-0]].\n\nAnd [[nowhere]]."), draft(2, "[[Nowhere]]")]
    )
    done = talk(store, "names", "names wanted", "names 1", "follow 1", "back", "names 9")
    assert "0 broken, 2 wanted, 0 ambiguous, 1 most-linked, 0 orphans." in done.lines
    assert "1. Nowhere, 1 place" in done.lines
    assert "Nowhere, wanted: 1 place." in done.lines
    assert "1. note-2, line 1, a draft:" in done.lines
    assert done.lines.count("follow and a number reads one of them; back leads here again.") == 2
    assert done.lines[-1] == "names: 9 is not in the list, which has 2"
    linked = talk(store, "names most-linked", "L 1", "links", "follow 1", "approve")
    assert "1. note-0, the record itself" in linked.lines
    assert linked.marks == {"note-0": "approve"}


def test_links_are_fixed_after_every_change_was_said_and_the_fix_is_taken_back(
    tmp_path: Path,
) -> None:
    store = tmp_path / "inbox.db"
    fill(store, [draft(0), draft(1, "See [[note-zero]]."), draft(2, "And [[note-zero|it]].")])
    done = talk(store, "fix 1", "approve", "names wanted", "names 1", "fix", "fix note-0", "no")
    assert "fix: every link here leads to a record; names and a number says one that does not" in (
        done.lines
    )
    assert "fix: nothing is chosen yet that it could lead to: say a number or an id" in done.lines
    assert "  +And [[note-0|it]]." in done.lines
    assert "Nothing was changed." in done.lines
    done = talk(store, "approve", "names wanted", "names 1", "fix note-0", "yes", "unfix", "unfix")
    assert "2 texts changed: note-zero is now note-0." in done.lines
    assert "2 texts as before: note-zero is what the links say." in done.lines
    assert "unfix: no link was fixed in this sitting" in done.lines
    assert done.marks == {"note-2": "approve"}
    desk = desk_at(store)
    assert desk.review("note-2").record.content == "And [[note-zero|it]]."
    desk.close()


def test_recall_says_what_is_given_and_what_there_is_no_room_for(store: Path) -> None:
    approve = ["approve"] * 10
    done = talk(
        store,
        *approve,
        "apply",
        "yes",
        "recall in:/home/ann/acme budget:12 file:note.md",
        "go 1",
        "recall in:/nowhere/else",
        "R bad",
        "R 'open",
    )
    assert "For /home/ann/acme:" in done.lines
    assert "Dropped, no room in the budget:" in done.lines
    assert any(line.startswith("10 of 12 tokens given, ") for line in done.lines)
    assert any(line.startswith("Recalled record 1 of 10: note-") for line in done.lines)
    assert "Nothing would be given: no approved record applies here." in done.lines
    assert done.lines[-1].startswith("recall: say in:DIRECTORY")
    drafts = talk(store.with_name("none.db"), "recall drafts")
    assert drafts.lines[-1].startswith("Nothing would be given")


def test_folders_are_found_tried_and_imported_only_when_that_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    notes = home / "basic-memory"
    notes.mkdir(parents=True)
    (notes / "tea.md").write_text("---\ntitle: Tea\npermalink: tea\n---\n\nGreen, no sugar.\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    store = tmp_path / "inbox.db"
    done = talk(
        store, "import", "import 1", "no", "import 2", "import ~/basic-memory", "yes", "list"
    )
    assert (
        "Nothing is in this store yet: import finds memories that agents have kept." in done.lines
    )
    assert f"1. basic-memory, 1 file: {notes}" in done.lines
    assert f"{notes} would be: 1 file, 1 new." in done.lines
    assert "Nothing was imported." in done.lines
    assert "import: nothing is at 2" in done.lines
    assert "Imported: 1 new." in done.lines
    assert "1 new draft, number 1." in done.lines
    assert "Nothing to import." in talk(store, f"import {notes}").lines


def test_a_record_of_ones_own_waits_like_all_others(store: Path) -> None:
    done = talk(store, "new user global Tea", "", "Green.", ".", "approve", "new user", "new x y z")
    assert "Written tea." in done.lines
    assert done.marks == {"tea": "approve"}
    assert "1 new draft, number 11." in done.lines
    assert "new: say a type, a scope and a title, as in new feedback global No force pushes" in (
        done.lines
    )
    assert any("there is no scope 'y'" in line for line in done.lines)
    desk = desk_at(store)
    record = desk.review("tea").record
    assert (record.pending, record.provenance.recorded_by) == (True, "inbox.new")
    desk.close()


def test_type_and_scope_are_changed_under_the_same_id(store: Path) -> None:
    done = talk(store, "change type:user scope:global", "approve", "change", "change type:nonsense")
    assert "note-9 is user, global scope." in done.lines
    assert done.marks == {"note-9": "approve"}
    assert any(line.startswith("change: say type:") for line in done.lines)
    assert any("there is no memory type 'nonsense'" in line for line in done.lines)
    desk = desk_at(store)
    record = desk.review("note-9").record
    assert (record.type, record.scope) == (MemoryType.USER, MemoryScope.GLOBAL)
    desk.close()


def test_a_record_goes_to_the_trash_and_comes_back_and_a_draft_does_not(store: Path) -> None:
    done = talk(
        store,
        "a",
        "apply",
        "yes",
        "go note-9",
        "delete",
        "delete",
        "restore note-9",
        "go 2",
        "delete",
    )
    assert "note-9 is in the trash: restore note-9 brings it back." in done.lines
    assert "delete: no record under the cursor" in done.lines
    assert "note-9 is back." in done.lines
    assert done.lines[-1].startswith("delete: this is a draft")


def test_what_was_read_is_what_is_deleted(store: Path) -> None:
    talk(store, "a", "apply", "yes")

    def edit() -> None:
        desk = desk_at(store)
        desk.edit("note-9", desk.review("note-9").record.revision, content="Other.")
        desk.close()

    done = talk(store, "go note-9", edit, "delete")
    assert "delete: this draft has just changed, look at it once more; show reads it" in done.lines


def test_the_queue_is_told_in_groups_and_one_of_them_listed(store: Path) -> None:
    done = talk(store, "a", "queue", "queue 2", "queue 99")
    assert "10 drafts, 1 flagged, the oldest from 10 hours ago." in done.lines
    assert any(line.startswith("1. waiting under a day: ") for line in done.lines)
    assert "Drafts of the type feedback." in done.lines
    assert "3 drafts, filter type:feedback." in done.lines
    assert "queue: 99 is none of its groups, of which there are 7" in done.lines


def test_saved_filters_are_sections(store: Path) -> None:
    settings = Settings(sections={"Users": "type:user"}, problems=("nothing is called x",))
    done = talk(store, "section", "section users", "section none", settings=settings)
    assert "Settings: nothing is called x." in done.lines
    assert "Users: type:user" in done.lines
    assert "3 drafts, filter type:user." in done.lines
    assert "section: none is called none" in done.lines
    assert talk(store, "section").lines[-1].startswith("No filters are saved")


def test_keys_that_were_set_are_the_short_forms(store: Path) -> None:
    keys = {"approve": "y", "undo": "r"}
    done = talk(store, "y", "a", "y", "r", "help approve", settings=Settings(keys=keys))
    assert "There is no command a. help says all of them." in done.lines
    assert done.marks == {"note-9": "approve"}
    assert any(line.startswith("approve [NUMBERS], y: ") for line in done.lines)
    reject = find("reject", keys)
    assert reject is not None
    assert find("r", keys) is not reject


def test_new_drafts_are_told_after_an_answer_and_get_the_next_numbers(store: Path) -> None:
    done = talk(store, write(store, "Ten"), "status", write(store, "B", "C"), "approve", "go 11")
    assert "1 new draft, number 11." in done.lines
    assert "2 new drafts, numbers 12 to 13." in done.lines
    assert done.lines.index("1 new draft, number 11.") > done.lines.index("Marks: none.")
    assert "Draft 11 of 13: ten." in done.lines
    assert talk(store, "status").lines.count("1 new draft, number 14.") == 0


def test_new_drafts_outside_the_filter_are_not_told(store: Path) -> None:
    done = talk(store, "filter type:project", write(store, "Ten"), "status")
    assert not any("new draft" in line for line in done.lines)


def test_a_draft_that_others_decide_loses_its_mark_and_says_so(store: Path) -> None:
    def reject() -> None:
        desk = desk_at(store)
        desk.reject_record("note-9")
        desk.close()

    done = talk(store, "approve", reject, "status", "plan")
    assert "Mark dropped: note-9 was rejected elsewhere (approve)." in done.lines
    assert done.lines[-1] == "nothing is marked yet."


def test_the_card_at_hand_is_read_once_more_before_a_decision_when_it_changed(store: Path) -> None:
    def rewrite() -> None:
        desk = desk_at(store)
        desk.update_record("note-9", "Otherwise.", None, Origin("memory.remember"))
        desk.close()

    done = talk(store, rewrite, "status", "approve", "show", "approve")
    assert "note-9 has changed since it was read out: show reads it as it is now." in done.lines
    assert "approve: no card was read out; next or go reads one" in done.lines
    assert "  Otherwise." in done.lines
    assert done.marks == {"note-9": "approve"}


def test_one_does_not_hear_of_what_one_does_oneself(store: Path) -> None:
    done = talk(
        store, "edit", "Better", "New.", ".", "a", "u", "u", "a", "apply", "yes", "takeback"
    )
    assert not any(line.startswith(("Mark dropped", "1 new")) for line in done.lines)
    assert not any("elsewhere" in line or "since it was read" in line for line in done.lines)


def test_recall_after_the_marks_says_what_is_new(store: Path) -> None:
    done = talk(store, "approve", "recall in:/home/ann/acme marks")
    assert any("note-9, " in line and line.endswith(": new by the marks") for line in done.lines)
    assert any(line.startswith("0, then ") for line in done.lines)
