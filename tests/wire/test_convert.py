"""What goes over the wire comes back the same, and what the contract lacks is refused by category."""

from __future__ import annotations

import json

import pytest
from google.protobuf import timestamp_pb2
from hypothesis import given
from hypothesis import strategies as st

from store.errors import InvalidArgument, InvalidScope, InvalidType
from store.records import (
    Capabilities,
    MutationEvent,
    NewRecord,
    Producer,
    RecallRequest,
    Record,
    RecordResult,
)
from store.wire import convert, offers, structs
from store.wire.gen.pluggableharness.common.v1 import common_pb2
from store.wire.gen.pluggableharness.config.v1 import config_pb2
from store.wire.gen.pluggableharness.content.v1 import content_pb2
from store.wire.gen.pluggableharness.memory.v1 import record_pb2, service_pb2
from tests.wire import strategies as some


@given(some.records)
def test_a_record_survives_the_wire(record: Record) -> None:
    sent = convert.to_record(record).SerializeToString()
    assert convert.from_record(record_pb2.MemoryRecord.FromString(sent)) == record


@given(some.new_records)
def test_a_new_record_survives_the_wire(new: NewRecord) -> None:
    sent = convert.to_new(new).SerializeToString()
    assert convert.from_new(service_pb2.RecordRequest.FromString(sent)) == new


@given(some.results)
def test_a_result_survives_the_wire(result: RecordResult) -> None:
    sent = convert.to_result(result).SerializeToString()
    assert convert.from_result(record_pb2.RecordResult.FromString(sent)) == result


@given(some.recall_requests)
def test_a_recall_request_survives_the_wire(request: RecallRequest) -> None:
    sent = convert.to_recall(request).SerializeToString()
    assert convert.from_recall(service_pb2.RecallRequest.FromString(sent)) == request


@given(some.events)
def test_a_memory_event_survives_the_wire(event: MutationEvent) -> None:
    assert convert.from_event(convert.to_event(event)) == event


@given(some.producers)
def test_a_producer_survives_the_wire(producer: Producer) -> None:
    sent = offers.to_producer(producer).SerializeToString()
    assert offers.from_producer(common_pb2.ProducerRef.FromString(sent)) == producer


@given(some.capabilities)
def test_capabilities_survive_the_wire(offer: Capabilities) -> None:
    sent = offers.to_capabilities(offer).SerializeToString()
    assert offers.from_capabilities(service_pb2.MemoryCapabilities.FromString(sent)) == offer


@given(some.json_objects)
def test_a_struct_keeps_values_and_whole_numbers(fields: dict[str, structs.Json]) -> None:
    back = structs.from_struct(structs.to_struct(fields))
    assert back == fields
    # As JSON, 2000 is not 2000.0 and True is not 1.
    assert json.dumps(back, sort_keys=True) == json.dumps(fields, sort_keys=True)


def test_a_struct_refuses_what_json_has_not() -> None:
    with pytest.raises(TypeError, match="set"):
        structs.to_struct({"a": {1}})


@given(st.integers(-(2**31), 2**31 - 1))
def test_numbers_outside_the_enums_are_refused_by_category(number: int) -> None:
    """Each enum has its own category; a status has none of its own."""
    record = record_pb2.MemoryRecord(type=1, scope=1, status=1)  # type: ignore[arg-type]
    for field, last, error in (
        ("type", 4, InvalidType),
        ("scope", 3, InvalidScope),
        ("status", 2, InvalidArgument),
    ):
        changed = record_pb2.MemoryRecord()
        changed.CopyFrom(record)
        setattr(changed, field, number)
        if 1 <= number <= last:
            convert.from_record(changed)
        else:
            with pytest.raises(error, match=str(number)):
                convert.from_record(changed)


@pytest.mark.parametrize("number", [0, 9])
def test_filters_refuse_unknown_numbers_too(number: int) -> None:
    with pytest.raises(InvalidType):
        convert.from_recall(service_pb2.RecallRequest(type_filter=[number]))  # type: ignore[list-item]
    with pytest.raises(InvalidScope):
        convert.from_recall(service_pb2.RecallRequest(scope_filter=[number]))  # type: ignore[list-item]


def test_capabilities_of_a_newer_contract_are_read_as_far_as_known() -> None:
    offer = service_pb2.MemoryCapabilities(
        supported_types=[1, 77],  # type: ignore[list-item]
        supported_scopes=[78, 3],  # type: ignore[list-item]
        supported_hook_points=[0, 8, 79],  # type: ignore[list-item]
        config_schema=config_pb2.ConfigSchema(
            attributes=[config_pb2.ConfigAttribute(type=80, default_json="[1]")]  # type: ignore[arg-type]
        ),
    )
    read = offers.from_capabilities(offer)
    assert (read.types, read.scopes) == (("user",), ("global",))
    assert read.hook_points == ("session_end",)
    assert (read.config_schema[0].type, read.config_schema[0].default) == ("unspecified", "[1]")
    newer = common_pb2.ProducerRef(category=81)  # type: ignore[arg-type]
    assert offers.from_producer(newer).category == "unspecified"


@pytest.mark.parametrize(
    "block",
    [
        content_pb2.ContentBlock(),
        content_pb2.ContentBlock(image=content_pb2.ImageBlock(data=b"x")),
        content_pb2.ContentBlock(tool_use=content_pb2.ToolUseBlock(name="x")),
        content_pb2.ContentBlock(tool_result=content_pb2.ToolResultBlock()),
        content_pb2.ContentBlock(thinking=content_pb2.ThinkingBlock(text="x")),
        content_pb2.ContentBlock(redacted_thinking=content_pb2.RedactedThinkingBlock()),
        content_pb2.ContentBlock(document=content_pb2.DocumentBlock(data=b"x")),
    ],
    ids=lambda block: block.WhichOneof("block") or "unset",
)
def test_content_other_than_text_is_refused_not_dropped(block: content_pb2.ContentBlock) -> None:
    with pytest.raises(InvalidArgument, match="content block 2") as refused:
        convert.from_blocks([*convert.to_blocks("kept"), block])
    assert refused.value.category == "unknown"


def test_several_text_blocks_are_put_together_in_order() -> None:
    blocks = [*convert.to_blocks("one "), *convert.to_blocks(""), *convert.to_blocks("two")]
    assert convert.from_blocks(blocks) == "one two"
    assert convert.from_blocks([]) == ""


@given(some.int64, some.int32)
def test_any_timestamp_is_a_time_or_refused(seconds: int, nanos: int) -> None:
    stamp = timestamp_pb2.Timestamp(seconds=seconds, nanos=nanos)
    try:
        time = convert.from_timestamp(stamp)
    except InvalidArgument:
        return
    assert convert.to_timestamp(time).seconds == seconds


@given(st.binary(max_size=60))
def test_any_bytes_are_an_event_or_refused(payload: bytes) -> None:
    try:
        event = convert.from_event(payload)
    except InvalidArgument:
        return
    assert convert.from_event(convert.to_event(event)) == event
