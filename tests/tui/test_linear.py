"""The inbox line by line: each command, by its name or its key, does what the app does."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from store.records import RecordStatus
from tests.tui.linear_talk import talk
from tests.tui.sitting import AGENT, desk_at, draft, fill
from tui.actions import BY_ID
from tui.keeping import Keeper
from tui.linear.commands import COMMANDS, find
from tui.linear.listing import NoSuchRow, places


def pending(store: Path) -> set[str]:
    desk = desk_at(store)
    try:
        return {r.id for r in desk.list_records(status=RecordStatus.PENDING).records}
    finally:
        desk.close()


def rewrite(store: Path, id: str, content: str) -> None:
    """Change a draft as its agent would."""
    desk = desk_at(store)
    desk.update_record(id, content, None, AGENT)
    desk.close()


def test_the_first_card_is_read_out_facts_before_text(store: Path) -> None:
    said = talk(store).lines
    assert said[0] == "Memory Inbox, test.db."
    assert said[1] == "10 drafts, the oldest from 10 hours ago. help says all commands."
    assert said[2] == "Draft 1 of 10: note-9."
    assert said.index("  Text:") > next(n for n, line in enumerate(said) if "pending" in line)
    assert said.index("  What note 9 says.") > said.index("  Text:")
    assert said[-1] == "End of note-9. 0 links."


def test_decisions_go_on_to_the_next_draft_and_leave_the_store_alone(store: Path) -> None:
    done = talk(store, "approve", "r", "skip", "A", "no")
    assert done.marks == {"note-9": "approve", "note-8": "reject", "note-7": "skip"}
    assert "Draft 4 of 10: note-6." in done.lines
    assert len(pending(store)) == 10


def test_a_decision_after_the_last_draft_does_not_hit_it_again(store: Path) -> None:
    done = talk(store, *["approve"] * 10, "reject")
    assert set(done.marks.values()) == {"approve"}
    assert done.lines[-3] == "reject: no card was read out; next or go reads one"


def test_undo_and_redo_go_back_to_the_draft(store: Path) -> None:
    done = talk(store, "a", "r", "undo", "u", "U")
    assert done.marks == {"note-9": "approve"}
    assert [line for line in done.lines if line.startswith(("undone", "redone"))] == [
        "undone: reject note-8.",
        "undone: approve note-9.",
        "redone: approve note-9.",
    ]
    assert "nothing to undo" in talk(store, "undo").lines
    assert "nothing to redo" in talk(store, "redo").lines


def test_unmark_by_card_and_by_number(store: Path) -> None:
    done = talk(store, "a", "a", "a", "up", "unmark", "unmark 1-2", "x")
    assert done.marks == {}
    assert done.lines[-1] == "unmark: nothing is marked here"


def test_next_and_previous_pass_over_marks(store: Path) -> None:
    done = talk(store, "go 2", "a", "go 1", "next", "previous", "N", "down", "up", "up")
    reads = [line for line in done.lines if line.startswith("Draft ")]
    assert [line.split()[1] for line in reads] == ["1", "2", "3", "1", "3", "1", "2", "1"]
    assert "no undecided draft there" in done.lines
    assert "No row there." in done.lines


def test_go_takes_a_number_or_an_id(store: Path) -> None:
    assert "Draft 4 of 10: note-6." in talk(store, "go 4").lines
    assert "Draft 8 of 10: note-2." in talk(store, "go note-2").lines
    assert talk(store, "go 11").lines[-1] == "go: 11 is not in the list, which has 10"
    assert talk(store, "go nobody").lines[-1] == "Not found, at go: no record has the id 'nobody'."


def test_many_at_once_are_one_step_and_flagged_ones_are_left_out(store: Path) -> None:
    done = talk(store, "list", "approve all")
    assert done.marks == {f"note-{n}": "held" if n == 4 else "approve" for n in range(10)}
    assert "approve: 9 drafts, 1 flagged left out: note-4." in done.lines
    assert talk(store, "list", "approve all", "undo").marks == {}
    assert talk(store, "go note-4", "list all", "approve 6").marks == {"note-4": "approve"}


def test_many_at_once_are_only_those_that_were_said(store: Path) -> None:
    done = talk(store, "list 1-3", "reject all")
    assert set(done.marks) == {"note-9", "note-8", "note-7"}
    assert "7 left out that you were not told of as they are now: list says them." in done.lines


def test_a_draft_that_changed_after_it_was_said_is_not_marked_with_many(store: Path) -> None:
    done = talk(
        store, "list", lambda: rewrite(store, "note-8", "Now something else."), "reject all"
    )
    assert "note-8" not in done.marks
    assert len(done.marks) == 9


def test_a_mark_falls_when_the_draft_reads_otherwise(store: Path, tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "marks.json", "test")
    talk(store, "approve", keeper=keeper)
    rewrite(store, "note-9", "Now something else.")
    done = talk(store, "plan", "go 1", keeper=keeper)
    assert "1. left out note-9: has changed since you marked it" in done.lines
    assert "Mark dropped: note-9 has changed (approve)." in done.lines
    assert done.marks == {}


def test_the_plan_has_the_words_of_the_app(store: Path) -> None:
    done = talk(store, "a", "r", "plan")
    at = done.lines.index("What will happen:")
    assert done.lines[at + 1 : at + 4] == [
        "1. approve note-9: recalled in its project from now on",
        "2. reject note-8: text destroyed, cannot be taken back",
        "1 approve, 1 reject, links: none touched.",
    ]
    assert talk(store, "plan").lines[-1] == "nothing is marked yet."


@pytest.mark.parametrize("answer", ["no", "apply", "A", "y", ""])
def test_only_the_word_of_its_own_applies(store: Path, answer: str) -> None:
    done = talk(store, "a", "apply", answer)
    assert "Nothing was applied." in done.lines
    assert len(pending(store)) == 10


def test_the_end_of_the_input_applies_nothing(store: Path) -> None:
    assert "Nothing was applied." in talk(store, "a", "apply").lines
    assert len(pending(store)) == 10


def test_apply_tells_of_each_draft_and_take_back_makes_drafts_again(store: Path) -> None:
    done = talk(store, "a", "r", "apply", "yes", "list 1-3", "takeback")
    at = done.lines.index("Say yes to apply it; anything else does not.")
    assert done.lines[at + 1 : at + 6] == [
        "1. approved note-9",
        "2. rejected note-8",
        "What happened: 1 approved, 1 rejected, none failed.",
        "1. note-9 was approved",
        "2. note-8 was rejected",
    ]
    assert "1 taken back: drafts again, or the text of before." in done.lines
    assert pending(store) == {f"note-{n}" for n in range(10) if n != 8}
    assert talk(store, "takeback").lines[-1] == "nothing was approved in this sitting."


def test_one_that_fails_says_why_and_the_rest_goes_on(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui.linear import deciding

    def late(*arguments: object) -> object:
        rewrite(store, "note-9", "Changed at the very moment.")
        return carry_out(*arguments)  # type: ignore[arg-type]

    carry_out = deciding.carry_out
    monkeypatch.setattr(deciding, "carry_out", late)
    done = talk(store, "a", "a", "apply", "yes")
    assert any(line.startswith("1. failed note-9: ") for line in done.lines)
    assert done.lines[-1] == "Mark dropped: note-9 has changed (approve)."
    assert "What happened: 1 approved, 1 failed, marks kept." in done.lines


def test_a_filter_narrows_and_nothing_widens_again(store: Path) -> None:
    done = talk(store, "filter type:user", "filter", "/ type:nonsense")
    assert "3 drafts, filter type:user." in done.lines
    assert "10 drafts." in done.lines
    assert "type: is one of user, feedback, project, reference." in done.lines
    assert "Nothing matches." in talk(store, "filter nowhere").lines


def test_browse_lists_all_records_and_drafts_leads_back(store: Path) -> None:
    done = talk(store, "a", "apply", "yes", "browse status:canonical", "go 1", "reject", "drafts")
    assert "1 record, filter status:canonical." in done.lines
    assert "1. note-9, feedback, project, record, 1 hour ago: Note 9" in done.lines
    assert "reject: this is no draft" in done.lines
    assert "9 drafts." in done.lines


def test_search_lists_what_it_finds(store: Path) -> None:
    done = talk(store, "search Note 3", "go 1", "search")
    assert "1 result, for Note 3." in done.lines
    assert "Result 1 of 1: note-3." in done.lines
    assert done.lines[-1] == "search: say some words"


def test_a_long_list_is_said_in_parts(tmp_path: Path) -> None:
    store = tmp_path / "inbox.db"
    fill(store, (draft(n) for n in range(45)))
    done = talk(store, "list", "more", "more", "more")
    assert "25 after that: more says them." in done.lines
    assert "5 after that: more says them." in done.lines
    assert done.lines[-2:] == ["End of the list.", "That was the end of the list."]
    assert sum(": Note " in line for line in done.lines) == 45


def test_links_are_numbered_followed_and_walked_back(tmp_path: Path) -> None:
    store = tmp_path / "inbox.db"
    fill(store, [draft(0), draft(1, "See [[note-0]] and <https://example.org/x>.")])
    done = talk(store, "links", "follow 1", "approve", "follow 1", "back", "forward", "follow 2")
    assert "1. note-0" in done.lines
    assert "2. leads out of the store: https://example.org/x" in done.lines
    assert done.marks == {"note-0": "approve"}
    reads = [line for line in done.lines if line.endswith((": note-1.", "note-0, marked approve."))]
    assert len(reads) == 5
    assert "this is the last record of the way" in talk(store, "forward").lines[-1]
    assert "no link was followed to here" in talk(store, "back").lines[-1]
    outside = talk(store, "follow 2").lines[-1]
    assert outside.endswith("is not opened: https://example.org/x")
    assert talk(store, "follow x").lines[-1].startswith("follow: say the number of a link")


def test_history_and_the_trash(store: Path) -> None:
    done = talk(store, "a", "apply", "yes", "history", "history note-9", "older", "trash")
    assert "11. approve note-9: just now, by ann, draft" in done.lines
    assert done.lines[-2:] == ["That was the first line.", "The trash is empty."]

    def delete() -> None:
        desk = desk_at(store)
        desk.delete_record("note-9")
        desk.close()

    done = talk(store, "restore 1", delete, "trash", "trash 1", "restore 1", "trash", "trash 2")
    assert "1: this is not in the trash; trash says what is" in done.lines
    assert any(line.startswith("1. note-9, deleted just now by ") for line in done.lines)
    assert "  What note 9 says." in done.lines[-6:]
    assert done.lines[-3:-1] == ["note-9 is back.", "The trash is empty."]


def test_editing_is_a_step_like_any_other(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys; open(sys.argv[1], 'w').write('A better title\\n\\nA better text.\\n')"
    )
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(script)]))
    done = talk(store, "edit", "approve", terminal=True)
    assert "  A better title" in done.lines
    assert done.marks == {"note-9": "approve"}
    done = talk(store, "go note-8", "edit", "undo", terminal=True)
    assert "undone: edit note-8." in done.said
    assert "  What note 8 says." in done.said[done.said.index("undone:") :]


def test_an_editor_that_is_not_there_ends_nothing(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "no-such-editor")
    done = talk(store, "edit", "status", terminal=True)
    assert "no-such-editor: No such file or directory" in done.said
    assert "Marks: none." in done.lines


def test_quit_asks_while_marks_are_not_applied(store: Path) -> None:
    done = talk(store, "a", "quit", "quit", "status", "q", "leave", "status")
    assert "1 draft is marked and not yet decided in the store." in done.lines
    assert "The marks will be lost." in done.lines
    assert done.lines.count("Marks: 1 approve.") == 1
    assert talk(store, "s", "quit", "status").lines[-1] == "End of note-8. 0 links."


def test_on_a_terminal_each_line_is_asked_for_and_the_last_question_ends_its_line(
    store: Path,
) -> None:
    assert talk(store, "status", terminal=True).said.endswith("inbox> \n")
    assert talk(store, "status", terminal=True).said.count("inbox> ") == 2
    assert "inbox> " not in talk(store, "status").said


def test_marks_survive_the_end_of_the_input(store: Path, tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "marks.json", "test")
    first = talk(store, "a", "r", keeper=keeper)
    assert first.lines[-1] == "The marks are kept: they will be here again."
    second = talk(store, keeper=Keeper(tmp_path / "marks.json", "test"))
    assert second.marks == first.marks
    assert "2 marks from before." in second.lines[1]
    assert "Draft 3 of 10: note-7." in second.lines


def test_what_is_no_command_says_so_and_changes_nothing(store: Path) -> None:
    done = talk(store, "aprove", "xyzzy", "", "   ", "delete \x1b[2J")
    assert "There is no command aprove. Did you mean approve? help says all of them." in done.lines
    assert "There is no command xyzzy. help says all of them." in done.lines
    assert done.marks == {}


def test_a_draft_that_is_gone_keeps_its_number(store: Path) -> None:
    def reject() -> None:
        other = desk_at(store)
        other.reject_record("note-9")
        other.close()

    done = talk(store, reject, "list 1-2", "go 1", "approve", "refresh")
    assert "1. note-9 is gone" in done.lines
    assert "Draft 1 of 10: note-9 is gone." in done.lines
    assert "approve: no card was read out; next or go reads one" in done.lines
    assert "9 drafts." in done.lines


def test_an_empty_store_says_where_to_go(tmp_path: Path) -> None:
    done = talk(tmp_path / "inbox.db", "list", "approve", "show", "links", "next")
    assert "No drafts wait for you. browse lists all records, help all commands." in done.lines
    assert "No drafts wait for you." in done.lines


def test_help_has_every_command_and_the_words_of_the_app(store: Path) -> None:
    said = talk(store, "help").lines
    for command in COMMANDS:
        assert any(line.startswith(command.name) and command.help in line for line in said)
    assert BY_ID["undo"].help in talk(store, "help u").lines[-1]
    assert talk(store, "help nonsense").lines[-1].startswith("There is no command nonsense.")


def test_no_two_commands_share_a_name() -> None:
    names = [name for command in COMMANDS for name in (command.name, *command.short({}))]
    assert len(names) == len(set(names))
    assert all(find(command.name.upper()) is command for command in COMMANDS)


def test_numbers_mean_rows() -> None:
    assert places("3 5-7, 5", 9) == (2, 4, 5, 6)
    assert places("all", 3) == (0, 1, 2)
    for wrong in ("0", "10", "7-5", "x", "1-", "-1"):
        with pytest.raises(NoSuchRow):
            places(wrong, 9)


def test_what_a_provider_lacks_is_said_with_the_reason(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from store.local import LocalDesk

    lacks = {"history": "no journal there", "trash": "no trash there"}
    monkeypatch.setattr(LocalDesk, "missing", lacks)
    done = talk(store, "history", "trash")
    assert done.lines[-2:] == ["history: no journal there", "trash: no trash there"]
