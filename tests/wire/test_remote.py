"""Another provider's desk: operations over the wire, what is made of them, and plugins that misbehave."""

from __future__ import annotations

import os
import shlex
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message

from store.errors import (
    BudgetExceeded,
    Conflict,
    InvalidArgument,
    InvalidType,
    MemoryError,
    NotFound,
    NotOffered,
    RatificationUnsupported,
    SourceUnavailable,
)
from store.local import LocalDesk, open_desk
from store.provider import Desk
from store.records import (
    LinkClass,
    MemoryScope,
    MemoryType,
    MutationEvent,
    NewRecord,
    Origin,
    RecallRequest,
    Record,
    RecordFilter,
    RecordStatus,
)
from store.remote import open_provider
from store.remote.connection import Connection
from store.remote.launch import launch, read_handshake
from store.remote.provider import MISSING, RemoteProvider
from store.remote.snapshot import Snapshot, matches
from store.wire.channel import target
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from tests.wire.conftest import Serve
from tests.wire.host import Host

USER, GLOBAL = MemoryType.USER, MemoryScope.GLOBAL
PENDING, CANONICAL = RecordStatus.PENDING, RecordStatus.CANONICAL


@pytest.fixture
def remote(serve: Serve, sockets: Path) -> Iterator[RemoteProvider]:
    """A desk over a socket on which this process serves the store."""
    serve()
    provider = open_provider(f"unix:{sockets / '1.sock'}")
    yield provider
    provider.close()


def new(title: str, content: str = "text", type: MemoryType = USER) -> NewRecord:
    return NewRecord(type, GLOBAL, title, content)


def test_it_is_a_whole_desk(remote: RemoteProvider) -> None:
    desk: Desk = remote
    assert set(desk.missing) == set(MISSING)
    for name in MISSING:
        assert getattr(remote, name)


def test_what_the_wire_has_not_is_not_offered(remote: RemoteProvider) -> None:
    for call in (
        lambda: remote.unapprove("x"),
        lambda: remote.reclassify("x", "1", type=USER),
        remote.history,
        remote.trash,
        lambda: remote.restore("x"),
        remote.purge,
    ):
        with pytest.raises(NotOffered, match="the protocol"):
            call()


def test_the_same_records_as_at_the_stores_own_desk(
    remote: RemoteProvider, desk: LocalDesk
) -> None:
    remote.record(new("One", "see [[two]]"))
    desk.write(new("Two"), Origin())
    far, near = remote.list_records(), desk.list_records()
    for one, other in zip(far.records, near.records, strict=True):
        assert (one.id, one.status, one.content, one.created_at, one.links) == (
            other.id,
            other.status,
            other.content,
            other.created_at,
            other.links,
        )
    assert remote.count().pending == desk.count().pending == 1
    assert remote.describe() == desk.describe()
    assert remote.get_capabilities() == desk.get_capabilities()


def test_approving_what_was_looked_at(remote: RemoteProvider, desk: LocalDesk) -> None:
    id = remote.record(new("Draft")).id
    seen = remote.review(id)
    assert remote.browse(RecordFilter()).records[0].revision == seen.record.revision
    assert remote.approve_record(id, seen.record.revision).status is CANONICAL
    assert desk.review(id).record.status is CANONICAL


@pytest.mark.parametrize("decide", [RemoteProvider.approve_record, RemoteProvider.reject_record])
def test_what_changed_since_is_not_decided(
    remote: RemoteProvider, desk: LocalDesk, decide: Callable[..., object]
) -> None:
    id = remote.record(new("Draft")).id
    seen = remote.review(id).record.revision
    desk.update_record(id, "changed by an agent")
    with pytest.raises(Conflict):
        decide(remote, id, seen)
    assert desk.review(id).record.status is PENDING


def test_a_base_that_moved_is_a_conflict_too(remote: RemoteProvider, desk: LocalDesk) -> None:
    """The text under a revision is part of what was looked at."""
    id = desk.write(new("Title", "old"), Origin()).id
    remote.update_record(id, "new")
    seen = remote.review(id)
    assert seen.base
    assert (seen.base.content, seen.record.content, seen.record.is_revision) == ("old", "new", True)
    listed = remote.browse(RecordFilter(status=PENDING)).records[0]
    assert (listed.revision, listed.is_revision) == (seen.record.revision, True)
    canonical = desk.review(id, CANONICAL).record
    remote.reject_record(id, seen.record.revision)
    desk.edit(id, canonical.revision, content="moved")
    remote.update_record(id, "new")
    with pytest.raises(Conflict):
        remote.approve_record(id, seen.record.revision)
    assert remote.approve_record(id).status is CANONICAL


