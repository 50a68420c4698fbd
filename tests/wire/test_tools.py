"""The tools: what a model may do, what it is told, and that it can never approve."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from render.tree import Diff, Node
from store.agents.shapes import Shape, check
from store.errors import InvalidArgument
from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from store.wire import trees
from store.wire.convert import from_event, to_event
from store.wire.gen.pluggableharness.common.v1 import common_pb2
from store.wire.gen.pluggableharness.kernel.v1 import callback_pb2
from store.wire.gen.pluggableharness.schema.v1 import schema_pb2
from store.wire.gen.pluggableharness.tool.v1 import call_pb2
from store.wire.gen.pluggableharness.tool.v1 import service_pb2 as pb
from store.wire.structs import Json, from_struct, to_struct
from tests.wire import strategies as some
from tests.wire.host import TOOL, Host, tool_call

pytestmark = pytest.mark.everywhere

SCHEMA = schema_pb2.SchemaType
BASIC: dict[str, Json] = {
    "type": "feedback",
    "scope": "global",
    "title": "Prefer small commits",
    "content": "One thought each.",
}


def declared(host: Host) -> dict[str, pb.ToolSchema]:
    answer = host.call(TOOL, pb.GetSchemaRequest())
    assert isinstance(answer, pb.GetSchemaResponse)
    return {tool.name: tool for tool in answer.tools}


def nonconforming(schema: schema_pb2.Schema, value: Any, at: str = "$") -> Iterator[str]:
    """Yield where a value is not what a schema on the wire says: the host's check, written anew."""
    kinds: dict[int, Any] = {
        schema_pb2.SCHEMA_TYPE_OBJECT: dict,
        schema_pb2.SCHEMA_TYPE_STRING: str,
        schema_pb2.SCHEMA_TYPE_NUMBER: (int, float),
        schema_pb2.SCHEMA_TYPE_BOOLEAN: bool,
        schema_pb2.SCHEMA_TYPE_ARRAY: list,
    }
    if not isinstance(value, kinds[schema.type]):
        yield f"{at} is a {type(value).__name__}"
    elif schema.enum_values and value not in schema.enum_values:
        yield f"{at} is {value}"
    elif isinstance(value, dict):
        yield from (f"{at}.{name} is missing" for name in schema.required if name not in value)
        for name, inner in value.items():
            if name in schema.properties:
                yield from nonconforming(schema.properties[name], inner, f"{at}.{name}")
            else:
                yield f"{at}.{name} is not declared"
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from nonconforming(schema.items, inner, f"{at}[{number}]")


def remember(host: Host, **changes: Json) -> dict[str, Json]:
    """Call memory.remember, and check its result as a host does."""
    result = host.result("memory.remember", {**BASIC, **changes})
    assert not list(nonconforming(declared(host)["memory.remember"].output_schema, result))
    return result


def failed(host: Host, tool: str, arguments: dict[str, Json]) -> call_pb2.ToolError:
    event = host.invoke(tool, arguments)
    assert event.WhichOneof("event") == "error", event
    return event.error


def previewed(host: Host, tool: str, arguments: dict[str, Json]) -> Node:
    request = pb.PreviewRequest(call=tool_call(tool, arguments))
    answer = host.call(TOOL, request)
    assert isinstance(answer, pb.PreviewResponse)
    return trees.from_tree(answer.preview)


def test_the_declared_tools_are_three_and_none_decides(host: Host) -> None:
    tools = declared(host)
    assert {name: (tool.kind, tool.risk) for name, tool in tools.items()} == {
        "memory.remember": (call_pb2.TOOL_KIND_RESOURCE, call_pb2.RISK_CLASS_MODERATE),
        "memory.forget": (call_pb2.TOOL_KIND_RESOURCE, call_pb2.RISK_CLASS_MODERATE),
        "memory.search": (call_pb2.TOOL_KIND_DATA_SOURCE, call_pb2.RISK_CLASS_READ_ONLY),
    }
    for tool in tools.values():
        assert tool.description
        assert tool.input_schema.type == tool.output_schema.type == SCHEMA.SCHEMA_TYPE_OBJECT
        assert tool.default_timeout.seconds > 0
        names = " ".join(tool.input_schema.properties)
        assert "approve" not in names
        assert "pending" not in names


