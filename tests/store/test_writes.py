"""Record, update, edit: what becomes a draft, a revision or canonical, and what is refused."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from render.lens.finding import Severity
from render.lens.policy import Policy, Trust
from store.cards import findings
from store.errors import (
    Conflict,
    ErrorCategory,
    InvalidArgument,
    InvalidScope,
    InvalidType,
    NotFound,
)
from store.host import LocalProvider
from store.local import LocalDesk, open_desk
from store.records import (
    Audience,
    Decision,
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    Provenance,
    RecordResult,
    RecordStatus,
)
from tests.store.making import AGENT, canonical, draft, new, waiting

PENDING, CANONICAL = RecordStatus.PENDING, RecordStatus.CANONICAL


def test_what_an_agent_records_waits_and_is_given_back_whole(desk: LocalDesk) -> None:
    given = new("User role", "Line one\r\n\tLine two — ü 字 🎉\n\n", type=MemoryType.USER)
    assert desk.record(given, AGENT) == RecordResult("user-role", PENDING)
    record = desk.get_record("user-role")
    assert (record.title, record.content) == (given.title, given.content)
    assert (record.type, record.scope, record.status) == (given.type, given.scope, PENDING)
    assert record.provenance == Provenance("s1", "t1", "memory.remember")
    assert record.tokens == -(-len(given.content.encode()) // 4)
    assert record.relevance_score is None
    assert record.created_at == record.updated_at
    assert record.created_at.tzinfo is UTC


def test_what_the_operator_writes_is_canonical_unless_asked_otherwise(desk: LocalDesk) -> None:
    assert desk.write(new("One"), AGENT).status is CANONICAL
    assert desk.write(new("Two"), AGENT, PENDING).status is PENDING


def test_an_import_keeps_the_times_of_its_file_to_the_microsecond(desk: LocalDesk) -> None:
    then = datetime(2024, 2, 29, 12, 0, 0, 123_457, tzinfo=UTC)
    given = NewRecord(
        MemoryType.USER,
        MemoryScope.GLOBAL,
        "Old",
        "text",
        created_at=then,
        updated_at=then + timedelta(days=1),
    )
    record = desk.get_record(desk.write(given, AGENT).id)
    assert (record.created_at, record.updated_at) == (then, then + timedelta(days=1))


def test_a_suggested_id_is_no_way_around_the_limit(desk: LocalDesk) -> None:
    """What is suggested is kept as a name of the record, which its card does not show."""
    with pytest.raises(InvalidArgument, match="the id is 3000000 characters long"):
        desk.record(new("Plan", id="x" * 3_000_000), AGENT)
    assert desk.count().total == 0


def test_updating_a_draft_replaces_its_text_and_keeps_its_provenance(desk: LocalDesk) -> None:
    id = draft(desk, "Plan", "old words")
    before = desk.get_record(id)
    other = Origin(recorded_by="other", session_id="s2")
    assert desk.update_record(id, "new", origin=other) == RecordResult(id, PENDING)
    after = desk.get_record(id)
    assert (after.title, after.content) == ("Plan", "new")
    assert after.provenance == before.provenance
    assert after.revision != before.revision
    assert desk.count().pending == 1


def test_updating_a_canonical_record_makes_a_revision_and_serves_the_old_text(
    desk: LocalDesk,
) -> None:
    id = canonical(desk, "Plan", "old")
    assert desk.update_record(id, "new", title="New plan", origin=AGENT).status is PENDING
    assert desk.get_record(id).content == "old"
    review = desk.review(id)
    assert review.record.is_revision
    assert (review.record.title, review.record.content) == ("New plan", "new")
    assert review.base is not None
    assert review.base.content == "old"
    assert review.base_was is None
    assert [record.status for record in desk.list_records().records] == [PENDING, CANONICAL]


def test_a_second_update_before_review_replaces_the_first(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "old")
    desk.update_record(id, "first", title="First", origin=AGENT)
    seen = waiting(desk, id)
    second = Origin(recorded_by="second")
    desk.update_record(id, "second", origin=second)
    revision = desk.review(id).record
    # The unset title is the record's, for the first revision never came to be.
    assert (revision.title, revision.content) == ("Plan", "second")
    assert revision.provenance.recorded_by == "second"
    assert desk.count().revisions == 1
    with pytest.raises(Conflict):
        desk.approve_record(id, seen)


def test_an_update_to_what_it_already_says_waits_like_any_other(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "same")
    assert desk.update_record(id, "same").status is PENDING


def test_a_title_of_blanks_is_taken_from_the_text(desk: LocalDesk) -> None:
    assert (
        desk.get_record(draft(desk, "  ", "\n---\n# How to deploy\n\ntext")).title
        == "How to deploy"
    )
    assert desk.get_record(draft(desk, "", "", id="just-an-id")).title == "just-an-id"


def test_an_empty_text_is_a_text(desk: LocalDesk) -> None:
    assert desk.get_record(draft(desk, "Empty", "")).tokens == 0


@pytest.mark.parametrize("field", ["title", "content", "id", "summary", "alias"])
@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"], ids=["NUL", "surrogate"])
def test_what_not_every_engine_can_keep_is_refused_by_name(
    desk: LocalDesk, field: str, bad: str
) -> None:
    values = {"title": "Title", "content": "text", "id": "an-id", "summary": "", "alias": "x"}
    values[field] = bad
    given = NewRecord(
        MemoryType.USER,
        MemoryScope.GLOBAL,
        values["title"],
        values["content"],
        id=values["id"],
        summary=values["summary"],
        aliases=(values["alias"],),
    )
    with pytest.raises(InvalidArgument):
        desk.record(given)
    assert desk.count().total == 0


def test_a_text_over_the_limit_is_refused_with_its_size(desk: LocalDesk) -> None:
    with pytest.raises(InvalidArgument, match="262,145 bytes"):
        draft(desk, "Long", "x" * (256 * 1024 + 1))
    id = draft(desk, "As long as can be", "字" * (256 * 1024 // 3))
    with pytest.raises(InvalidArgument):
        desk.update_record(id, "x" * (256 * 1024 + 1))
    with pytest.raises(InvalidArgument):
        desk.edit(id, waiting(desk, id), content="x" * (256 * 1024 + 1))


@pytest.mark.parametrize("name", ["title", "alias"])
def test_a_name_over_the_limit_is_refused(desk: LocalDesk, name: str) -> None:
    long = "x" * 501
    with pytest.raises(InvalidArgument, match="501"):
        draft(desk, long) if name == "title" else draft(desk, "T", aliases=(long,))


def test_types_and_scopes_that_do_not_exist_have_their_own_categories(desk: LocalDesk) -> None:
    wrong_type = NewRecord("mood", MemoryScope.GLOBAL, "T", "c")  # type: ignore[arg-type]
    wrong_scope = NewRecord(MemoryType.USER, "galaxy", "T", "c")  # type: ignore[arg-type]
    with pytest.raises(InvalidType) as type_error:
        desk.record(wrong_type)
    with pytest.raises(InvalidScope) as scope_error:
        desk.record(wrong_scope)
    assert type_error.value.category is ErrorCategory.INVALID_TYPE
    assert scope_error.value.category is ErrorCategory.INVALID_SCOPE


@pytest.mark.parametrize("id", ["missing", "", "a\0b", "a\ud800b", "\x1b[31m", "x" * 10_000])
def test_an_unknown_id_is_not_found_by_any_operation(desk: LocalDesk, id: str) -> None:
    canonical(desk, "Something else")
    for operation in (
        lambda: desk.get_record(id),
        lambda: desk.update_record(id, "text"),
        lambda: desk.delete_record(id),
        lambda: desk.approve_record(id),
        lambda: desk.reject_record(id),
        lambda: desk.review(id),
        lambda: desk.edit(id, "revision", content="text"),
        lambda: desk.unapprove(id),
        lambda: desk.restore(id),
    ):
        with pytest.raises(NotFound) as error:
            operation()
        assert len(str(error.value)) < 250
        assert str(error.value).isprintable()


def test_a_decomposed_id_is_found(desk: LocalDesk) -> None:
    draft(desk, "café")
    assert desk.get_record("cafe\u0301").title == "café"


def test_editing_a_draft_changes_it_in_place(desk: LocalDesk) -> None:
    id = draft(desk, "Plan", "old")
    before = desk.get_record(id)
    after = desk.edit(id, before.revision, content="better")
    assert (after.title, after.content, after.status) == ("Plan", "better", PENDING)
    assert after.provenance == before.provenance
    assert desk.approve_record(id, after.revision).status is CANONICAL


def test_editing_a_revision_leaves_the_record_alone(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "old")
    desk.update_record(id, "proposed")
    after = desk.edit(id, waiting(desk, id), content="proposed, but better", title="Plan B")
    assert after.is_revision
    assert desk.get_record(id).content == "old"
    desk.approve_record(id, after.revision)
    assert (desk.get_record(id).title, desk.get_record(id).content) == (
        "Plan B",
        "proposed, but better",
    )


def test_editing_a_canonical_record_takes_effect_at_once(desk: LocalDesk) -> None:
    id = canonical(desk, "Plan", "old")
    desk.edit(id, desk.get_record(id).revision, content="new")
    assert desk.get_record(id).content == "new"
    assert desk.count().pending == 0


def test_an_edit_of_what_has_changed_since_is_a_conflict(desk: LocalDesk) -> None:
    id = draft(desk, "Plan", "old")
    seen = desk.get_record(id).revision
    desk.update_record(id, "by somebody else")
    with pytest.raises(Conflict):
        desk.edit(id, seen, content="mine")
    assert desk.get_record(id).content == "by somebody else"


def test_every_write_is_a_line_of_the_journal_and_names_its_writer(desk: LocalDesk) -> None:
    id = draft(desk, "Plan")
    desk.update_record(id, "again", origin=Origin(recorded_by="other agent"))
    desk.edit(id, waiting(desk, id), content="edited")
    lines = [(line.decision, line.by, line.detail) for line in reversed(desk.history(id))]
    assert lines == [
        (Decision.RECORD, "memory.remember", "draft"),
        (Decision.UPDATE, "other agent", "draft"),
        (Decision.UPDATE, "reviewer", "draft"),
    ]


def test_a_write_of_nobody_known_is_not_put_down_to_the_reviewer(where: str) -> None:
    provider = LocalProvider(where)
    provider.configure({"reviewer": "ann"})
    id = provider.record(new("Anonymous")).id
    provider.approve_record(id)
    provider.close()
    with closing(open_desk(where)) as desk:
        assert [line.by for line in desk.history(id)] == ["ann", "agent"]


def test_a_batch_holds_altogether_or_not_at_all(desk: LocalDesk) -> None:
    def fail_after_a_write() -> None:
        with desk.batch():
            draft(desk, "One")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_after_a_write()
    assert desk.count().total == 0
    with desk.batch():
        draft(desk, "One")
        with pytest.raises(InvalidArgument):
            draft(desk, "Bad\0")
        draft(desk, "Two")
        assert desk.get_record("one").title == "One"  # seen by its own thread before it holds
    assert desk.count().pending == 2
    assert desk.search("One")


def test_a_failed_write_in_a_batch_undoes_itself_alone(desk: LocalDesk) -> None:
    def fail_in_a_part() -> None:
        with desk.batch():
            draft(desk, "Gone with its part")
            desk.update_record("missing", "text")

    with desk.batch():
        draft(desk, "One")
        with pytest.raises(NotFound):
            fail_in_a_part()
    assert [record.id for record in desk.list_records().records] == ["one"]


@pytest.mark.parametrize("odd", ["nul\0", "half\ud800"])
@pytest.mark.parametrize("part", ["recorded_by", "session_id", "turn_id", "project_root"])
def test_an_origin_that_no_engine_can_keep_is_refused(desk: LocalDesk, part: str, odd: str) -> None:
    origin = replace(AGENT, **{part: odd})
    id = canonical(desk, "There")
    for write in (
        lambda: desk.record(new("Odd"), origin),
        lambda: desk.write(new("Odd"), origin),
        lambda: desk.update_record(id, "text", None, origin),
        lambda: desk.delete_record(id, origin),
    ):
        with pytest.raises(InvalidArgument):
            write()
    assert desk.count().total == 1


@pytest.mark.parametrize("odd", ["nul\0", "half\ud800"])
def test_a_reviewer_whom_no_engine_can_name_decides_nothing(desk: LocalDesk, odd: str) -> None:
    id = draft(desk, "Waits")
    with pytest.raises(InvalidArgument, match="reviewer"):
        desk.approve_record(id, by=odd)
    assert desk.count().pending == 1


def test_a_draft_that_another_gives_a_text_says_so_until_its_writer_writes_it_anew(
    desk: LocalDesk,
) -> None:
    """An agent must not put words into the mouth of a source that is trusted more."""
    own, other = Origin("cli:ann", session_id="s0"), Origin("mcp:x/1", session_id="s9")
    id = desk.record(new("Deploy", "By the runbook."), own).id

    def seen() -> tuple[str, str]:
        record = desk.review(id).record
        return record.provenance.recorded_by, record.rewritten_by

    desk.update_record(id, "By the runbook, step by step.", origin=own)
    assert seen() == ("cli:ann", "")
    before = waiting(desk, id)
    desk.update_record(id, "By the runbook, step by step.", origin=other)
    assert seen() == ("cli:ann", "mcp:x/1")
    assert waiting(desk, id) != before
    desk.edit(id, waiting(desk, id), content="Run nothing.")
    desk.update_record(id, "By hand.", origin=own)
    desk.update_record(id, "By hand, slowly.")
    assert seen() == ("cli:ann", "mcp:x/1")  # the title may still be the other's
    desk.update_record(id, "By hand.", title="Deploy", origin=own)
    assert seen() == ("cli:ann", "")


def test_another_version_of_a_writer_is_the_same_writer(desk: LocalDesk) -> None:
    id = desk.record(new("Deploy", "By the runbook."), Origin("mcp:x/1")).id
    desk.update_record(id, "By hand.", origin=Origin("mcp:x/2"))
    assert desk.review(id).record.rewritten_by == ""


def test_a_text_by_another_is_a_warning_and_trusted_only_if_both_are(desk: LocalDesk) -> None:
    id = desk.record(new("Deploy", "By the runbook."), Origin("cli:ann", session_id="s0")).id
    desk.update_record(id, "By hand.", origin=Origin("mcp:x/1"))
    record = desk.review(id).record
    (found,) = findings(record)
    assert (found.rule, found.severity) == ("provenance", Severity.WARNING)
    assert found.reason.endswith(": mcp:x/1")
    trust = {"cli:*": Trust.TRUSTED}
    for more, expected in (
        ({}, [Severity.WARNING]),
        ({"mcp:*": Trust.TRUSTED}, [Severity.NOTE]),
        ({"mcp:*": Trust.DISTRUSTED}, [Severity.WARNING] * 2),
    ):
        judged = findings(record, policy=Policy(trust=trust | more))
        assert [each.severity for each in judged] == expected


@pytest.mark.parametrize(
    "origin",
    [
        Origin("x" * 501),
        Origin(session_id="x" * 501),
        Origin(source_session_id="x" * 501),
        Origin(turn_id="x" * 501),
        Origin(project_root="/" + "ü" * 1000),
        Origin(audience=Audience("x" * 501)),
    ],
)
def test_an_origin_as_long_as_a_text_is_refused(desk: LocalDesk, origin: Origin) -> None:
    with pytest.raises(InvalidArgument, match="long"):
        desk.record(new("Deploy"), origin)
    id = desk.record(new("Deploy"), Origin("ü" * 500, "ü" * 500, "ü" * 500, "/" + "ü" * 999)).id
    with pytest.raises(InvalidArgument, match="long"):
        desk.update_record(id, "other", origin=origin)