def test_reviews_of_either_entry(remote: RemoteProvider, desk: LocalDesk) -> None:
    id = desk.write(new("Title"), Origin()).id
    draft = remote.record(new("Draft")).id
    with pytest.raises(NotFound, match="no pending"):
        remote.review(id, PENDING)
    with pytest.raises(NotFound, match="no canonical"):
        remote.review(draft, CANONICAL)
    remote.update_record(id, "revised")
    assert remote.review(id, CANONICAL).record.content == "text"
    assert remote.review(id).record.content == "revised"
    with pytest.raises(NotFound):
        remote.review("nobody")


def test_links_and_near_matches_by_the_stores_rules(
    remote: RemoteProvider, desk: LocalDesk
) -> None:
    remote.write(new("Postgres", "The database."), Origin())
    remote.write(new("Notes", "[[Postgres|the db]]\n[[missing]]"), Origin())
    remote.record(new("Twin", "a"))
    remote.record(new("twin", "b"))
    remote.record(new("Ambiguous", "[[TWIN]]"))
    for far, near in ((remote.links(), desk.links()), *_reviews(remote, desk, "notes")):
        assert [
            (e.source_id, e.target, e.link_class, e.line, e.resolved_id, e.alias) for e in far
        ] == [(e.source_id, e.target, e.link_class, e.line, e.resolved_id, e.alias) for e in near]
    assert [link.source_id for link in remote.backlinks("postgres")] == ["notes"]
    assert [link.target for link in remote.links([LinkClass.WANTED])] == ["missing"]
    assert {link.source_id for link in remote.links(after="ambiguous")} == {"notes"}
    assert len(remote.links(limit=1, after="ambiguous")) == 2  # a record's links stay together
    assert [match.id for match in remote.near("Postgress", USER, GLOBAL)] == ["postgres"]
    assert remote.near("Postgress", MemoryType.PROJECT, GLOBAL) == ()
    assert remote.near("Postgress", USER, GLOBAL, except_id="postgres") == ()


def _reviews(remote: RemoteProvider, desk: LocalDesk, id: str) -> list[tuple[tuple, tuple]]:  # type: ignore[type-arg]
    far, near = remote.review(id), desk.review(id)
    return [(far.links, near.links), (far.backlinks, near.backlinks)]


def test_browsing_by_text_pages_through_all_that_match(remote: RemoteProvider) -> None:
    for number in range(30):
        word = "needle" if number % 5 == 0 else "hay"
        remote.record(new(f"Number {number}", f"some {word} here"))
    found: list[Record] = []
    token = ""
    while True:
        page = remote.browse(RecordFilter(text="NEEDLE some"), 4, token)
        assert len(page.records) <= 4
        found += page.records
        token = page.next_page_token
        if not token:
            break
    assert [record.id for record in found] == [f"number-{n}" for n in (25, 20, 15, 10, 5, 0)]
    assert remote.count(RecordFilter(text="needle")).pending == 6


def test_searching_prefers_all_words_and_titles(remote: RemoteProvider) -> None:
    remote.record(new("Alpha", "beta"))
    remote.record(new("Gamma", "alpha beta"))
    remote.record(new("Delta", "beta alone"))
    assert [hit.record.id for hit in remote.search("alpha beta")] == ["alpha", "gamma"]
    assert [hit.record.id for hit in remote.search("alone zeta")] == ["delta"]
    assert remote.search("zeta") == ()
    assert remote.search("beta", limit=1)[0].snippet
    assert remote.search("alpha", RecordFilter(types=(MemoryType.PROJECT,))) == ()


def test_writing_as_the_operator_is_canonical_at_once(remote: RemoteProvider) -> None:
    assert remote.write(new("Mine"), Origin()).status is CANONICAL
    assert remote.write(new("Draft"), Origin(), PENDING).status is PENDING


def test_editing_in_place(remote: RemoteProvider, desk: LocalDesk) -> None:
    draft = remote.record(new("Draft", "a")).id
    edited = remote.edit(draft, remote.review(draft).record.revision, content="b", title="Other")
    assert (edited.content, edited.title, edited.status) == ("b", "Other", PENDING)
    mine = remote.write(new("Mine", "a"), Origin()).id
    edited = remote.edit(mine, remote.review(mine).record.revision, content="b")
    assert (edited.content, edited.status) == ("b", CANONICAL)
    assert desk.review(mine).record.content == "b"
    with pytest.raises(Conflict):
        remote.edit(mine, "0" * 16, content="c")


