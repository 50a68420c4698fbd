"""What a host and its plugin say to each other before they speak gRPC.

Source: hashicorp/go-plugin, `server.go` and `client.go`. Imports nothing that could print or take long.
"""

from __future__ import annotations

from collections.abc import Mapping

COOKIE_NAME = "PLUGGABLEHARNESS_AGENT_PLUGIN"
COOKIE_VALUE = "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake"
CORE_VERSION = 1
APP_VERSION = 1


def refusal(environ: Mapping[str, str]) -> str | None:
    """Return why this process cannot be a plugin in this environment, None when it can."""
    if environ.get(COOKIE_NAME) != COOKIE_VALUE:
        return (
            "this program is a plugin: an agent's host starts it. To look at the store by hand, run"
            " memory-inbox; to serve it by hand, run memory-inbox serve."
        )
    if environ.get("PLUGIN_CLIENT_CERT"):
        # Such a host's certificates are on the curve P-521, which grpcio's TLS cannot verify.
        return (
            "this host wants AutoMTLS, which this plugin cannot offer; the connection is a private unix"
            " socket. Switch AutoMTLS off for it."
        )
    return None


def line(address: str, environ: Mapping[str, str]) -> str:
    """Return the handshake line for a unix socket, its newline included.

    Args:
        address: path of the socket.
        environ: hosts that can multiplex say so here, and read a seventh field.
    """
    fields = [str(CORE_VERSION), str(APP_VERSION), "unix", address, "grpc", ""]
    if environ.get("PLUGIN_MULTIPLEX_GRPC"):
        fields.append("false")
    return "|".join(fields) + "\n"
