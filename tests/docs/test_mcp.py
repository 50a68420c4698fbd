"""The configurations of docs/mcp.md start a server that answers."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from store.mcp.http import PATH
from store.mcp.token import ENVIRONMENT
from tests.mcp.clients import TOKEN, serving_http

PAGE = (Path(__file__).parents[2] / "docs/mcp.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def servers() -> list[dict[str, Any]]:
    pages = [*map(json.loads, blocks("json")), *map(tomllib.loads, blocks("toml"))]
    names = ("mcpServers", "servers", "context_servers", "mcp_servers")
    return [page[name]["memory"] for page in pages for name in names if name in page]


STARTED = [server for server in servers() if "command" in server]
CALLED = [server for server in servers() if "url" in server]


def test_every_block_configures_a_server() -> None:
    assert len(STARTED) + len(CALLED) == len(blocks("json")) + len(blocks("toml"))
    assert (len(STARTED), len(CALLED)) == (4, 2)


@pytest.mark.parametrize("server", STARTED)
async def test_a_client_can_start_it(server: dict[str, Any], tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(tmp_path)}
    start = StdioServerParameters(
        command=server["command"], args=server["args"], env=environment, cwd=tmp_path
    )
    async with Client(start) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
    assert tools == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M))


@pytest.mark.parametrize("server", CALLED)
async def test_a_client_can_call_it(server: dict[str, Any], tmp_path: Path) -> None:
    assert server["url"] == f"http://127.0.0.1:8377{PATH}"
    variable = re.sub(
        r"\$\{(input:memory-token|MEMORY_INBOX_MCP_TOKEN)\}", TOKEN, json.dumps(server)
    )
    headers = json.loads(variable)["headers"]
    with serving_http(tmp_path / "inbox.db") as served:
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(served.url, http_client=http)) as client,
        ):
            assert (await client.list_tools()).tools


def test_the_page_names_the_variable_of_the_token() -> None:
    assert f"`{ENVIRONMENT}`" in PAGE
