"""A draft that says again what its writer was given: found through disguises, and not in what is new."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.lens.echoes import ECHO, echoes, repeated
from render.lens.finding import Echo, Severity
from render.lens.lens import DEFAULT

SERVED = (
    "The deploy pipeline has moved to the new cluster and the old one is switched off since May."
)
OTHER = ("other", "something else entirely")
CHINESE = "部署流水线已经迁移到新的集群，旧的集群从五月起关闭，请不要再使用旧的地址。"


@pytest.mark.parametrize(
    "draft",
    [
        SERVED,
        SERVED.upper() + " Indeed.",
        "the deploy pipeline has moved to the new cluster; and the old one is switched off, since May",
        SERVED.replace(" ", "\u200b "),
        SERVED.replace("o", "\u043e"),
        SERVED.replace("ep", "e\u00adp"),
    ],
)
def test_a_draft_that_repeats_what_was_served_is_found_in_any_dress(draft: str) -> None:
    found = repeated(draft, [OTHER, ("pipeline", SERVED)])
    assert found is not None
    assert found.id == "pipeline"
    assert 0 <= found.start < found.end <= len(draft)


def test_the_span_is_what_is_repeated_and_nothing_around_it() -> None:
    draft = f"Note: {SERVED} Yes."
    found = repeated(draft, [("pipeline", SERVED)])
    assert found is not None
    assert draft[found.start : found.end] == SERVED.removesuffix(".")


def test_writing_without_blanks_is_compared_letter_by_letter() -> None:
    found = repeated(CHINESE, [("cluster", f"注意：{CHINESE}")])
    assert found == Echo("cluster", 0, len(CHINESE) - 1)
    assert (
        repeated(CHINESE, [("cluster", "数据库每天夜里两点备份一次，备份保留三十天，然后删除。")])
        is None
    )


def test_accents_are_alike_however_they_are_written() -> None:
    composed = "L'équipe a déployé le nouveau système hier, après la réunion de Noël et avant midi."
    assert repeated(unicodedata.normalize("NFD", composed), [("noel", composed)])


def test_of_several_the_one_is_named_that_it_has_most_of() -> None:
    longer = f"{SERVED} Ask the platform team for access to the dashboards before you go on call."
    served = [("short", SERVED), ("long", longer)]
    found = repeated(longer, served)
    assert found is not None
    assert found.id == "long"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "The deploy pipeline has moved.",
        "Rollbacks need two people: one who types and one who reads along, aloud, from the runbook.",
        "The deploy pipeline has moved, so update the bookmarks, tell support, archive the wiki.",
        f"{SERVED} Since then every release takes nine minutes, and whoever is on call watches the graphs"
        " until the last host has answered; then the ticket is closed.",
    ],
)
def test_short_or_new_text_is_none(content: str) -> None:
    assert repeated(content, [("pipeline", SERVED)]) is None


@given(st.text(), st.lists(st.text(), max_size=4))
def test_any_texts_can_be_compared(content: str, served: list[str]) -> None:
    found = repeated(content, [(str(nth), text) for nth, text in enumerate([*served, content])])
    if found is not None:
        assert 0 <= found.start < found.end <= len(content)


def test_an_echo_is_a_warning_that_names_the_record_and_shows_no_secret() -> None:
    (finding,) = echoes(Echo("pipeline", 0, 10))
    assert (finding.rule, finding.severity) == (ECHO, Severity.WARNING)
    assert finding.reason.endswith(": pipeline")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    found = DEFAULT.look(f"The token is {secret} here", echo=Echo("token", 0, 20))
    assert {each.rule for each in found} == {ECHO, "secrets"}
    assert not any(secret[6:20] in each.excerpt for each in found)


def test_nothing_is_said_of_what_repeats_nothing() -> None:
    assert list(echoes(None)) == []
