"""The review card: what is shown, in which order, and that the text cannot pass for a fact."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from render.lens.finding import Finding, Severity
from render.links import Resolution, Standing
from render.plain import plain
from render.record import (
    CardFacts,
    CardImpact,
    CardLink,
    CardNear,
    CardText,
    card,
    notice,
    resolver,
)
from render.tree import Action, Collapsible, Diff, Group, Node, Text, TextStyle
from render.wikilink import find_links
from tests.render.strategies import ANY_TEXT

FACTS = CardFacts(
    id="deploy-done",
    title="Deploy pipeline migration complete",
    type="project",
    scope="project",
    status="pending",
    content="The old pipeline is gone. See [[deploy-runbook]], ask [[oncall-rota]].",
    tokens=88,
    age="2 h ago",
    recorded_by="memory.remember",
    session="01JB7Q",
    turn="01JB9F",
    summary="what changed in spring",
    links=(
        CardLink("deploy-runbook", Resolution(Standing.RESOLVED, "deploy-runbook", "Runbook")),
        CardLink("oncall-rota", Resolution(Standing.WANTED, "oncall-rota")),
    ),
    backlinks=(CardLink("deploy-done", Resolution(Standing.RESOLVED, "release-checklist")),),
    near=(CardNear("deploy-in-progress", "Deploy in progress", 84, "canonical"),),
    on_approve=CardImpact(resolves=("release-checklist",)),
)


def test_a_draft_shows_every_fact_before_its_text_and_its_ties_after_it() -> None:
    assert plain(card(FACTS), 90).split("\n") == [
        "Deploy pipeline migration complete",
        "`deploy-done` · pending · project · project scope · 88 tokens · 2 h ago",
        "memory.remember · session 01JB7Q · turn 01JB9F",
        "what changed in spring",
        "",
        "near  ▸Deploy in progress (deploy-in-progress)  84 % canonical",
        "",
        "approving resolves a link in ▸release-checklist",
        "",
        "────────────────────────",
        "",
        "The old pipeline is gone. See ▸Runbook (deploy-runbook), ask ▸oncall-rota (wanted).",
        "",
        "────────────────────────",
        "",
        "→ ▸deploy-runbook",
        "→ ▸oncall-rota (wanted)",
        "← ▸release-checklist",
    ]


def test_a_bare_record_has_no_empty_parts() -> None:
    bare = CardFacts("a", "A", "user", "global", "canonical", "text", 1)
    assert plain(card(bare)).split("\n") == [
        "A",
        "`a` · canonical · user · global scope · 1 token",
        "",
        "────────────────────────",
        "",
        "text",
    ]
    assert plain(card(replace(bare, content=" "))).endswith("The text is empty.")


def test_a_revision_shows_its_diff_and_folds_its_whole_text() -> None:
    revision = replace(FACTS, base=CardText("Old title", "old\nsame"), content="new\nsame")
    assert plain(card(revision)).split("\n")[0].endswith("complete was Old title")
    assert "revision · project" in plain(card(revision))
    children = card(revision).children
    assert any(isinstance(node, Diff) for node in children)
    (fold,) = (node for node in children if isinstance(node, Collapsible))
    assert fold.collapsed_by_default
    assert plain(Group(fold.children)) == "new\nsame"


def test_a_revision_whose_base_has_moved_says_so_and_what_changed() -> None:
    moved = replace(
        FACTS, base=CardText("T", "two"), base_was=CardText("T", "one"), content="three"
    )
    told = plain(card(moved))
    assert "has changed since this revision was written" in told
    assert told.index("-one\n  +two") < told.index("-two\n+three")


def test_a_revision_without_a_change_of_text_is_named() -> None:
    same = replace(FACTS, base=CardText("Old", FACTS.content))
    assert "the same as the canonical one" in plain(card(same))
    assert not any(isinstance(node, Diff) for node in card(same).children)


def test_warnings_come_first_and_the_worst_of_them_before_the_others() -> None:
    found = (
        Finding("hidden-characters", Severity.WARNING, "hidden characters", 3, 4, "a\u200bb"),
        Finding("instruction", Severity.DANGER, "gives orders", 0, 9, "ignore\nall", "title"),
    )
    lines = plain(card(replace(FACTS, warnings=found))).split("\n")
    assert lines[5:7] == [
        "! danger: gives orders in the title  `ignore␊all`",
        "! warning: hidden characters  `a‹U+200B›b`",
    ]


def test_many_warnings_of_one_kind_do_not_hide_another() -> None:
    many = [
        Finding("hiding", Severity.DANGER, "one kind", n, n + 1, f"place {n}") for n in range(20)
    ]
    other = Finding("secrets", Severity.DANGER, "another kind", excerpt="there")
    head, *_ = plain(card(replace(FACTS, warnings=(*many, other))), 90).partition("\n\nnear")
    assert head.split("\n\n")[1].split("\n") == [
        "! danger: one kind  `place 0`",
        "! danger: one kind  `place 1`",
        "  and 18 more like these",
        "! danger: another kind  `there`",
    ]


def test_long_names_do_not_push_the_warnings_off_the_screen() -> None:
    warning = Finding("hiding", Severity.WARNING, "a long\nreason")
    for name in ("title", "recorded_by", "session", "turn", "project", "summary", "id"):
        facts = replace(FACTS, warnings=(warning,), **{name: "long " * 120})
        assert plain(card(facts), 90).startswith("! warning: a long␊reason\n\n"), name
    assert plain(card(replace(FACTS, warnings=(warning,))), 90).startswith(FACTS.title)


@given(st.lists(ANY_TEXT, min_size=9, max_size=9))
def test_no_field_can_add_a_line_to_the_facts(texts: list[str]) -> None:
    title, id, by, session, turn, summary, near, other, target = texts
    facts = CardFacts(
        *(id, title, "user", "global", "pending", "", 0),
        recorded_by=by or "x",
        session=session,
        turn=turn,
        summary=summary or "x",
        near=(CardNear(other, near, 90),),
        backlinks=(CardLink(target, Resolution(Standing.AMBIGUOUS, target, "", (other, id))),),
    )
    assert str(plain(card(facts), 10_000)).count("\n") == 13


def test_actions_are_there_only_for_a_host_and_name_no_tool_of_a_model() -> None:
    def actions(facts: CardFacts) -> list[Node]:
        return [node for node in card(facts).children if isinstance(node, Action)]

    assert actions(FACTS) == []
    assert actions(replace(FACTS, decided_by="memory-inbox")) == [
        Action("approve", "Approve", "ApproveRecord", {"id": "deploy-done"}, "memory-inbox"),
        Action("reject", "Reject", "RejectRecord", {"id": "deploy-done"}, "memory-inbox"),
    ]


def test_a_link_is_looked_up_by_its_whole_text_first() -> None:
    whole = CardLink("B | C33", Resolution(Standing.RESOLVED, "b-c33"))
    part = CardLink("B", Resolution(Standing.BROKEN, "B"))
    (link,) = find_links("[[B | C33]]")
    assert resolver([part, whole])(link).id == "b-c33"
    assert resolver([part])(link).standing is Standing.BROKEN
    assert resolver([])(link) == Resolution(Standing.WANTED, "B")


def test_secrets_are_masked_in_every_text_until_asked_for() -> None:
    old, new = "password: Tr0ub4dor&3", "password: Tr0ub4dor&4"
    facts = replace(FACTS, title=new, summary=new, content=new, base=CardText(old, old))
    assert "Tr0ub" not in plain(card(facts))
    shown = plain(card(replace(facts, secrets_shown=True)))
    assert old in shown
    assert new in shown


def test_a_change_of_a_secret_alone_is_still_a_change() -> None:
    facts = replace(
        FACTS, content="password: Tr0ub4dor&3", base=CardText("T", "password: Tr0ub4dor&4")
    )
    assert "differ in secrets alone" in plain(card(facts))


def test_each_kind_of_impact_is_said() -> None:
    impact = CardImpact(breaks=("a", "b"), makes_ambiguous=("c",))
    told = plain(card(replace(FACTS, on_approve=CardImpact(), on_reject=impact)))
    assert "rejecting breaks 2 links in ▸a ▸b" in told
    assert "rejecting makes ambiguous a link in ▸c" in told


def test_a_notice_is_one_warning() -> None:
    assert notice("unknown event") == Group((Text("unknown event", TextStyle.WARNING),))


def test_a_card_says_for_whom_a_record_is_before_its_text() -> None:
    said = plain(card(replace(FACTS, audience="agent main, its owner alone")))
    assert said.index("for agent main, its owner alone") < said.index("The old pipeline")
