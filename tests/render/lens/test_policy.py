"""What an operator has set about warnings: weighed, silenced, trusted; each change says so."""

from __future__ import annotations

import pytest

from render.lens.echoes import ECHO
from render.lens.finding import Finding, Severity
from render.lens.lens import DEFAULT
from render.lens.policy import AS_IT_COMES, RULES, TRUST, Policy, Trust
from render.lens.provenance import CONTRADICTION
from tests.render.lens.corpus import hostile

NOTE, WARNING, DANGER = Severity.NOTE, Severity.WARNING, Severity.DANGER
FOUND = (
    Finding("hiding", WARNING, "a"),
    Finding("secrets", DANGER, "b"),
    Finding("hiding", NOTE, "c"),
)


def severities(policy: Policy, recorded_by: str = "memory.remember") -> list[tuple[str, Severity]]:
    return [(found.rule, found.severity) for found in policy.judge(FOUND, recorded_by)]


def test_nothing_set_changes_nothing_but_the_order() -> None:
    assert AS_IT_COMES.judge(FOUND, "x") == (FOUND[1], FOUND[0], FOUND[2])


def test_a_rule_weighs_what_was_set_and_its_findings_say_so() -> None:
    policy = Policy({"hiding": "danger"})
    assert severities(policy) == [("hiding", DANGER), ("secrets", DANGER), ("hiding", DANGER)]
    assert policy.judge(FOUND, "")[0].reason == "a (a danger by your settings)"


def test_a_rule_that_is_off_says_nothing() -> None:
    assert severities(Policy({"hiding": "off"})) == [("secrets", DANGER)]


def test_of_a_trusted_source_warnings_are_notes_and_dangers_stay() -> None:
    policy = Policy(trust={"memory.*": Trust.TRUSTED})
    assert severities(policy) == [("secrets", DANGER), ("hiding", NOTE), ("hiding", NOTE)]
    assert severities(policy, "import:claude") == severities(AS_IT_COMES)


def test_all_from_a_distrusted_source_is_flagged() -> None:
    policy = Policy(trust={"import:*": Trust.DISTRUSTED})
    (found,) = policy.judge((), "import:claude")
    assert (found.rule, found.severity, DEFAULT.is_flagged([found])) == (TRUST, WARNING, True)


def test_the_first_pattern_that_fits_counts() -> None:
    policy = Policy(trust={"import:mine": Trust.TRUSTED, "import:*": Trust.DISTRUSTED})
    assert policy.trust_in("import:mine") is Trust.TRUSTED
    assert policy.trust_in("import:other") is Trust.DISTRUSTED
    assert policy.trust_in("IMPORT:other") is None


def test_a_kind_of_session_is_a_source_of_its_own() -> None:
    policy = Policy(trust={"conversation:apus:*": Trust.DISTRUSTED, "apus:*": Trust.TRUSTED})
    assert policy.trust_in("apus:main", "conversation") is Trust.DISTRUSTED
    assert policy.trust_in("apus:main", "owner") is Trust.TRUSTED
    assert policy.trust_in("apus:main") is Trust.TRUSTED
    assert policy.trust_in("conversation:apus:main") is Trust.DISTRUSTED


@pytest.mark.parametrize("claimed", ["cli:me", "provider:unix:/good cli:me", "unix:/good"])
def test_another_provider_cannot_call_its_sources_ours(claimed: str) -> None:
    trust = {"cli:*": Trust.TRUSTED, "provider:unix:/good *": Trust.TRUSTED}
    assert Policy(trust=trust, provider="exec:other").trust_in(claimed, "owner") is None
    assert Policy(trust=trust, provider="unix:/good").trust_in(claimed) is Trust.TRUSTED


def test_one_line_regards_all_that_no_other_does() -> None:
    policy = Policy(trust={"cli:*": Trust.TRUSTED, "*": Trust.DISTRUSTED})
    assert policy.trust_in("cli:me") is Trust.TRUSTED
    assert policy.trust_in("") is Trust.DISTRUSTED
    assert Policy(trust=policy.trust, provider="exec:x").trust_in("cli:me") is Trust.DISTRUSTED


@pytest.mark.parametrize("rule", sorted({case.rule for case in hostile()}))
def test_every_rule_that_finds_something_can_be_set(rule: str) -> None:
    assert rule in RULES
    case = next(case for case in hostile() if case.rule == rule)
    judged = Policy({rule: "off"}).judge(DEFAULT.look(case.text), "")
    assert rule not in {found.rule for found in judged}


def test_the_rules_are_those_that_the_lens_has() -> None:
    assert {case.rule for case in hostile()} | {CONTRADICTION, ECHO} == set(RULES)
