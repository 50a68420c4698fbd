"""`list`, `show`, `search`, `count`: what they print, in each form."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.local import LocalDesk
from tests.cli.conftest import Cli, Write

pytestmark = pytest.mark.everywhere


def test_list_is_newest_first_and_tab_separated_in_a_pipe(cli: Cli, write: Write) -> None:
    write("First note", type="user")
    write("Second note", draft=True)
    ran = cli("list")
    assert ran.code == 0
    rows = [line.split("\t") for line in ran.lines]
    assert [row[0] for row in rows] == ["second-note", "first-note"]
    assert [row[1] for row in rows] == ["pending", "canonical"]
    assert [row[-1] for row in rows] == ["Second note", "First note"]


def test_list_json_has_the_fields_of_the_contract(cli: Cli, write: Write) -> None:
    write("Note", "Line one.\nLine two.", type="feedback", scope="global")
    [record] = cli("list", "--json").objects
    assert record["id"] == "note"
    assert (record["type"], record["scope"], record["status"]) == (
        "feedback",
        "global",
        "canonical",
    )
    assert record["content"] == "Line one.\nLine two."
    assert record["tokens"] == 5
    assert record["links"] == []
    assert record["created_at"].endswith("Z")
    assert record["provenance"]["recorded_by"] == "memory.remember"
    assert "relevance_score" not in record


def test_list_filters_by_status_type_and_scope(cli: Cli, write: Write) -> None:
    write("A", type="user")
    write("B", type="feedback", draft=True)
    write("C", type="project", draft=True)
    assert [r["id"] for r in cli("list", "--status", "pending", "--json").objects] == ["c", "b"]
    both = cli("list", "--type", "user", "--type", "feedback", "--json").objects
    assert {r["id"] for r in both} == {"a", "b"}
    assert cli("list", "--scope", "session").out == ""


def test_list_says_how_much_it_left_out(cli: Cli, write: Write) -> None:
    for number in range(4):
        write(f"Note {number}")
    ran = cli("list", "--limit", "3")
    assert len(ran.lines) == 3
    assert "1 more" in ran.err
    assert len(cli("list", "--all").lines) == 4


def test_an_empty_store_is_said_on_stderr_only(cli: Cli, desk: LocalDesk) -> None:
    ran = cli("list")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.strip()


def test_show_prints_the_card_with_its_links(cli: Cli, write: Write) -> None:
    write("Runbook")
    write("Deploy", "See [[runbook]] and [[oncall]].")
    ran = cli("show", "deploy")
    assert ran.code == 0
    assert "Deploy" in ran.out
    assert "oncall (wanted)" in ran.out


def test_show_json_is_the_record_with_its_review_beside(cli: Cli, write: Write) -> None:
    write("Deploy", "See [[oncall]].", draft=True)
    [record] = cli("show", "deploy", "--json").objects
    assert record["content"] == "See [[oncall]]."
    assert record["review"]["links"][0]["link_class"] == "wanted"
    assert "record" not in record["review"]


def test_show_prefers_the_revision_unless_told_otherwise(
    cli: Cli, write: Write, desk: LocalDesk
) -> None:
    write("Note", "old text")
    desk.update_record("note", "new text")
    assert cli("show", "note", "--json").objects[0]["content"] == "new text"
    [canonical] = cli("show", "note", "--status", "canonical", "--json").objects
    assert canonical["content"] == "old text"


def test_an_unknown_id_is_an_error_with_a_title(cli: Cli, desk: LocalDesk) -> None:
    ran = cli("show", "nobody")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Not found: ")
    assert "nobody" in ran.err


def test_search_takes_its_words_literally(cli: Cli, write: Write) -> None:
    write("Quoting", 'how to write "NOT" in a query')
    write("Other", "nothing of that kind")
    assert [r["id"] for r in cli("search", 'write "NOT"', "--json").objects] == ["quoting"]
    ran = cli("search", "zebra")
    assert (ran.code, ran.out) == (0, "")
    assert "Nothing matches" in ran.err


def test_count_with_a_status_is_a_bare_number(cli: Cli, write: Write) -> None:
    write("A", draft=True)
    write("B")
    assert cli("count", "--status", "pending").out == "1\n"
    [counts] = cli("count", "--json").objects
    assert (counts["pending"], counts["canonical"], counts["total"]) == (1, 1, 2)


def test_a_named_store_must_be_there_and_is_not_made_by_looking(cli: Cli, store_path: Path) -> None:
    ran = cli("list")
    assert ran.code == 1
    assert str(store_path) in ran.err
    assert not store_path.exists()


def test_the_usual_store_may_be_missing(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prompt that shows the number of drafts must not fail before the first one."""
    monkeypatch.delenv("MEMORY_INBOX_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert cli("count", "--status", "pending").out == "0\n"
