"""Two operators never decide the same draft twice, and one alone notices nothing of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from store.clock import from_micros
from store.errors import Claimed, Conflict
from store.local import LocalDesk, open_desk
from store.records import CLAIM_SECONDS, Claim, Decision
from tests.store.making import canonical, draft, waiting

NOW = 1_700_000_000_000_000
LATER = NOW + CLAIM_SECONDS * 1_000_000


@pytest.fixture
def ann(where: str) -> Iterator[LocalDesk]:
    desk = open_desk(where, reviewer="ann")
    desk.clock = lambda: NOW
    yield desk
    desk.close()


@pytest.fixture
def bob(ann: LocalDesk, where: str) -> Iterator[LocalDesk]:
    desk = open_desk(where, reviewer="bob")
    desk.clock = lambda: NOW
    yield desk
    desk.close()


def test_what_somebody_has_claimed_is_refused_to_others_with_his_name(
    ann: LocalDesk, bob: LocalDesk
) -> None:
    id = draft(ann, "Ship on Fridays")
    assert ann.claim([id]) == ()
    until = from_micros(LATER)
    assert bob.claim([id]) == (Claim(id, "ann", until),)
    assert bob.claims() == (Claim(id, "ann", until),)
    for decide in (bob.approve_record, bob.reject_record):
        with pytest.raises(Claimed, match="claimed by ann until"):
            decide(id, waiting(bob, id))
    ann.approve_record(id, waiting(ann, id))
    assert bob.claims() == ()


def test_claims_of_the_same_reviewer_are_his_own_on_every_desk(ann: LocalDesk, where: str) -> None:
    id = draft(ann, "Ship on Fridays")
    ann.claim([id])
    other = open_desk(where, reviewer="ann")
    assert other.claim([id]) == ()
    assert (ann.claims(), other.claims()) == ((), ())
    assert other.reject_record(id, waiting(other, id))
    other.close()


def test_an_expired_claim_is_taken_over_only_when_that_is_said(
    ann: LocalDesk, bob: LocalDesk
) -> None:
    id = draft(ann, "Ship on Fridays")
    ann.claim([id])
    assert bob.claim([id], take_over=True) != ()  # not while it holds
    bob.clock = lambda: LATER
    assert [claim.by for claim in bob.claim([id])] == ["ann"]
    assert bob.claim([id], take_over=True) == ()
    assert [claim.by for claim in ann.claim([id])] == ["bob"]
    with pytest.raises(Claimed):
        ann.approve_record(id)


def test_whoever_renews_in_time_or_late_keeps_what_nobody_took(
    ann: LocalDesk, bob: LocalDesk
) -> None:
    id = draft(ann, "Ship on Fridays")
    ann.claim([id])
    ann.clock = lambda: LATER + 1
    assert ann.claim([id]) == ()
    bob.clock = ann.clock
    assert bob.claim([id], take_over=True) != ()


def test_released_drafts_are_free_and_only_by_whoever_had_them(
    ann: LocalDesk, bob: LocalDesk
) -> None:
    id = draft(ann, "Ship on Fridays")
    ann.claim([id])
    bob.release([id])
    assert bob.claim([id]) != ()
    ann.release([id, "nothing-like-it"])
    assert bob.claim([id]) == ()


def test_a_claim_goes_with_its_draft_and_does_not_come_back_with_it(
    ann: LocalDesk, bob: LocalDesk
) -> None:
    id, kept = draft(ann, "Ship on Fridays"), canonical(ann, "Never on Mondays")
    ann.update_record(kept, "Never, ever.")
    ann.claim([id, kept])
    ann.approve_record(id)
    ann.unapprove(id)
    ann.update_record(kept, "Well, once.")
    assert bob.claims() == ()
    ann.claim([id])
    ann.delete_record(id)
    assert bob.claims() == ()


def test_an_edit_of_a_draft_leaves_the_claim_on_it(ann: LocalDesk, bob: LocalDesk) -> None:
    id = draft(ann, "Ship on Fridays")
    ann.claim([id])
    ann.edit(id, waiting(ann, id), content="Another text.")
    assert [claim.id for claim in bob.claims()] == [id]


def test_a_host_decides_without_asking_for_claims(ann: LocalDesk, where: str) -> None:
    from store.host import LocalProvider

    id = draft(ann, "Ship on Fridays")
    ann.claim([id])
    host = LocalProvider(where)
    host.approve_record(id)
    host.close()
    assert ann.history(id)[0].decision is Decision.APPROVE


def test_claiming_writes_no_line_of_the_journal(ann: LocalDesk) -> None:
    id = draft(ann, "Ship on Fridays")
    before = ann.history()
    ann.claim([id])
    ann.release([id])
    assert ann.history() == before


def test_more_drafts_than_a_statement_takes_are_claimed_all(ann: LocalDesk, bob: LocalDesk) -> None:
    ids = [draft(ann, f"Note {number}") for number in range(501)]
    assert ann.claim(ids) == ()
    assert {claim.id for claim in bob.claims()} == set(ids)
    ann.release(ids)
    assert bob.claims() == ()


def test_operators_in_many_processes_decide_each_draft_once_and_whoever_claimed_it(
    ann: LocalDesk, where: str
) -> None:
    ids = {draft(ann, f"Note {number}") for number in range(60)}
    names = ["bob", "cyd", "dee", "eve"]
    operators = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.store.deciding", where, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for operator in operators:
        assert operator.stdout is not None
        assert operator.stdout.readline() == "ready\n"
    for operator in operators:
        assert operator.stdin is not None
        operator.stdin.write("go\n")
        operator.stdin.flush()
    decided: dict[str, str] = {}
    for name, operator in zip(names, operators, strict=True):
        *lines, end = operator.communicate()[0].splitlines()
        assert operator.returncode == 0
        assert end.startswith("end ")
        for id in lines:
            assert id not in decided
            decided[id] = name
    assert set(decided) == ids
    approvals = [line for line in ann.history(limit=500) if line.decision is Decision.APPROVE]
    assert {line.id: line.by for line in approvals} == decided
    assert len(approvals) == len(ids)
    with pytest.raises(Conflict):
        ann.approve_record(next(iter(ids)), "0" * 16)
