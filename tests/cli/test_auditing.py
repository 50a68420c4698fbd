"""`doctor`: what it says of a sound store and of one that is not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from store.local import LocalDesk
from tests.cli.conftest import Cli, Write


def damage_a_link(store: Path) -> None:
    """Say of every link that it is broken, behind the store's back."""
    with closing(sqlite3.connect(store)) as conn, conn:
        conn.execute("UPDATE link SET state = 'broken', target_id = NULL")


def test_a_sound_store_has_no_findings(cli: Cli, write: Write) -> None:
    write("Note", "See [[other]].")
    ran = cli("doctor")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "The store is sound.\n"


def test_what_is_wrong_is_named_and_mended_on_demand(
    cli: Cli, write: Write, desk: LocalDesk, store_path: Path
) -> None:
    write("Runbook")
    write("Deploy", "See [[runbook]].")
    damage_a_link(store_path)
    ran = cli("doctor", "--json")
    assert ran.code == 1
    [finding] = ran.objects
    assert (finding["check"], finding["level"], finding["mendable"]) == ("links", "error", True)
    assert "deploy" in finding["what"]
    assert cli("doctor", "--mend").code == 0
    assert [link.resolved_id for link in desk.links()] == ["runbook"]


def test_the_journal_alone_is_followed_to_its_last_hash_or_its_first_wrong_line(
    cli: Cli, write: Write, store_path: Path
) -> None:
    for title in ("One", "Two", "Three"):
        write(title)
    with closing(sqlite3.connect(store_path)) as conn:
        (head,) = conn.execute("SELECT hash FROM journal WHERE seq = 3").fetchone()
        damage_a_link(store_path)  # which is not the journal's business
        ran = cli("doctor", "--journal")
        told = f"The journal is whole: 3 lines, the last with the hash {head}\n"
        assert (ran.code, ran.out) == (0, told)
        conn.executescript(
            "DROP TRIGGER journal_no_update; UPDATE journal SET by = 'x' WHERE seq = 2"
        )
    ran = cli("doctor", "--journal")
    assert ran.code == 1
    assert "damaged at line 2: it is not what was hashed" in ran.out
    [found] = cli("doctor", "--journal", "--json").objects
    assert (found["lines"], found["broken"]) == (1, 2)


def test_a_new_store_is_made_beside_a_damaged_one(
    cli: Cli, write: Write, desk: LocalDesk, store_path: Path
) -> None:
    for n in range(50):
        write(f"Note {n}", f"words of {n} " * 40)
    desk.close()
    with closing(sqlite3.connect(store_path)) as conn:
        query = "SELECT max(pageno) FROM dbstat WHERE name = 'search_index_data'"
        (page,) = conn.execute(query).fetchone()
    with store_path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)
    found = cli("doctor")
    assert found.code == 1
    assert "doctor --restore FILE" in " ".join(found.out.split())
    damaged = store_path.read_bytes()
    ran = cli("doctor", "--restore", str(store_path))
    assert (ran.code, store_path.read_bytes()) == (0, damaged)
    assert "was made: 50 records and drafts, 0 in the trash, 50 lines of the journal" in ran.out
    made = ran.out.split(" was made")[0]
    assert cli("--store", made, "doctor").err == "The store is sound.\n"
    assert made in ran.err
    assert cli("doctor", "--restore", str(store_path.with_name("absent"))).code == 1


def test_there_must_be_a_store_to_look_at(cli: Cli, store_path: Path) -> None:
    ran = cli("doctor")
    assert ran.code == 1
    assert ran.err.startswith("Not found: ")
    assert not store_path.exists()


def test_another_providers_store_is_its_own(cli: Cli) -> None:
    ran = cli("--provider", "unix:/nowhere", "doctor")
    assert ran.code == 1
    assert "--provider" in ran.err


def test_a_report_can_be_pasted_in_public(
    cli: Cli, write: Write, store_path: Path, tmp_path: Path
) -> None:
    """It names what is wrong by its kind, and neither a memory, an id, a title nor a path."""
    write("Runbook secretid", "The secret text.")
    write("Deploy secretid", "See [[runbook-secretid]].")
    damage_a_link(store_path)
    ran = cli("doctor", "--report")
    assert ran.code == 0
    assert "findings: links error (1)" in ran.lines
    assert "entries: 2 canonical, 0 pending (0 revisions), 0 in the trash" in ran.lines
    assert "secret" not in ran.out
    assert str(tmp_path) not in ran.out
    [facts] = cli("doctor", "--report", "--json").objects
    assert facts["place"] == "a file that was named"


def test_a_report_of_a_store_that_cannot_be_read_is_still_one(cli: Cli, store_path: Path) -> None:
    store_path.parent.mkdir(mode=0o700)
    store_path.write_bytes(b"no database at all" * 100)
    ran = cli("doctor", "--report")
    assert ran.code == 0
    assert [line for line in ran.lines if line.startswith("entries: unreadable")]