def test_recall_and_its_preview(remote: RemoteProvider) -> None:
    remote.write(new("Long", "x" * 400), Origin())
    fits = remote.preview_recall(RecallRequest(token_budget=100))
    assert [scored.record.id for scored in fits.given] == ["long"]
    assert fits.tokens == 100
    assert remote.preview_recall(RecallRequest(token_budget=1)).given == ()
    with pytest.raises(BudgetExceeded):
        remote.recall(RecallRequest(token_budget=1))


def test_errors_keep_their_category(remote: RemoteProvider) -> None:
    with pytest.raises(NotFound):
        remote.get_record("nobody")
    with pytest.raises(MemoryError, match="page"):
        remote.list_records(page_size=-1)
    remote.configure({"ratification": False})
    with pytest.raises(RatificationUnsupported):
        remote.approve_record("nobody")
    assert remote.write(new("Straight in"), Origin()).status is CANONICAL
    bad = pb.ListRecordsRequest(type_filter=[9])  # type: ignore[list-item]
    with pytest.raises(InvalidType):
        remote._call("ListRecords", bad, pb.ListRecordsResponse)


def test_render_comes_back_as_a_tree(remote: RemoteProvider) -> None:
    id = remote.record(new("A title")).id
    assert "A title" in str(remote.render(MutationEvent(id, "text", {"status": "pending"})))


def test_after_closing_nothing_can_be_asked(remote: RemoteProvider) -> None:
    remote.close()
    with pytest.raises(MemoryError, match="closed"):
        remote.get_record("x")


def test_a_server_that_goes_away_is_unavailable(remote: RemoteProvider, host: Host) -> None:
    connection = Connection(target("/nonexistent/socket"))
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        RemoteProvider(connection).get_record("x")
    connection.close()


@pytest.mark.parametrize(
    "address", ["", "memory-inbox", "exec:", "exec:  ", "unix:", "tcp:localhost:1", "exec:'"]
)
def test_an_address_that_is_none_says_which_there_are(address: str) -> None:
    with pytest.raises(InvalidArgument):
        open_provider(address)


def test_a_command_of_assignments_alone_starts_nothing() -> None:
    with pytest.raises(InvalidArgument, match="no program"):
        open_provider("exec:A=1 B=2")


def test_nobody_listens() -> None:
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        open_provider("unix:/nonexistent/socket")


PLUGIN = (
    f"{shlex.quote(sys.executable)} -c 'import sys; from store.plugin.launch import main; main()'"
)


def test_a_launched_plugin_is_used_and_ended(tmp_path: Path) -> None:
    """Launched with no more than a host's environment and what the command sets."""
    store = tmp_path / "inbox.db"
    provider = open_provider(f"exec:MEMORY_INBOX_STORE={store} {PLUGIN}", reviewer="me")
    id = provider.record(new("Over there")).id
    provider.approve_record(id, provider.review(id).record.revision)
    assert provider.recall(RecallRequest(token_budget=100))[0].id == id
    child = provider._connection._child
    provider.close()
    assert child
    assert child.ended
    desk = open_desk(str(store))
    assert desk.history(id)[0].by == "me"
    desk.close()


def plugin(tmp_path: Path, body: str) -> str:
    """Write a program that misbehaves as a plugin, and return the command that runs it."""
    path = tmp_path / "plugin.py"
    path.write_text(textwrap.dedent(body))
    return f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def test_a_plugin_that_dies_is_quoted(tmp_path: Path) -> None:
    command = plugin(
        tmp_path,
        r"""
        import sys
        for number in range(30):
            print(f"line {number} \x1b[31mred", file=sys.stderr)
        sys.exit(7)
        """,
    )
    with pytest.raises(SourceUnavailable) as caught:
        open_provider(command)
    said = str(caught.value)
    assert "exit code 7" in said
    assert "line 29" in said
    assert "line 0 " not in said
    assert "\x1b" not in said


def test_a_plugin_that_prints_first_is_shown_what(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="no handshake: Starting up") as caught:
        open_provider(plugin(tmp_path, "print('Starting up')"))
    assert "standard output" in caught.value.hint


