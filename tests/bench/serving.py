"""The plugin as its host sees it: how soon it answers, and what a call costs over the socket.

The floor is a bare gRPC server of the same interpreter: launched by turns with ours, or called with nothing
to do.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import grpc

from store.plugin.handshake import COOKIE_NAME, COOKIE_VALUE
from store.wire.channel import open_channel
from store.wire.convert import to_blocks
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from tests.bench.measuring import Operation
from tests.wire.host import Host

OURS = [str(Path(sys.executable).parent / "memory-inbox")]
BARE = [sys.executable, str(Path(__file__).parent / "bare_server.py")]
_LAUNCHES = 15
_IN_FLIGHT, _BATCH = 64, 320
_SERVICE = "/pluggableharness.memory.v1.MemoryService/"


class Server:
    """A launched server, its handshake read, with a channel to it."""

    def __init__(self, command: list[str], store: Path) -> None:
        self._process = subprocess.Popen(
            command,
            env={
                "PATH": os.environ["PATH"],
                "MEMORY_INBOX_STORE": str(store),
                COOKIE_NAME: COOKIE_VALUE,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout
        self.path = Path(self._process.stdout.readline().decode().split("|")[3])
        self.channel: grpc.Channel = open_channel(self.path)

    def call(self, method: str, request: bytes = b"") -> bytes:
        """Make one call of the memory service, and return the answer as it came."""
        answer: bytes = self.channel.unary_unary(f"{_SERVICE}{method}", None, None)(request)
        return answer

    def close(self) -> None:
        """End it at once: how it ends is not measured."""
        self.channel.close()
        self._process.kill()
        self._process.communicate()
        shutil.rmtree(self.path.parent, ignore_errors=True)


class Serving:
    """What is measured over a store.

    Args:
        store: read, and for token counts written.
    """

    def __init__(self, store: Path) -> None:
        self._store = store

    def operations(self) -> Iterator[Operation]:
        """Yield the operations; the servers of the calls run only while they are measured."""
        yield self._handshake()
        yield self._first_recall()
        with self._servers() as (ours, bare):
            yield self._get(ours, bare)
            yield self._list(ours, bare)
            yield self._mixed(ours, bare)

    @contextmanager
    def _servers(self) -> Iterator[tuple[Server, Server]]:
        with (
            closing(Server(OURS, self._store)) as ours,
            closing(Server(BARE, self._store)) as bare,
        ):
            yield ours, bare

    def _handshake(self) -> Operation:
        return Operation(
            "exec to handshake",
            lambda turn: Server(OURS, self._store).close(),
            lambda turn: Server(BARE, self._store).close(),
            "a bare gRPC server",
            "1.3 times",
            _LAUNCHES,
        )

    def _first_recall(self) -> Operation:
        request = pb.RecallRequest(
            token_budget=2000, working_directory="/srv/project", session_id="s1"
        )
        self._have_counted(request)

        def ours(turn: int) -> None:
            with closing(Server(OURS, self._store)) as server:
                server.call("Recall", request.SerializeToString())

        def bare(turn: int) -> None:
            with closing(Server(BARE, self._store)) as server:
                server.call("Recall")

        return Operation(
            "exec to first recall", ours, bare, "a bare gRPC server", "3 times", _LAUNCHES
        )

    def _have_counted(self, request: pb.RecallRequest) -> None:
        """Have a host count the tokens, as it has in any session before."""
        with (
            closing(Server(OURS, self._store)) as server,
            tempfile.TemporaryDirectory() as directory,
            closing(Host(server.path)) as host,
        ):
            host.attach(Path(directory))
            host.memory(request, pb.RecallResponse)

    def _get(self, ours: Server, bare: Server) -> Operation:
        listed = ours.call("ListRecords", pb.ListRecordsRequest(page_size=500).SerializeToString())
        ids = [record.id for record in pb.ListRecordsResponse.FromString(listed).records]
        requests = [pb.GetRecordRequest(id=id).SerializeToString() for id in ids]
        return Operation(
            "GetRecord over the wire",
            lambda turn: ours.call("GetRecord", requests[turn % len(requests)]),
            lambda turn: bare.call("GetRecord"),
            "an empty call",
            "2 times",
            500,
        )

    def _list(self, ours: Server, bare: Server) -> Operation:
        request = pb.ListRecordsRequest(page_size=50).SerializeToString()
        return Operation(
            "ListRecords(50) over the wire",
            lambda turn: ours.call("ListRecords", request),
            lambda turn: bare.call("ListRecords"),
            "an empty call",
            "4 times",
            500,
        )

    def _mixed(self, ours: Server, bare: Server) -> Operation:
        """Keep 64 calls in flight: of ten, seven read a record, one lists, one recalls, one writes."""
        page = pb.ListRecordsRequest(page_size=50).SerializeToString()
        listed = ours.call("ListRecords", page)
        ids = [record.id for record in pb.ListRecordsResponse.FromString(listed).records]
        recall = pb.RecallRequest(token_budget=2000, working_directory="/srv/project")
        calls = [
            *(("GetRecord", pb.GetRecordRequest(id=id).SerializeToString()) for id in ids[:7]),
            ("ListRecords", page),
            ("Recall", recall.SerializeToString()),
        ]
        numbers = itertools.count()

        def one(of: int) -> tuple[str, bytes]:
            if of % 10 < 9:
                return calls[of % 10]
            new = pb.RecordRequest(
                type=3,
                scope=3,
                title=f"Note {next(numbers)}",
                content=to_blocks("Written while others read."),
            )
            return "Record", new.SerializeToString()

        pool = ThreadPoolExecutor(_IN_FLIGHT)

        def batch(server: Server) -> None:
            list(pool.map(lambda of: server.call(*one(of)), range(_BATCH)))

        return Operation(
            f"{_BATCH} mixed calls over the wire, {_IN_FLIGHT} in flight",
            lambda turn: batch(ours),
            lambda turn: batch(bare),
            "as many empty calls",
            "1.7 times",
            15,
        )
