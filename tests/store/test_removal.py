"""What agents propose to forget: it waits like a draft, and only an approval moves anything to the trash."""

from __future__ import annotations

import pytest

from render.plain import plain
from render.record import card
from store.agents.provider import AgentProvider
from store.cards import facts_of
from store.errors import Conflict, InvalidArgument, NotFound
from store.local import LocalDesk
from store.records import Decision, Origin, RecallRequest, RecordStatus
from tests.store.making import canonical, draft, new

AGENT = Origin("mcp:a client/1")


@pytest.fixture
def agents(desk: LocalDesk) -> AgentProvider:
    return AgentProvider(desk.database.location)


def proposed(desk: LocalDesk, agents: AgentProvider, reason: str = "It moved.") -> str:
    id = canonical(desk, "Where the wiki is", "At wiki.example.")
    assert agents.propose_removal(id, reason, AGENT).status is RecordStatus.PENDING
    return id


def test_a_proposal_waits_beside_its_record(desk: LocalDesk, agents: AgentProvider) -> None:
    id = proposed(desk, agents)
    assert desk.get_record(id).content == "At wiki.example."
    [waiting] = desk.list_records(status=RecordStatus.PENDING).records
    assert (waiting.id, waiting.removes, waiting.is_revision) == (id, True, True)
    assert waiting.provenance.recorded_by == "mcp:a client/1"
    assert waiting.content.endswith("\n\nIt moved.")
    [entry, _] = desk.history(id)
    assert (entry.decision, entry.detail, entry.by) == (
        Decision.UPDATE,
        "removal",
        AGENT.recorded_by,
    )
    everything = RecallRequest(token_budget=1000, include_pending=True)
    assert [record.content for record in desk.recall(everything)] == ["At wiki.example."]


def test_approving_moves_the_record_to_the_trash_and_taking_that_back_restores_it(
    desk: LocalDesk, agents: AgentProvider
) -> None:
    id = proposed(desk, agents)
    desk.approve_record(id, desk.review(id).record.revision)
    with pytest.raises(NotFound):
        desk.get_record(id)
    assert [item.record.content for item in desk.trash()] == ["At wiki.example."]
    assert desk.count().pending == 0
    desk.unapprove(id)
    assert desk.get_record(id).content == "At wiki.example."
    assert desk.count().pending == 0
    desk.delete_record(id)
    with pytest.raises(NotFound):
        desk.unapprove(id)


def test_what_would_be_forgotten_is_foreseen_as_gone(
    desk: LocalDesk, agents: AgentProvider
) -> None:
    id = proposed(desk, agents)
    foreseen = desk.preview_decided(RecallRequest(token_budget=1000), [id])
    assert (foreseen.given, foreseen.dropped) == ((), ())


def test_rejecting_leaves_the_record_as_it_was(desk: LocalDesk, agents: AgentProvider) -> None:
    id = proposed(desk, agents)
    before = desk.get_record(id)
    desk.reject_record(id, desk.review(id).record.revision)
    assert desk.get_record(id) == before
    assert desk.count().pending == 0
    assert not desk.trash()


def test_proposing_again_changes_nothing(desk: LocalDesk, agents: AgentProvider) -> None:
    id = proposed(desk, agents)
    seen = desk.review(id).record
    agents.propose_removal(id, "Another reason", Origin("mcp:other/1"))
    assert desk.review(id).record == seen


def test_a_newer_text_takes_the_place_of_a_proposal_but_no_proposal_that_of_a_text(
    desk: LocalDesk, agents: AgentProvider
) -> None:
    id = proposed(desk, agents)
    seen = desk.review(id).record.revision
    agents.update_record(id, "At new.example.", origin=AGENT)
    waiting = desk.review(id).record
    assert (waiting.removes, waiting.content) == (False, "At new.example.")
    with pytest.raises(InvalidArgument, match="a new text of"):
        agents.propose_removal(id, "", AGENT)
    with pytest.raises(Conflict):
        desk.approve_record(id, seen)


def test_what_a_proposal_does_is_part_of_what_was_seen(
    desk: LocalDesk, agents: AgentProvider
) -> None:
    """The same words as a new text are another revision: nobody approves a deletion by a text's mark."""
    id = proposed(desk, agents)
    seen = desk.review(id).record
    agents.update_record(id, seen.content, seen.title, AGENT)
    assert desk.review(id).record.content == seen.content
    assert desk.review(id).record.revision != seen.revision


def test_an_edit_of_the_record_meanwhile_is_a_conflict(
    desk: LocalDesk, agents: AgentProvider
) -> None:
    id = proposed(desk, agents)
    seen = desk.review(id).record.revision
    with pytest.raises(InvalidArgument, match="no text to edit"):
        desk.edit(id, seen, content="other")
    agents.delete_record(id)
    with pytest.raises(NotFound):
        desk.review(id)


def test_a_draft_cannot_be_proposed_to_be_forgotten(desk: LocalDesk, agents: AgentProvider) -> None:
    id = draft(desk, "A draft")
    with pytest.raises(InvalidArgument, match="is a draft that nobody approved"):
        agents.propose_removal(id, "", AGENT)
    with pytest.raises(NotFound):
        agents.propose_removal("nothing", "", AGENT)
    with pytest.raises(InvalidArgument, match="at most"):
        agents.propose_removal(id, "x" * 4_001, AGENT)


def test_the_card_says_what_approving_does_and_breaks(
    desk: LocalDesk, agents: AgentProvider
) -> None:
    id = proposed(desk, agents, reason="It [[moved]].")
    desk.write(new("Refers", f"See [[{id}]]."), Origin("operator"))
    review = desk.review(id)
    assert review.on_approve.breaks == ("refers",)
    assert review.on_reject.breaks == ()
    shown = plain(card(facts_of(review)))
    assert "proposes to forget" in shown
    assert "Approving moves the whole record to the trash:" in shown
    assert "-At wiki.example." in shown.replace("- At", "-At")
    assert "It " in shown
    assert "approving breaks a link in" in shown