def test_a_plugin_that_stays_silent_is_not_waited_for(tmp_path: Path) -> None:
    command = plugin(tmp_path, "import sys, time; print('hm', file=sys.stderr); time.sleep(60)")
    with pytest.raises(SourceUnavailable, match=r"said nothing for 0\.5 seconds; it still runs"):
        launch(shlex.split(command.removeprefix("exec:")), seconds=0.5)


def test_a_plugin_that_closes_its_output_and_lives_on(tmp_path: Path) -> None:
    command = plugin(tmp_path, "import os, time; os.close(1); time.sleep(60)")
    with pytest.raises(SourceUnavailable, match=r"closed its output .* still runs"):
        open_provider(command)


def test_a_plugin_that_dies_later_is_quoted_too(tmp_path: Path) -> None:
    command = f"exec:MEMORY_INBOX_STORE={tmp_path / 'inbox.db'} {PLUGIN}"
    provider = open_provider(command)
    child = provider._connection._child
    child.kill()  # type: ignore[union-attr]
    with pytest.raises(SourceUnavailable, match="signal 9"):
        provider.get_record("x")
    provider.close()


def test_a_program_that_cannot_be_started() -> None:
    for command in ("exec:/nonexistent/program", f"exec:{os.devnull}"):
        with pytest.raises(SourceUnavailable, match="cannot be started"):
            open_provider(command)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2|1|unix|/x|grpc|", "version 2.1"),
        ("1|4|unix|/x|grpc|", "version 1.4"),
        ("1|1|unix|/x|netrpc|", "netrpc over unix"),
        ("1|1|pipe|/x|grpc|", "grpc over pipe"),
        ("1|1|unix|/x|grpc|certificate", "TLS"),
        ("1|1|unix|/x", "no handshake"),
        ("", "no handshake"),
        ("\x1b]0;title\x07", "no handshake"),
    ],
)
def test_handshakes_that_cannot_be_met_say_why(line: str, said: str) -> None:
    with pytest.raises(SourceUnavailable, match=said) as caught:
        read_handshake(line.encode() + b"\n")
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("1|1|unix|/run/x.sock|grpc", "unix:/run/x.sock"),
        ("1|1|unix|/run/x.sock|grpc|", "unix:/run/x.sock"),
        ("1|1|unix|/run/x.sock|grpc||false", "unix:/run/x.sock"),
        ("1|1|tcp|127.0.0.1:1234|grpc|", "127.0.0.1:1234"),
    ],
)
def test_handshakes_of_every_length_are_read(line: str, name: str) -> None:
    assert read_handshake(line.encode() + b"\n").target == name


def test_a_snapshot_is_read_once_until_something_changes(
    remote: RemoteProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweeps: list[int] = []
    sweep = remote._sweep

    def counted() -> Iterator[Record]:
        sweeps.append(1)
        return sweep()

    monkeypatch.setattr(remote, "_sweep", counted)
    for _ in range(3):
        assert remote.count().total == 0
    assert len(sweeps) == 1
    remote.record(new("One"))
    assert remote.count().total == 1
    assert len(sweeps) == 2


def test_an_empty_snapshot_answers_everything() -> None:
    empty = Snapshot(())
    assert empty.count(RecordFilter()).total == 0
    assert empty.search("x", RecordFilter(), 5) == ()
    assert empty.search("", RecordFilter(), 5) == ()
    assert empty.near("", USER, GLOBAL, 5, "") == ()
    assert empty.all_links == ()


def test_a_filter_matches_words_in_any_case_and_form(desk: LocalDesk) -> None:
    id = desk.write(new("Größe", "Ｆｕｌｌ width"), Origin()).id
    record = desk.get_record(id)
    assert matches(record, RecordFilter(text="GRÖSSE full"))
    assert not matches(record, RecordFilter(text="grösse absent"))
    assert not matches(record, RecordFilter(scopes=(MemoryScope.SESSION,)))
    assert not matches(record, RecordFilter(status=PENDING))


def test_a_list_that_names_the_same_page_as_the_next_one_ends_in_an_error(
    remote: RemoteProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that reads a whole list would go on for ever, and keep what it has read."""

    def again(_: RemoteProvider, method: str, request: Message, kind: type[Any]) -> Any:
        return pb.ListRecordsResponse(next_page_token="again")

    monkeypatch.setattr(RemoteProvider, "_call", again)
    for ask in (remote.count, lambda: remote.browse(RecordFilter(text="x"))):
        with pytest.raises(MemoryError, match="does not end"):
            ask()
