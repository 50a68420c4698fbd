"""The command as clients start it, over real pipes."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation, TextContent

from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.mcp.clients import (
    BASIC,
    COMMAND,
    HANDSHAKE,
    MODERN,
    environment,
    failure,
    over_stdio,
    result,
    roots,
)

eras = pytest.mark.parametrize("mode", [HANDSHAKE, MODERN])


@eras
async def test_what_a_client_remembers_is_a_draft_and_found_once_it_is_approved(
    store: Path, desk: LocalDesk, mode: str
) -> None:
    async with over_stdio(store, mode) as client:
        kept = result(await client.call_tool("remember", BASIC))
        assert kept["outcome"] == "created"
        assert kept["status"] == "pending"
        assert result(await client.call_tool("search", {"query": "commits"}))["count"] == 0
        [draft] = desk.list_records(status=RecordStatus.PENDING).records
        assert (draft.id, draft.content) == (kept["id"], BASIC["content"])
        assert draft.provenance.recorded_by == "mcp:test client/1.2.3"
        desk.approve_record(draft.id, draft.revision)
        [found] = result(await client.call_tool("search", {"query": "commits"}))["memories"]
        assert (found["id"], found["content"]) == (draft.id, BASIC["content"])


async def test_a_text_of_any_characters_is_taken_up_to_the_limit_that_is_set(
    store: Path, desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escaped, it is six times as long; nothing that a client can say raises the limit."""
    monkeypatch.setenv("MEMORY_INBOX_TEXT_LIMIT_KB", "1024")
    async with over_stdio(store) as client:
        long = {**BASIC, "content": "\x01" * 1024 * 1024}
        assert result(await client.call_tool("remember", long))["outcome"] == "created"
        longer = {**BASIC, "title": "Longer", "content": long["content"] + "\x01"}
        refused = await client.call_tool("remember", longer)
        assert "holds at most 1,048,576" in failure(refused)
        schemas = [tool.input_schema for tool in (await client.list_tools()).tools]
    assert "limit_kb" not in json.dumps(schemas)
    assert desk.count().total == 1


@eras
async def test_tools_say_truly_what_they_do(store: Path, mode: str) -> None:
    async with over_stdio(store, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    hints = {
        name: (
            tool.annotations.read_only_hint,
            tool.annotations.destructive_hint,
            tool.annotations.idempotent_hint,
            tool.annotations.open_world_hint,
        )
        for name, tool in tools.items()
        if tool.annotations
    }
    reads = (True, False, True, False)
    assert hints == {
        "remember": (False, False, False, False),
        "forget": (False, False, True, False),
        "search": reads,
        "get": reads,
        "list_my_drafts": reads,
    }
    for tool in tools.values():
        assert tool.description
        assert tool.title
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.output_schema is not None
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)


async def test_results_are_what_their_schemas_say_and_the_same_as_text(
    store: Path, desk: LocalDesk
) -> None:
    agreed = NewRecord(MemoryType.USER, MemoryScope.GLOBAL, "An agreed matter", "text")
    desk.write(agreed, Origin("operator"))
    async with over_stdio(store) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        for name, arguments in (
            ("remember", BASIC),
            ("remember", {**BASIC, "title": "Prefer small commit"}),
            ("get", {"id": "prefer-small-commits"}),
            ("list_my_drafts", {}),
            ("forget", {"id": "an-agreed-matter", "reason": "old"}),
            ("search", {"query": "commits"}),
        ):
            answer = await client.call_tool(name, arguments)
            schema = schemas[name]
            assert schema is not None
            jsonschema.validate(result(answer), schema)
            [content] = answer.content
            assert isinstance(content, TextContent)
            assert json.loads(content.text) == answer.structured_content


@eras
async def test_forgetting_is_a_proposal_that_the_operator_confirms(
    store: Path, desk: LocalDesk, mode: str
) -> None:
    async with over_stdio(store, mode) as client:
        kept = result(await client.call_tool("remember", BASIC))
        said = failure(await client.call_tool("forget", {"id": kept["id"]}))
        assert "a draft that nobody approved" in said
        desk.approve_record(kept["id"])
        asked = {"id": kept["id"], "reason": "We squash now."}
        for _ in range(2):
            assert result(await client.call_tool("forget", asked))["status"] == "pending"
        assert result(await client.call_tool("get", {"id": kept["id"]}))["status"] == "canonical"
        assert result(await client.call_tool("search", {"query": "commits"}))["count"] == 1
        [mine] = result(await client.call_tool("list_my_drafts", {}))["drafts"]
        assert mine["content"].endswith("We squash now.")
        waiting = desk.review(kept["id"]).record
        assert waiting.removes
        desk.approve_record(waiting.id, waiting.revision)
        assert "no record" in failure(await client.call_tool("get", {"id": kept["id"]}))
    assert [item.record.id for item in desk.trash()] == [kept["id"]]