def test_only_the_tool_provider_describes_itself_as_one(host: Host, tools_host: Host) -> None:
    """Asked category by category, the memory provider must not be taken for a tool provider."""
    answer = tools_host.call(TOOL, pb.DescribeRequest())
    assert isinstance(answer, pb.DescribeResponse)
    assert answer.producer.category == common_pb2.CATEGORY_TOOL
    with pytest.raises(grpc.RpcError) as caught:
        host.call(TOOL, pb.DescribeRequest())
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    for other in ("memory.v1.MemoryService", "hook.v1.HookSubscriberService"):
        with pytest.raises(grpc.RpcError) as caught:
            tools_host.raw(f"pluggableharness.{other}", "Describe", b"")
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_what_is_remembered_waits_for_the_operator(host: Host, desk: LocalDesk) -> None:
    context = {"session_id": "s1", "turn_id": "t1", "working_directory": "/srv/project"}
    result = host.result("memory.remember", {**BASIC, "scope": "project"}, **context)
    assert (result["outcome"], result["status"]) == ("created", "pending")
    draft = desk.review(str(result["id"])).record
    assert draft.status is RecordStatus.PENDING
    assert draft.project_root == "/srv/project"
    assert draft.provenance.source_session_id == "s1"
    assert draft.provenance.source_turn_id == "t1"
    assert draft.provenance.recorded_by == "memory.remember"


def test_remembering_an_id_again_updates_it(host: Host, desk: LocalDesk) -> None:
    first = remember(host)
    again = remember(host, id=first["id"], title="Other", content="Two thoughts.")
    assert (again["outcome"], again["id"]) == ("updated", first["id"])
    assert desk.review(str(first["id"])).record.content == "Two thoughts."
    same_title = remember(host, title="Other", content="Three.", id="prefer-small-commits")
    assert same_title["outcome"] == "updated"
    assert remember(host, id=first["id"], title="Other", content="Three.")["outcome"] == "unchanged"
    assert desk.count().total == 1


def test_the_same_title_means_the_same_memory(host: Host, desk: LocalDesk) -> None:
    remember(host)
    assert remember(host, content="Changed.")["outcome"] == "updated"
    assert desk.count().total == 1


def test_a_close_match_is_asked_about_and_nothing_written(host: Host, desk: LocalDesk) -> None:
    id = remember(host)["id"]
    asked = remember(host, title="Prefer smal comits")
    assert asked["outcome"] == "similar"
    assert [each["id"] for each in asked["candidates"]] == [id]  # type: ignore[index, call-overload, union-attr]
    assert desk.count().total == 1
    created = remember(host, title="Prefer smal comits", create_new=True)
    assert created["outcome"] == "created"
    assert desk.count().total == 2


def test_a_namesake_of_another_kind_or_place_is_asked_about(host: Host, desk: LocalDesk) -> None:
    """A title alone must not change the memory of another project."""
    elsewhere = Origin(project_root="/srv/other")
    new = NewRecord(MemoryType.FEEDBACK, MemoryScope.PROJECT, "Prefer small commits", "Theirs.")
    desk.write(new, elsewhere)
    here = {**BASIC, "scope": "project"}
    result = host.result("memory.remember", here, working_directory="/srv/mine")
    assert result["outcome"] == "similar"
    assert remember(host, scope="global")["outcome"] == "created"
    assert desk.review("prefer-small-commits").record.content == "Theirs."


def test_the_kind_of_a_memory_never_changes(host: Host) -> None:
    id = remember(host)["id"]
    error = failed(host, "memory.remember", {**BASIC, "type": "user", "id": id})
    assert error.category == call_pb2.TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS
    assert "type feedback and scope global" in error.message


def test_forgetting(host: Host, desk: LocalDesk) -> None:
    id = host.approved("Outdated")
    schema = declared(host)["memory.forget"].output_schema
    result = host.result("memory.forget", {"id": id})
    assert not list(nonconforming(schema, result))
    assert result["deleted"] is True
    assert [item.record.id for item in desk.trash()] == [id]
    assert desk.trash()[0].deleted_by == "memory.forget"
    error = failed(host, "memory.forget", {"id": id})
    assert error.category == call_pb2.TOOL_ERROR_CATEGORY_NOT_FOUND
    assert from_struct(error.details) == {"category": "not_found"}


