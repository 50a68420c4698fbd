"""Another provider on a real socket, whose ids, texts, provenance, name and errors are all hostile."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
from google.protobuf.message import Message

from store.plugin.routes import MEMORY
from store.records import (
    Capabilities,
    MemoryScope,
    MemoryType,
    Producer,
    Provenance,
    Record,
    RecordStatus,
)
from store.wire import convert, offers
from store.wire.channel import target
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from tests.doors.store import EVERY, HOSTILE
from tests.tui.sitting import NOW


def records() -> list[Record]:
    """Return a draft for each text, whose id it is, too."""
    return [
        Record(
            text,
            MemoryType.PROJECT,
            MemoryScope.GLOBAL,
            text,
            f"{text}\n\n[[{text}]]",
            3,
            RecordStatus.PENDING,
            (text,),
            NOW,
            NOW,
            Provenance(text, text, text),
        )
        for text in EVERY
    ]


def _answers() -> dict[str, Message]:
    served = [convert.to_record(record) for record in records()]
    producer = Producer(HOSTILE[7], HOSTILE[8], HOSTILE[9])
    offer = Capabilities(2000, tuple(MemoryType), tuple(MemoryScope), True)
    return {
        "Describe": pb.DescribeResponse(producer=offers.to_producer(producer)),
        "GetCapabilities": pb.GetCapabilitiesResponse(capabilities=offers.to_capabilities(offer)),
        "Configure": pb.ConfigureResponse(),
        "ListRecords": pb.ListRecordsResponse(records=served),
        "Recall": pb.RecallResponse(records=served),
    }


class _Service(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """Answers what it has an answer for, and fails all else in hostile words."""

    def __init__(self) -> None:
        self._answers = {f"/{MEMORY}/{name}": answer for name, answer in _answers().items()}
        self._by_id = {record.id: convert.to_record(record) for record in records()}

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:  # type: ignore[type-arg]
        """Return the handler of a call."""
        method = str(details.method)

        def answer(request: bytes, context: grpc.ServicerContext) -> Message:
            if method.endswith("/GetRecord"):
                asked = pb.GetRecordRequest.FromString(request).id
                if asked in self._by_id:
                    return pb.GetRecordResponse(record=self._by_id[asked])
            if method in self._answers:
                return self._answers[method]
            context.abort(grpc.StatusCode.INTERNAL, " ".join(EVERY))
            raise AssertionError

        serialize: Callable[[Message], bytes] = lambda message: message.SerializeToString()  # noqa: E731
        return grpc.unary_unary_rpc_method_handler(answer, None, serialize)


@contextmanager
def hostile_provider(socket: Path) -> Iterator[str]:
    """Serve on a socket; yields the address that `--provider` takes."""
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((_Service(),))
    server.add_insecure_port(target(socket))
    server.start()
    try:
        yield f"unix:{socket}"
    finally:
        server.stop(None).wait()


def main() -> None:
    """Serve on the socket that is named until the process is killed; says a line when it does."""
    with hostile_provider(Path(sys.argv[1])) as address:
        print(address, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