async def test_a_near_match_is_a_question_and_writes_nothing(store: Path, desk: LocalDesk) -> None:
    async with over_stdio(store) as client:
        await client.call_tool("remember", BASIC)
        asked = result(
            await client.call_tool("remember", {**BASIC, "title": "Prefer smaller commits"})
        )
        assert asked["outcome"] == "similar"
        assert [each["id"] for each in asked["candidates"]] == ["prefer-small-commits"]
        assert desk.count().total == 1
        answered = {**BASIC, "title": "Prefer smaller commits", "create_new": True}
        assert result(await client.call_tool("remember", answered))["outcome"] == "created"
    assert desk.count().total == 2


@eras
async def test_the_project_is_the_first_root_that_is_a_directory(
    store: Path, desk: LocalDesk, tmp_path: Path, mode: str
) -> None:
    project = tmp_path / "a b"
    (project / ".git").mkdir(parents=True)
    told = roots(f"file://{tmp_path}/a%20b/src", "file:///elsewhere")
    async with over_stdio(store, mode, list_roots_callback=told) as client:
        await client.call_tool("remember", {**BASIC, "scope": "project"})
    [draft] = desk.list_records().records
    assert draft.project_root == str(project)


@eras
async def test_the_project_is_the_working_directory_of_a_client_without_roots(
    store: Path, desk: LocalDesk, tmp_path: Path, mode: str
) -> None:
    place = tmp_path / "work" / "src"
    place.mkdir(parents=True)
    (tmp_path / "work" / ".git").mkdir()
    async with over_stdio(store, mode, cwd=place) as client:
        await client.call_tool("remember", {**BASIC, "scope": "project"})
    [draft] = desk.list_records().records
    assert draft.project_root == str(tmp_path / "work")


async def test_roots_are_asked_for_again_when_they_changed(
    store: Path, desk: LocalDesk, tmp_path: Path
) -> None:
    now = ["one"]

    async def told(context: Any) -> Any:
        return await roots(f"file://{tmp_path}/{now[0]}")(context)

    async with over_stdio(store, list_roots_callback=told) as client:
        await client.call_tool("remember", {**BASIC, "scope": "project", "title": "First thing"})
        now[0] = "two"
        with pytest.warns(match="roots"):
            await client.send_roots_list_changed()
        await client.call_tool("remember", {**BASIC, "scope": "project", "title": "Another matter"})
    second, first = desk.list_records().records
    assert first.project_root == f"{tmp_path}/one"
    assert second.project_root == f"{tmp_path}/two"


async def test_a_hostile_name_of_a_client_is_shown_clean(store: Path, desk: LocalDesk) -> None:
    hostile = Implementation(name="\x1b[2Jroot\u202e\u200b/x\n" + "y" * 500, version="1\n[31m/2")
    async with over_stdio(store, client_info=hostile) as client:
        await client.call_tool("remember", BASIC)
        drafts = result(await client.call_tool("list_my_drafts", {}))
        assert drafts["count"] == 1
    [draft] = desk.list_records().records
    by = draft.provenance.recorded_by
    assert by.startswith("mcp:[2Jroot /x yyy")
    assert by.endswith("y/1 [31m-2")
    assert by.isprintable()
    assert len(by) < 100
    assert {entry.by for entry in desk.history()} == {by}


async def test_a_client_sees_its_own_drafts_and_no_others(store: Path, desk: LocalDesk) -> None:
    async with over_stdio(store) as client:
        await client.call_tool("remember", BASIC)
    newer = Implementation(name="test client", version="2.0")
    async with over_stdio(store, client_info=newer) as client:
        [mine] = result(await client.call_tool("list_my_drafts", {}))["drafts"]
        assert mine["id"] == "prefer-small-commits"
        assert result(await client.call_tool("get", {"id": mine["id"]}))["status"] == "pending"
    other = Implementation(name="TEST client", version="1.2.3")
    async with over_stdio(store, client_info=other) as client:
        assert result(await client.call_tool("list_my_drafts", {}))["count"] == 0
        assert "no record" in failure(await client.call_tool("get", {"id": mine["id"]}))
        with pytest.raises(MCPError, match="no record"):
            await client.read_resource(f"memory:{mine['id']}")