def test_searching_finds_what_was_approved_and_nothing_else(host: Host) -> None:
    host.approved("Database of choice", "We use PostgreSQL for everything.")
    host.record("Draft about PostgreSQL", "Not approved.")
    schema = declared(host)["memory.search"].output_schema
    result = host.result("memory.search", {"query": "postgresql"})
    assert not list(nonconforming(schema, result))
    assert [memory["id"] for memory in result["memories"]] == ["database-of-choice"]  # type: ignore[index, call-overload, union-attr]
    assert host.result("memory.search", {"query": "x", "limit": 0})["count"] == 0
    assert host.result("memory.search", {"query": "x", "types": ["user"]})["count"] == 1
    assert host.result("memory.search", {"query": "x", "types": ["project"]})["count"] == 0
    error = failed(host, "memory.search", {"query": "postgresql", "token_budget": 1})
    assert error.category == call_pb2.TOOL_ERROR_CATEGORY_EXECUTION_FAILED
    assert from_struct(error.details) == {"category": "budget_exceeded"}


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("memory.remember", {}, "type: is needed; scope: is needed; title: is needed; content"),
        ("memory.remember", {**BASIC, "type": "opinion"}, "type: expected one of user"),
        ("memory.remember", {**BASIC, "scop": "x"}, "'scop': is not known here"),
        ("memory.remember", {**BASIC, "create_new": "yes"}, "create_new: expected a boolean"),
        ("memory.remember", {**BASIC, "title": "x" * 501}, "501 characters"),
        ("memory.remember", {**BASIC, "content": "a\0b"}, "NUL"),
        ("memory.forget", {"id": 7}, "id: expected a string"),
        ("memory.search", {"query": "x", "types": ["user", 3]}, "types[1]: expected a string"),
        ("memory.search", {"query": "x", "limit": True}, "limit: expected a number"),
    ],
)
def test_wrong_arguments_are_all_named(
    host: Host, tool: str, arguments: dict[str, Json], said: str
) -> None:
    error = failed(host, tool, arguments)
    assert error.category == call_pb2.TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS
    assert said in error.message


def test_an_unknown_tool_is_not_found(host: Host) -> None:
    error = failed(host, "memory.approve", {"id": "x"})
    assert error.category == call_pb2.TOOL_ERROR_CATEGORY_NOT_FOUND
    assert "memory.remember, memory.forget, memory.search" in error.message


