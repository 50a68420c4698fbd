"""The barest gRPC server that a host could launch: the floor of launching and calling ours."""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import grpc


class Echo(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """Answers every unary call with nothing."""

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes]:
        """Return who answers a call."""
        return grpc.unary_unary_rpc_method_handler(lambda request, context: b"")


server = grpc.server(ThreadPoolExecutor(8), handlers=[Echo()])
path = os.path.join(tempfile.mkdtemp(), "bare.sock")
server.add_insecure_port(f"unix:{path}")
server.start()
print(f"1|1|unix|{path}|grpc|", flush=True)
server.wait_for_termination()