async def test_memories_of_another_project_are_not_read(
    store: Path, desk: LocalDesk, tmp_path: Path
) -> None:
    theirs = roots(f"file://{tmp_path}/theirs")
    async with over_stdio(store, list_roots_callback=theirs) as client:
        kept = result(await client.call_tool("remember", {**BASIC, "scope": "project"}))
        desk.approve_record(kept["id"])
        assert result(await client.call_tool("get", {"id": kept["id"]}))["status"] == "canonical"
        assert len((await client.list_resources()).resources) == 2
    async with over_stdio(store, list_roots_callback=roots(f"file://{tmp_path}/ours")) as client:
        assert "no record" in failure(await client.call_tool("get", {"id": kept["id"]}))
        assert len((await client.list_resources()).resources) == 1
        assert result(await client.call_tool("search", {"query": "commits"}))["count"] == 0


@eras
async def test_memories_are_resources_by_id_and_in_an_index(
    store: Path, desk: LocalDesk, mode: str
) -> None:
    async with over_stdio(store, mode) as client:
        kept = result(await client.call_tool("remember", {**BASIC, "title": "Größe [x]"}))
        desk.approve_record(kept["id"])
        index, memory = (await client.list_resources()).resources
        assert (index.uri, memory.uri) == ("memory:/index", "memory:gr%C3%B6sse-x")
        [listed] = (await client.read_resource(index.uri)).contents
        assert f"- [Größe \\[x\\]]({memory.uri}) (feedback, global)" in listed.text  # type: ignore[union-attr]
        [whole] = (await client.read_resource(memory.uri)).contents
        assert BASIC["content"] in whole.text  # type: ignore[union-attr]
        [template] = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "memory:{id}"


