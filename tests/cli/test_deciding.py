"""`approve` and `reject`: the decision, its checks, and what is said about it."""

from __future__ import annotations

import pytest

from store.local import LocalDesk
from store.records import RecordStatus
from tests.cli.conftest import Cli, Write

pytestmark = pytest.mark.everywhere


def test_approving_makes_a_draft_canonical_and_says_so(
    cli: Cli, write: Write, desk: LocalDesk
) -> None:
    write("Note", draft=True)
    ran = cli("approve", "note")
    assert ran.code == 0
    assert ran.out.startswith("✓ approved note")
    assert desk.get_record("note").status is RecordStatus.CANONICAL


def test_rejecting_destroys_a_draft_and_says_so(cli: Cli, write: Write, desk: LocalDesk) -> None:
    write("Note", draft=True)
    ran = cli("reject", "note")
    assert "text destroyed" in ran.out
    assert desk.count().total == 0


def test_rejecting_a_revision_leaves_the_record(cli: Cli, write: Write, desk: LocalDesk) -> None:
    write("Note", "old")
    desk.update_record("note", "new")
    assert "the canonical text stays" in cli("reject", "note").out
    assert desk.get_record("note").content == "old"


def test_a_decision_tells_what_it_does_to_links(cli: Cli, write: Write) -> None:
    write("Deploy", "See [[runbook]].")
    write("Runbook", draft=True)
    [said] = cli("approve", "runbook", "--json").objects
    assert said["decision"] == "approve"
    assert said["resolves"] == ["deploy"]


def test_one_bad_id_does_not_hold_back_the_others(cli: Cli, write: Write, desk: LocalDesk) -> None:
    write("One", draft=True)
    write("Two", draft=True)
    ran = cli("approve", "one", "nobody", "two")
    assert ran.code == 1
    assert len(ran.lines) == 2
    assert "nobody" in ran.err
    assert desk.count().canonical == 2


def test_a_stale_revision_is_a_conflict(cli: Cli, write: Write, desk: LocalDesk) -> None:
    write("Note", "first", draft=True)
    seen = desk.review("note").record.revision
    desk.update_record("note", "second")
    ran = cli("approve", "note", "--revision", seen)
    assert ran.code == 1
    assert ran.err.startswith("Changed since you looked: ")
    assert desk.get_record("note").status is RecordStatus.PENDING


def test_one_revision_cannot_be_that_of_two_drafts(cli: Cli) -> None:
    assert cli("approve", "a", "b", "--revision", "0" * 16).code == 2


def test_a_canonical_record_cannot_be_decided_again(cli: Cli, write: Write) -> None:
    write("Note")
    assert cli("reject", "note").code == 1
    assert cli("show", "note").code == 0


def test_a_draft_that_somebody_else_has_claimed_is_refused_with_the_name(
    cli: Cli, write: Write, desk: LocalDesk
) -> None:
    id = write("Note", draft=True)
    desk.reviewer = "ann"
    desk.claim([id])
    refused = cli("--reviewer", "bob", "approve", id)
    assert refused.code == 1
    assert "claimed by ann until" in refused.err
    assert cli("--reviewer", "ann", "approve", id).code == 0
    assert desk.history(limit=1)[0].by == "ann"
