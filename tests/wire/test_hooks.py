"""Hooks: what an assistant wants remembered becomes a draft, and no turn waits for it or fails."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.host import LocalProvider
from store.local import LocalDesk
from store.plugin.drafts import Drafts
from store.plugin.remembered import Asked, asked
from store.records import MemoryScope, MemoryType, MutationEvent
from store.wire import convert
from store.wire.echo import delimited
from store.wire.gen.pluggableharness.content.v1 import content_pb2
from store.wire.gen.pluggableharness.hook.v1 import payload_pb2
from store.wire.gen.pluggableharness.hook.v1 import service_pb2 as pb
from store.wire.gen.pluggableharness.kernel.v1 import callback_pb2
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as memory_pb
from tests.wire.host import HOOK, Host

OBSERVE, TRANSFORM, VETO = pb.HOOK_MODE_OBSERVE, pb.HOOK_MODE_TRANSFORM, pb.HOOK_MODE_VETO


def response(text: str, role: content_pb2.Role.ValueType = content_pb2.ROLE_ASSISTANT) -> bytes:
    message = content_pb2.Message(role=role, content=convert.to_blocks(text))
    payload = payload_pb2.PostModelResponsePayload(message=message)
    return payload_pb2.HookPayload(post_model_response=payload).SerializeToString()


def session_end(id: str = "s1") -> bytes:
    return payload_pb2.HookPayload(
        session_end=payload_pb2.SessionEndPayload(session_id=id)
    ).SerializeToString()


def dispatch(
    host: Host, payload: bytes, mode: pb.HookMode.ValueType = OBSERVE
) -> pb.DispatchHookResponse:
    return pb.DispatchHookResponse.FromString(dispatch_raw(host, payload, mode))


def dispatch_raw(host: Host, payload: bytes, mode: pb.HookMode.ValueType) -> bytes:
    request = delimited(1, payload) + pb.DispatchHookRequest(mode=mode).SerializeToString()
    return host.raw(HOOK, "DispatchHook", request)


def drafts(host: Host) -> list[tuple[str, str]]:
    """End a session, which waits for drafts, until the list shows no more; return title and text of each."""
    dispatch(host, session_end())
    answer = host.memory(memory_pb.ListRecordsRequest(), memory_pb.ListRecordsResponse)
    return [(each.title, convert.from_blocks(each.content)) for each in answer.records]


def eventually_drafted(host: Host, count: int) -> list[tuple[str, str]]:
    """Return the drafts once so many are there: they are written behind the hook's back."""
    host.callbacks.wait_for(lambda: len(host.callbacks.emitted) >= count)
    return drafts(host)


def test_each_mode_gets_the_outcome_it_asked_for(host: Host) -> None:
    payload = response("Nothing to see.")
    assert dispatch(host, payload, OBSERVE).WhichOneof("outcome") == "observe"
    assert dispatch(host, payload, VETO).veto.decision == pb.HOOK_DECISION_ALLOW
    assert dispatch(host, payload, TRANSFORM).WhichOneof("outcome") == "transform"
    assert dispatch(host, payload, pb.HOOK_MODE_UNSPECIFIED).WhichOneof("outcome") == "observe"
    assert dispatch(host, payload, 77).WhichOneof("outcome") == "observe"  # type: ignore[arg-type]


@given(st.binary(max_size=30))
def test_a_transformed_payload_is_the_one_that_came(extra: bytes) -> None:
    """Unknown fields stay where they were, before and between the known ones."""
    from store.plugin.hook_service import _echo

    payload = delimited(900, extra) + session_end() + delimited(901, extra)
    request = pb.DispatchHookRequest(mode=TRANSFORM).SerializeToString() + delimited(1, payload)
    assert _echo(request) == delimited(2, delimited(1, payload))


def test_the_echo_goes_over_the_wire_as_it_is(host: Host) -> None:
    payload = delimited(900, b"new") + session_end()
    assert dispatch_raw(host, payload, TRANSFORM) == delimited(2, delimited(1, payload))
    assert pb.DispatchHookResponse.FromString(host.raw(HOOK, "DispatchHook", b"\x10\x02")) == (
        pb.DispatchHookResponse(transform=pb.DispatchHookResponse.TransformResult())
    )


def test_an_assistants_lines_become_drafts(host: Host, sockets: Path) -> None:
    host.attach(sockets)
    text = "Done.\nRemember (user, global): writes Go\nremember: run the linter first\n"
    dispatch(host, response(text))
    assert sorted(eventually_drafted(host, 2)) == [
        ("run the linter first", "run the linter first"),
        ("writes Go", "writes Go"),
    ]
    kinds = {event.kind for event in host.callbacks.emitted}
    assert kinds == {callback_pb2.EVENT_KIND_MEMORY_WRITE}