def test_an_unexpected_failure_is_told_without_its_text(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("store.host.LocalProvider.recall", broken)
    error = failed(host, "memory.search", {"query": "x"})
    assert error.category == call_pb2.TOOL_ERROR_CATEGORY_UNKNOWN
    assert "secret" not in error.message


def test_previews_show_what_would_be_and_do_nothing(host: Host, desk: LocalDesk) -> None:
    id = host.approved("Prefer small commits", "One thought each.", type=MemoryType.FEEDBACK)
    before = desk.history()

    def added(node: Node) -> list[str]:
        diffs = [each for each in node.children if isinstance(each, Diff)]  # type: ignore[union-attr]
        lines = [line for diff in diffs for hunk in diff.hunks for line in hunk.lines]
        return [f"{line.op} {line.text}" for line in lines]

    changed = previewed(host, "memory.remember", {**BASIC, "id": id, "content": "Two."})
    assert added(changed) == ["remove One thought each.", "add Two."]
    new = previewed(host, "memory.remember", {**BASIC, "title": "Else", "content": "New."})
    assert added(new) == ["add New."]
    assert added(previewed(host, "memory.forget", {"id": id})) == ["remove One thought each."]
    similar = previewed(host, "memory.remember", {**BASIC, "title": "Prefer smal comits"})
    assert id in str(similar)
    assert "words" in str(previewed(host, "memory.search", {"query": "words"}))
    assert desk.history() == before


def test_render_draws_events_and_results(host: Host) -> None:
    def drawn(payload: bytes, version: str = "1") -> str:
        answer = host.call(TOOL, pb.RenderRequest(payload=payload, schema_version=version))
        assert isinstance(answer, pb.RenderResponse)
        return str(trees.from_tree(answer.tree))

    result = remember(host)
    kept = call_pb2.ToolResult(payload=to_struct(result)).SerializeToString()
    assert "Kept as prefer-small-commits" in drawn(kept)
    found = {"count": 1, "memories": [{"id": "x", "title": "Found it"}]}
    assert "Found it" in drawn(call_pb2.ToolResult(payload=to_struct(found)).SerializeToString())
    event = from_event(b"")
    shown = to_event(type(event)("prefer-small-commits", "One thought each.", {}))
    assert "Prefer small commits" in drawn(shown)
    for odd in (b"\xff", call_pb2.ToolResult().SerializeToString()):
        drawn(odd)
    assert "cannot" in drawn(kept, "7")


def test_the_host_hears_of_every_change(host: Host, sockets: Any) -> None:
    host.attach(sockets)
    id = remember(host)["id"]
    remember(host, id=id, content="Changed.")
    remember(host, title="Prefer smal comits")
    host.invoke("memory.forget", {"id": id}, session_id="s9")
    host.invoke("memory.forget", {"id": id})
    kinds = [callback_pb2.EventKind.Name(event.kind) for event in host.callbacks.emitted]
    assert [kind.removeprefix("EVENT_KIND_MEMORY_") for kind in kinds] == [
        "WRITE",
        "UPDATE",
        "DELETE",
    ]
    write, _, delete = host.callbacks.emitted
    assert (write.schema_version, delete.session_id) == ("1", "s9")
    event = from_event(write.payload)
    assert (event.record_id, event.content) == (id, "One thought each.")
    assert event.attributes["status"] == "pending"


def test_a_call_given_up_is_cancelled_and_not_an_error_of_the_tool(host: Host) -> None:
    request = pb.InvokeRequest(call=tool_call("memory.search", {"query": "x"}))
    stream = host.channel.unary_stream(f"/{TOOL}/Invoke", None, None)(request.SerializeToString())
    stream.cancel()  # type: ignore[no-untyped-call]
    with pytest.raises(grpc.RpcError) as caught:
        list(stream)
    assert caught.value.code() is grpc.StatusCode.CANCELLED


def test_the_store_configured_for_tools_is_the_one_they_use(
    tools_host: Host, tmp_path: Any
) -> None:
    config = to_struct({"store": str(tmp_path / "other.db")})
    tools_host.call(TOOL, pb.ConfigureRequest(config=config))
    remember(tools_host)
    assert (tmp_path / "other.db").exists()


ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from([*MemoryType, "x"]) | some.json_values,
        "scope": st.sampled_from([*MemoryScope]) | some.json_values,
        "title": some.texts | some.json_values,
        "content": some.texts,
        "id": some.texts,
        "create_new": st.booleans() | some.json_values,
        "query": some.texts,
        "limit": st.floats(allow_nan=False) | some.json_values,
        "token_budget": st.floats(allow_nan=False),
        "types": st.lists(some.types | some.texts, max_size=3),
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    tool=st.sampled_from(["memory.remember", "memory.forget", "memory.search"]),
    arguments=ARGUMENTS,
)
def test_any_arguments_end_in_a_conforming_result_or_a_tool_error(
    host: Host, tool: str, arguments: dict[str, Any]
) -> None:
    event = host.invoke(tool, arguments)
    if event.WhichOneof("event") == "result":
        result = from_struct(event.result.payload)
        assert not list(nonconforming(declared(host)[tool].output_schema, result))
    else:
        assert event.error.category != call_pb2.TOOL_ERROR_CATEGORY_UNKNOWN, event.error
        assert event.error.message


def test_a_shape_checks_deep_values() -> None:
    shape = Shape("object", properties={"a": Shape("array", items=Shape("number"))})
    check(shape, {"a": [1, 2.5]})
    with pytest.raises(InvalidArgument, match=r"a\[1\]: expected a number"):
        check(shape, {"a": [1, None]})
    with pytest.raises(InvalidArgument, match="a: expected an array"):
        check(shape, {"a": {}})


def test_parallel_calls_of_one_host_all_answer(host: Host, desk: LocalDesk) -> None:
    threads = [
        threading.Thread(target=remember, args=(host,), kwargs={"title": f"{n} {'xyzuvw'[n]}" * 9})
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert desk.count().pending == 6