async def test_the_prompt_asks_for_few_memories(store: Path) -> None:
    async with over_stdio(store) as client:
        [prompt] = (await client.list_prompts()).prompts
        filled = await client.get_prompt(prompt.name, {"what": "{what} we use tabs"})
    [message] = filled.messages
    assert isinstance(message.content, TextContent)
    assert "{what} we use tabs\n\nFor each of them" in message.content.text


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("remember", {}, "type: is needed"),
        ("remember", {**BASIC, "type": "fact"}, "type: expected one of user, feedback"),
        ("remember", {**BASIC, "approve": True}, "'approve': is not known here"),
        ("remember", {**BASIC, "content": "x" * 262_145}, "a memory holds at most 262,144"),
        ("remember", {**BASIC, "title": "x" * 501}, "at most 500 are taken"),
        ("remember", {**BASIC, "content": "a\0b"}, "NUL"),
        ("get", {"id": "nothing"}, "no record has the id 'nothing'"),
        ("search", {"query": 7}, "query: expected a string"),
    ],
)
async def test_what_is_wrong_is_told_to_the_model(
    store: Path, desk: LocalDesk, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with over_stdio(store) as client:
        assert said in failure(await client.call_tool(tool, arguments))
        assert result(await client.call_tool("list_my_drafts", {}))["count"] == 0
    assert desk.count().total == 0


async def test_many_calls_at_once_are_all_answered(store: Path, desk: LocalDesk) -> None:
    kept: list[str] = []

    async with over_stdio(store) as client:

        async def write(number: int) -> None:
            words = {**BASIC, "title": f"{number:03} " + "abcdefghij"[number % 10] * 20}
            kept.append(
                result(await client.call_tool("remember", {**words, "create_new": True}))["id"]
            )

        async with anyio.create_task_group() as tasks:
            for number in range(60):
                tasks.start_soon(write, number)
                tasks.start_soon(client.call_tool, "search", {"query": "commits"})
    assert len(set(kept)) == 60
    assert {record.id for record in desk.list_records(page_size=100).records} == set(kept)


async def test_two_at_once_that_are_much_alike_become_one(store: Path, desk: LocalDesk) -> None:
    async with over_stdio(store) as client, anyio.create_task_group() as tasks:
        for letter in "abcdef":
            words = {**BASIC, "title": f"Prefer small commits {letter}"}
            tasks.start_soon(client.call_tool, "remember", words)
    assert desk.count().total == 1


def talk(store: Path) -> subprocess.Popen[str]:
    """Start the command, for a client that speaks line by line."""
    return subprocess.Popen(
        [*COMMAND, "mcp"],
        env=environment(store),
        cwd=store.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def say(process: subprocess.Popen[str], method: str, id: int | None = None, **params: Any) -> None:
    assert process.stdin is not None
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    process.stdin.write(json.dumps(message if id is None else {**message, "id": id}) + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    heard: dict[str, Any] = json.loads(process.stdout.readline())
    return heard


def shake_hands(process: subprocess.Popen[str]) -> None:
    info = {"name": "by hand", "version": "1"}
    say(
        process,
        "initialize",
        0,
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo=info,
    )
    assert hear(process)["result"]["serverInfo"]["name"] == "memory-inbox"
    say(process, "notifications/initialized")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(store: Path, number: signal.Signals) -> None:
    process = talk(store)
    shake_hands(process)
    say(process, "tools/call", 1, name="remember", arguments=BASIC)
    assert not hear(process)["result"]["isError"]
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert not list(store.parent.glob("*-wal"))


def test_the_end_of_the_input_ends_it_cleanly(store: Path) -> None:
    process = talk(store)
    shake_hands(process)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")


def test_it_ends_when_its_client_hears_no_more(store: Path) -> None:
    process = talk(store)
    shake_hands(process)
    assert process.stdout is not None
    process.stdout.close()
    say(process, "tools/list", 1)
    assert process.wait(timeout=60) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    process.stdin.close()  # type: ignore[union-attr]


def test_what_is_no_request_is_survived_and_stdout_holds_nothing_but_protocol(store: Path) -> None:
    process = talk(store)
    shake_hands(process)
    assert process.stdin is not None
    for line in ("{", "[]", '{"jsonrpc":"2.0"}', "\x00", '{"jsonrpc":"2.0","id":5,"method":7}'):
        process.stdin.write(line + "\n")
    say(process, "memory/approve", 6, name="x")
    say(process, "tools/call", 7, name="list_my_drafts")
    answers = {}
    while 7 not in answers:
        heard = hear(process)
        assert heard["jsonrpc"] == "2.0"
        answers[heard.get("id")] = heard
    assert answers[6]["error"]["code"] == -32601
    assert answers[7]["result"]["structuredContent"]["count"] == 0
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")


def test_a_message_beyond_all_bounds_is_left_out_and_the_next_one_answered(store: Path) -> None:
    process = talk(store)
    shake_hands(process)
    say(process, "tools/call", 1, name="remember", arguments={**BASIC, "content": "x" * 9_000_000})
    say(process, "tools/call", 2, name="list_my_drafts")
    assert hear(process)["id"] == 2
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert "a message of more than 8388608 bytes was left out" in err


def test_the_longest_memory_is_taken_however_it_is_escaped(store: Path, desk: LocalDesk) -> None:
    process = talk(store)
    shake_hands(process)
    longest = {**BASIC, "content": "\x01" * 262_144}
    say(process, "tools/call", 1, name="remember", arguments=longest)
    assert hear(process)["result"]["structuredContent"]["outcome"] == "created"
    process.communicate(timeout=60)
    assert desk.get_record("prefer-small-commits").content == longest["content"]


async def test_a_call_that_was_given_up_writes_nothing(store: Path, desk: LocalDesk) -> None:
    async with over_stdio(store) as client:
        await client.call_tool("list_my_drafts", {})
        with desk.database.writing():
            with anyio.move_on_after(0.5) as given_up:
                await client.call_tool("remember", BASIC)
            assert given_up.cancelled_caught
            # What comes later is answered once the cancellation was read, and before the store is free.
            await client.call_tool("list_my_drafts", {})
        assert result(await client.call_tool("list_my_drafts", {}))["count"] == 0
        assert (
            result(await client.call_tool("remember", {**BASIC, "title": "Wholly other"}))[
                "outcome"
            ]
            == "created"
        )
    assert [record.title for record in desk.list_records().records] == ["Wholly other"]