def test_what_was_drafted_once_is_not_drafted_again(host: Host, sockets: Path) -> None:
    """A host may deliver a hook twice, and assistants repeat themselves."""
    host.attach(sockets)
    for text in ("Remember: one", "Remember: one", "Remember (user): one", "Remember: two"):
        dispatch(host, response(text))
    assert len(eventually_drafted(host, 3)) == 3


def test_a_users_message_asks_for_nothing(host: Host, sockets: Path) -> None:
    host.attach(sockets)
    dispatch(host, response("Remember: not this", content_pb2.ROLE_USER))
    dispatch(host, response("Remember: but this"))
    assert eventually_drafted(host, 1) == [("but this", "but this")]


def test_a_draft_belongs_to_the_one_live_session(
    host: Host, sockets: Path, desk: LocalDesk, tmp_path: Path
) -> None:
    host.attach(sockets)
    start = payload_pb2.SessionStartPayload(session_id="s7", working_directory=str(tmp_path))
    dispatch(host, payload_pb2.HookPayload(session_start=start).SerializeToString())
    dispatch(host, response("Remember (project, session): half way through"))
    eventually_drafted(host, 1)
    draft = desk.review("half-way-through").record
    assert (draft.session_id, draft.project_root) == ("s7", str(tmp_path))
    assert draft.provenance.recorded_by == "hook:post_model_response"
    assert host.callbacks.emitted[0].session_id == "s7"
    dispatch(host, session_end("s7"))
    dispatch(host, response("Remember (project, session): after the end"))
    eventually_drafted(host, 2)
    assert desk.review("after-the-end").record.session_id == ""


def test_a_locked_store_does_not_hold_a_turn_up(
    host: Host, sockets: Path, store_path: Path
) -> None:
    """The hook is answered while the lock is held elsewhere; the draft is written when it is free."""
    host.attach(sockets)
    host.record("Opens the store")
    with sqlite3.connect(store_path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = dispatch(host, response("Remember: later"))
        assert answer.WhichOneof("outcome") == "observe"
        dispatch(host, session_end())
        assert not host.callbacks.emitted
        other.execute("ROLLBACK")
    assert ("later", "later") in eventually_drafted(host, 1)


def test_what_the_store_will_not_take_is_logged_and_the_next_still_drafted(
    store_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    provider = LocalProvider(str(store_path), content_limit=10)
    told: list[MutationEvent] = []

    def emit(session: str, kind: str, event: MutationEvent) -> bool:
        told.append(event)
        return True

    queue = Drafts(provider, emit)
    kind = (MemoryType.USER, MemoryScope.GLOBAL)
    queue.add([Asked(*kind, "far too long for it"), Asked(*kind, "short")], "test")
    assert queue.settle(10)
    assert [event.content for event in told] == ["short"]
    assert "was not drafted" in caplog.text
    assert "far too long for it" not in caplog.text
    provider.close()


FEEDBACK_PROJECT = (MemoryType.FEEDBACK, MemoryScope.PROJECT)
LINES: list[tuple[str, tuple[MemoryType, MemoryScope] | None]] = [
    ("Remember: text", FEEDBACK_PROJECT),
    ("  REMEMBER :text", FEEDBACK_PROJECT),
    ("remember (User): text", (MemoryType.USER, MemoryScope.PROJECT)),
    ("Remember(reference,GLOBAL): text", (MemoryType.REFERENCE, MemoryScope.GLOBAL)),
    ("Remember ( project , session ) : text", (MemoryType.PROJECT, MemoryScope.SESSION)),
    ("Remember (global): text", None),
    ("Remember (user, everywhere): text", None),
    ("Remember (user, global, now): text", None),
    ("Remember (): text", None),
    ("Remember:", None),
    ("Remember:   ", None),
    ("Remember text", None),
    ("I remember: text", None),
    ("- Remember: text", None),
    ("Remembers: text", None),
]


@pytest.mark.parametrize(("line", "kind"), LINES)
def test_only_the_one_form_of_line_asks(
    line: str, kind: tuple[MemoryType, MemoryScope] | None
) -> None:
    wanted = [Asked(*kind, "text")] if kind else []
    assert list(asked(f"before\n{line}\nafter")) == wanted


@given(st.text())
def test_any_text_is_read_and_titles_are_short(text: str) -> None:
    for each in asked(f"{text}\nRemember: {text}"):
        assert each.text.strip() == each.text != ""
        assert 0 < len(each.title) <= 81
