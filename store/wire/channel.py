"""gRPC over a unix socket: the name of one, and a channel to it."""

from __future__ import annotations

from pathlib import Path

import grpc

# Records have their own limit of size; the transport's would only cut off a large page. A proxy named in
# the environment has no business with a local socket.
OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_http_proxy", 0),
)


def target(path: str | Path) -> str:
    """Return the gRPC name of a unix socket."""
    return f"unix:{path}"


def open_channel(path: str | Path) -> grpc.Channel:
    """Return a channel to a unix socket; nothing is dialled before the first call."""
    return grpc.insecure_channel(target(path), OPTIONS)
