"""Every call of the memory service over a socket: what it answers, and how it fails."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from store.local import LocalDesk
from store.wire import convert, trees
from store.wire.gen.pluggableharness.common.v1 import common_pb2
from store.wire.gen.pluggableharness.content.v1 import content_pb2
from store.wire.gen.pluggableharness.memory.v1 import error_pb2, record_pb2
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from store.wire.structs import Json, to_struct
from tests.wire.conftest import Serve
from tests.wire.host import MEMORY, Host

pytestmark = pytest.mark.everywhere

Code = grpc.StatusCode
PENDING, CANONICAL = record_pb2.RECORD_STATUS_PENDING, record_pb2.RECORD_STATUS_CANONICAL


def refused(host: Host, request: Message) -> tuple[grpc.StatusCode, str, bool, str]:
    """Make a call that fails; return its code, and category, retryable and message of the details."""
    with pytest.raises(grpc.RpcError) as caught:
        host.call(MEMORY, request)
    trailers = dict(cast("list[tuple[str, bytes]]", caught.value.trailing_metadata()))
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    ours, info = error_pb2.MemoryError(), error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(ours)
    assert status.details[1].Unpack(info)
    name = error_pb2.MemoryErrorCategory.Name(ours.category)
    assert name.removeprefix("MEMORY_ERROR_CATEGORY_").lower() == info.reason
    assert "Traceback" not in ours.message
    return caught.value.code(), info.reason, ours.retryable, ours.message


def configure(host: Host, **attributes: Json) -> None:
    host.call(MEMORY, pb.ConfigureRequest(config=to_struct(attributes)))


def test_describe_and_capabilities_need_no_store(host: Host, store_path: Path) -> None:
    producer = host.memory(pb.DescribeRequest(), pb.DescribeResponse).producer
    assert (producer.name, producer.category, producer.protocol_version) == (
        "memory-inbox",
        common_pb2.CATEGORY_MEMORY,
        1,
    )
    offer = host.memory(pb.GetCapabilitiesRequest(), pb.GetCapabilitiesResponse).capabilities
    assert (offer.default_token_budget, offer.ratification_supported) == (2000, True)
    assert list(offer.supported_types) == [1, 2, 3, 4]
    assert list(offer.supported_scopes) == [1, 2, 3]
    assert [command.name for command in offer.slash_commands] == ["remember", "recall"]
    assert list(offer.supported_hook_points) == [3, 8]
    secret = {one.name: one.sensitive for one in offer.config_schema.attributes}
    assert secret["store_password"]
    assert not any(value for name, value in secret.items() if name != "store_password")
    assert not store_path.exists()


def test_a_draft_becomes_a_memory(host: Host) -> None:
    """The whole life of a record: draft, listed, approved, recalled, revised, deleted."""
    id = host.record("Role of the user", "Writes compilers.")
    listed = host.memory(pb.ListRecordsRequest(status_filter=PENDING), pb.ListRecordsResponse)
    assert [record.id for record in listed.records] == [id]
    everything = pb.RecallRequest(token_budget=1000)
    assert not host.memory(everything, pb.RecallResponse).records
    answer = host.memory(pb.ApproveRecordRequest(id=id), pb.ApproveRecordResponse)
    assert (answer.result.id, answer.result.status) == (id, CANONICAL)
    (recalled,) = host.memory(everything, pb.RecallResponse).records
    assert convert.from_blocks(recalled.content) == "Writes compilers."
    assert recalled.HasField("relevance_score")
    update = pb.UpdateRecordRequest(id=id, content=convert.to_blocks("Writes parsers."))
    assert host.memory(update, pb.UpdateRecordResponse).result.status == PENDING
    got = host.memory(pb.GetRecordRequest(id=id), pb.GetRecordResponse).record
    assert convert.from_blocks(got.content) == "Writes compilers."
    assert not got.HasField("relevance_score")
    rejected = host.memory(pb.RejectRecordRequest(id=id), pb.RejectRecordResponse)
    assert rejected.result.deleted
    deleted = host.memory(pb.DeleteRecordRequest(id=id), pb.DeleteRecordResponse)
    assert deleted.result.deleted
    assert refused(host, pb.GetRecordRequest(id=id))[:2] == (Code.NOT_FOUND, "not_found")


def test_pages_go_through_everything_once(host: Host) -> None:
    ids = {host.record(f"Number {number}") for number in range(7)}
    seen: list[str] = []
    token = ""
    while True:
        request = pb.ListRecordsRequest(page_size=3, page_token=token)
        page = host.memory(request, pb.ListRecordsResponse)
        seen += [record.id for record in page.records]
        token = page.next_page_token
        if not token:
            break
    assert len(seen) == 7
    assert set(seen) == ids


def test_the_unspecified_status_filters_nothing(host: Host) -> None:
    host.record("One")
    host.approved("Two")
    request = pb.ListRecordsRequest(status_filter=record_pb2.RECORD_STATUS_UNSPECIFIED)
    assert len(host.memory(request, pb.ListRecordsResponse).records) == 2


def _blocks(**block: Message) -> list[content_pb2.ContentBlock]:
    return [content_pb2.ContentBlock(**block)]  # type: ignore[arg-type]


UNKNOWN_ID: list[Callable[[str], Message]] = [
    lambda id: pb.GetRecordRequest(id=id),
    lambda id: pb.UpdateRecordRequest(id=id, content=convert.to_blocks("x")),
    lambda id: pb.DeleteRecordRequest(id=id),
    lambda id: pb.ApproveRecordRequest(id=id),
    lambda id: pb.RejectRecordRequest(id=id),
]


@pytest.mark.parametrize("make", UNKNOWN_ID, ids=["get", "update", "delete", "approve", "reject"])
@pytest.mark.parametrize("id", ["", "nobody", "no\x00body", "x" * 5000])
def test_an_id_that_names_nothing_is_not_found(
    host: Host, make: Callable[[str], Message], id: str
) -> None:
    assert refused(host, make(id))[:3] == (Code.NOT_FOUND, "not_found", False)


REFUSED: list[tuple[Message, grpc.StatusCode, str]] = [
    (pb.RecordRequest(scope=3, title="t"), Code.INVALID_ARGUMENT, "invalid_type"),  # type: ignore[arg-type]
    (pb.RecordRequest(type=77, scope=3), Code.INVALID_ARGUMENT, "invalid_type"),  # type: ignore[arg-type]
    (pb.RecordRequest(type=1, title="t"), Code.INVALID_ARGUMENT, "invalid_scope"),  # type: ignore[arg-type]
    (pb.RecallRequest(type_filter=[9]), Code.INVALID_ARGUMENT, "invalid_type"),  # type: ignore[list-item]
    (pb.RecallRequest(scope_filter=[9]), Code.INVALID_ARGUMENT, "invalid_scope"),  # type: ignore[list-item]
    (pb.ListRecordsRequest(type_filter=[0]), Code.INVALID_ARGUMENT, "invalid_type"),  # type: ignore[list-item]
    (pb.ListRecordsRequest(status_filter=9), Code.INTERNAL, "unknown"),  # type: ignore[arg-type]
    (pb.ListRecordsRequest(page_size=-1), Code.INTERNAL, "unknown"),
    (pb.ListRecordsRequest(page_token="nonsense"), Code.INTERNAL, "unknown"),
    (
        pb.RecordRequest(
            type=1,  # type: ignore[arg-type]
            scope=3,  # type: ignore[arg-type]
            title="t",
            content=_blocks(image=content_pb2.ImageBlock(data=b"x")),
        ),
        Code.INTERNAL,
        "unknown",
    ),
    (pb.ConfigureRequest(config=to_struct({"colour": "red"})), Code.INTERNAL, "unknown"),
    (pb.ConfigureRequest(config=to_struct({"ratification": "yes"})), Code.INTERNAL, "unknown"),
]


@pytest.mark.parametrize(("request_", "code", "category"), REFUSED)
def test_what_the_contract_lacks_is_refused_by_category(
    host: Host, request_: Message, code: grpc.StatusCode, category: str
) -> None:
    assert refused(host, request_)[:3] == (code, category, False)


CONTENT_BYTES = 256 * 1024


def test_a_text_at_the_limit_is_taken_and_one_over_it_refused(host: Host) -> None:
    id = host.record("Large", "x" * CONTENT_BYTES)
    got = host.memory(pb.GetRecordRequest(id=id), pb.GetRecordResponse).record
    assert len(convert.from_blocks(got.content)) == CONTENT_BYTES
    over = pb.RecordRequest(
        type=1,  # type: ignore[arg-type]
        scope=3,  # type: ignore[arg-type]
        title="Larger",
        content=convert.to_blocks("x" * (CONTENT_BYTES + 1)),
    )
    code, category, retryable, message = refused(host, over)
    assert (code, category, retryable) == (Code.INTERNAL, "unknown", False)
    assert "262,145 bytes" in message


def test_a_budget_too_small_names_the_smallest_candidate(host: Host) -> None:
    host.approved("Long", "x" * 400)
    request = pb.RecallRequest(token_budget=99)
    code, category, retryable, message = refused(host, request)
    assert (code, category, retryable) == (Code.RESOURCE_EXHAUSTED, "budget_exceeded", False)
    assert "100" in message


def test_without_ratification_nothing_waits(host: Host) -> None:
    configure(host, ratification=False)
    id = host.record("Straight in")
    got = host.memory(pb.GetRecordRequest(id=id), pb.GetRecordResponse).record
    assert got.status == CANONICAL
    for request in (pb.ApproveRecordRequest(id=id), pb.RejectRecordRequest(id=id)):
        assert refused(host, request)[:3] == (
            Code.FAILED_PRECONDITION,
            "ratification_unsupported",
            False,
        )


def test_ratification_stays_on_while_drafts_wait(host: Host) -> None:
    host.record("Waits")
    config = to_struct({"ratification": False})
    assert "cannot be switched off" in refused(host, pb.ConfigureRequest(config=config))[3]
    offer = host.memory(pb.GetCapabilitiesRequest(), pb.GetCapabilitiesResponse).capabilities
    assert offer.ratification_supported


def test_a_password_is_never_told(host: Host) -> None:
    config = {"store": "postgresql://nobody@localhost:1/none", "store_password": "hunter2"}
    configure(host, **config)
    message = refused(host, pb.GetRecordRequest(id="x"))[3]
    assert "hunter2" not in message
    bad = to_struct({"store_password": 7, "token_budget": "hunter2"})
    assert "hunter2" not in refused(host, pb.ConfigureRequest(config=bad))[3]


def test_a_locked_store_may_be_tried_again(
    host: Host, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.engine.BUSY_SECONDS", 0.05)
    id = host.record("There")
    with sqlite3.connect(store_path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        request = pb.DeleteRecordRequest(id=id)
        assert refused(host, request)[:3] == (Code.UNAVAILABLE, "source_unavailable", True)
        other.execute("ROLLBACK")
    assert host.memory(request, pb.DeleteRecordResponse).result.deleted


def test_a_request_that_is_no_message_fails_as_the_contract_says(host: Host) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        host.raw(MEMORY, "GetRecord", b"\xff\xff\xff")
    assert caught.value.code() is Code.INTERNAL
    assert "no pluggableharness.memory.v1.GetRecordRequest" in str(caught.value.details())


def test_an_unexpected_failure_says_no_more_than_that(
    host: Host, desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret text of a memory")

    monkeypatch.setattr("store.host.LocalProvider.get_record", broken)
    code, category, _, message = refused(host, pb.GetRecordRequest(id="x"))
    assert (code, category) == (Code.INTERNAL, "unknown")
    assert "secret" not in message
    assert desk.count().total == 0


@pytest.mark.parametrize("method", ["Purge", "recall", ""])
def test_calls_that_are_not_offered_are_unimplemented(host: Host, method: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        host.raw(MEMORY, method, b"")
    assert caught.value.code() is Code.UNIMPLEMENTED


def test_render_draws_a_card_or_a_notice(host: Host) -> None:
    id = host.record("A title", "Some *text*.")
    event = convert.from_event(b"")
    payload = convert.to_event(type(event)(id, "Some *text*.", {"status": "pending"}))

    def drawn(payload: bytes, version: str) -> str:
        request = pb.RenderRequest(payload=payload, schema_version=version)
        return str(trees.from_tree(host.memory(request, pb.RenderResponse).tree))

    assert "A title" in drawn(payload, "1")
    assert "form '2'" in drawn(payload, "2")
    assert "cannot be read" in drawn(b"\xff", "1")
    drawn(b"", "1")


def test_a_call_given_up_changes_nothing(host: Host, desk: LocalDesk, store_path: Path) -> None:
    """A write that waits for the lock past its deadline does not happen once the lock is free."""
    id = host.record("Opens the store")
    request = pb.UpdateRecordRequest(id=id, content=convert.to_blocks("too late"))
    with sqlite3.connect(store_path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(grpc.RpcError) as caught:
            host.raw(MEMORY, "UpdateRecord", request.SerializeToString(), seconds=0.3)
        assert caught.value.code() is Code.DEADLINE_EXCEEDED
        other.execute("ROLLBACK")
    host.record("Takes the lock after it")
    assert desk.review(id).record.content == "text"
    assert [entry.decision for entry in desk.history(id)] == ["record"]


def test_many_calls_at_once_from_several_hosts(serve: Serve, desk: LocalDesk) -> None:
    """64 writes in flight over two servers on one database: each is there, under an id of its own."""
    hosts = [serve(), serve()]
    together = threading.Barrier(64)

    def write(number: int) -> str:
        together.wait()
        return hosts[number % 2].record("Same title", f"text {number}")

    with ThreadPoolExecutor(64) as pool:
        ids = list(pool.map(write, range(64)))
    assert len(set(ids)) == 64
    assert desk.count().pending == 64
