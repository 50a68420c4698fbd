"""`record`, `delete`, `restore`: the operator's own writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.local import LocalDesk
from store.reviewer import this_user
from tests.cli.conftest import Cli, Write

pytestmark = pytest.mark.everywhere

NOTE = ("record", "--type", "user", "--scope", "global", "--title", "My note")


def test_record_takes_the_text_from_stdin(cli: Cli, desk: LocalDesk) -> None:
    ran = cli(*NOTE, "-", input="Two lines,\nas typed.\n")
    assert ran.out == "my-note (canonical)\n"
    record = desk.get_record("my-note")
    assert record.content == "Two lines,\nas typed."
    assert record.provenance.recorded_by == f"cli:{this_user()}"


def test_record_takes_the_text_from_a_file(cli: Cli, desk: LocalDesk, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("from a file\n")
    assert cli(*NOTE, str(tmp_path / "note.md")).code == 0
    assert desk.get_record("my-note").content == "from a file"


def test_a_text_over_the_limit_that_is_set_is_refused(
    cli: Cli, desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_INBOX_TEXT_LIMIT_KB", "1")
    ran = cli(*NOTE, input="x" * 1025)
    assert (ran.code, ran.out) == (1, "")
    assert "1,025 bytes long, a memory holds at most 1,024" in " ".join(ran.err.split())
    assert desk.count().total == 0
    assert cli(*NOTE, input="x" * 1024).code == 0


def test_record_can_be_a_draft_and_can_suggest_an_id(cli: Cli) -> None:
    ran = cli(*NOTE, "--pending", "--id", "other", "--json", input="text")
    assert ran.objects == [{"id": "other", "status": "pending"}]


def test_a_project_record_belongs_to_the_current_directory(
    cli: Cli, desk: LocalDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cli("record", "--type", "project", "--scope", "project", "--title", "T", input="text")
    assert desk.get_record("t").project_root == str(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "input"),
    [
        (("record", "--type", "opinion", "--scope", "global", "--title", "T"), "text"),
        (("record", "--type", "user", "--scope", "session", "--title", "T"), "text"),
        (NOTE, b"\xff\xfe bytes"),
        (("record", "--type", "user"), "text"),
    ],
)
def test_what_cannot_be_understood_is_exit_2_and_writes_nothing(
    cli: Cli, desk: LocalDesk, arguments: tuple[str, ...], input: str
) -> None:
    ran = cli(*arguments, input=input)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: ")
    assert desk.count().total == 0


def test_a_missing_file_is_a_failure_that_names_it(cli: Cli) -> None:
    ran = cli(*NOTE, "/nowhere/note.md")
    assert ran.code == 1
    assert "/nowhere/note.md" in ran.err


def test_delete_and_restore_are_a_round_trip(cli: Cli, write: Write, desk: LocalDesk) -> None:
    write("Note", "kept")
    assert "restore note" in cli("delete", "note").out
    assert desk.count().trashed == 1
    [item] = cli("restore", "--json").objects
    assert item["record"]["content"] == "kept"
    assert cli("restore", "note").out == "note is back\n"
    assert desk.get_record("note").content == "kept"


def test_deleting_a_draft_says_that_it_is_gone(cli: Cli, write: Write, desk: LocalDesk) -> None:
    write("Note", draft=True)
    assert "withdrawn for good" in cli("delete", "note").out
    assert desk.count().trashed == 0
    assert cli("restore").err == "The trash is empty.\n"


def test_a_restored_id_that_is_taken_gets_the_next_suffix(cli: Cli, write: Write) -> None:
    write("Note", "one")
    cli("delete", "note")
    write("Note", "two")
    assert cli("restore", "note").out == "note-2 is back (the id note is taken now)\n"


def test_a_text_that_no_store_can_keep_is_refused_with_the_remedy(
    cli: Cli, desk: LocalDesk
) -> None:
    ran = cli(*NOTE, input="nul\0byte")
    assert ran.code == 1
    assert "NUL" in ran.err
    assert "␀" in ran.err
    assert desk.count().total == 0


def test_purging_leaves_no_word_of_it_in_any_file(
    cli: Cli, write: Write, desk: LocalDesk, store_path: Path
) -> None:
    """Of title, text and search index, which keeps words by themselves; the journal keeps the id."""
    write("Kept", "an ordinary marmalade")
    id = write("Zirconium quagmire", "the xylophone [[wolfram-link]] beside a gnu", id="gone")
    cli("delete", id)
    desk.close()
    ran = cli("purge", "--yes")
    assert (ran.code, ran.out) == (0, "1 destroyed for good\n")
    files = [each for each in store_path.parent.rglob("*") if each.is_file()]
    left = b"".join(each.read_bytes() for each in files).lower()
    assert b"marmalad" in left
    # Stems, as the index keeps them.
    for word in (b"quagmir", b"xylophon", b"wolfram-link", b"beside"):
        assert word not in left, word
    assert cli("restore").out == ""


def test_purging_names_the_copies_that_still_hold_a_text(
    cli: Cli, write: Write, desk: LocalDesk, store_path: Path
) -> None:
    cli("delete", write("Gone", "a text to be gone"))
    desk.close()
    copies = [
        store_path.with_name(f"inbox.db.{made}-20260101T000000.000000Z")
        for made in ("backup-0004", "restored")
    ]
    for copy in copies:
        copy.write_bytes(store_path.read_bytes())
        copy.chmod(0o600)
    empty = store_path.with_name("inbox.db.backup-0001-20260101T000000.000000Z")
    empty.write_bytes(b"")
    empty.chmod(0o600)
    ran = cli("purge", "--yes", "--json")
    assert ran.objects == [{"destroyed": 1, "copies": [str(copy) for copy in copies]}]
    assert all(f"{copy} still holds 1 of them." in ran.err for copy in copies)
    found = [each for each in cli("doctor", "--json").objects if each["check"] == "copies"]
    assert [(each["level"], each["how"]) for each in found] == [
        ("note", f"rm {copy}") for copy in copies
    ]
    for copy in copies:
        copy.unlink()
    assert cli("doctor").err == "The store is sound.\n"
    assert {each.name for each in store_path.parent.iterdir()} == {store_path.name, empty.name}


def test_purging_says_what_a_server_keeps(cli: Cli, write: Write, where: str) -> None:
    cli("delete", write("Gone"))
    told = cli("purge", "--yes").err
    assert ("until it vacuums" in told) == where.startswith("postgresql")


def test_purging_says_that_a_log_is_left_to_whom_reads_it(
    cli: Cli, write: Write, desk: LocalDesk, store_path: Path
) -> None:
    cli("delete", write("Gone", "the xylophone"))
    with desk.database.reading() as conn:
        conn.exec_driver_sql("SELECT count(*) FROM record").scalar()
        ran = cli("purge", "--yes")
        assert ran.out == "1 destroyed for good\n"
        assert "Another program is reading the store" in ran.err
    desk.close()
    left = b"".join(each.read_bytes() for each in store_path.parent.iterdir())
    assert b"xylophone" not in left


def test_purging_asks_and_spares_what_was_deleted_lately(cli: Cli, write: Write) -> None:
    cli("delete", write("Gone"))
    assert cli("purge").code == 2  # nobody is there to agree
    assert cli("purge", "--older", "3").out == "nothing in the trash is that old\n"
    assert "gone" in cli("restore").out
