"""The plugin process that a host launches: what happens before anything else may, and in which order.

Until the handshake line is out, nothing is imported that is not needed for it: neither the store nor
protobuf.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from store.plugin.handshake import line, refusal
from store.plugin.process import (
    guard_stdout,
    heed_signals,
    hold_signals,
    ignore_interrupts,
    leave,
)

ENDING = (signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    """Serve the store as a memory provider until the host ends it."""
    return _serve("memory")


def serve_tools() -> int:
    """Serve the tools over the same store as a provider of their own."""
    return _serve("tool")


def _serve(category: str) -> int:
    """Returns only when this process cannot be a plugin."""
    parent = os.getppid()
    ignore_interrupts()
    hold_signals(*ENDING)
    try:
        stdout = guard_stdout()
    except OSError:
        print("[ERROR] memory-inbox: stdout or stderr is closed: there is no host", file=sys.stderr)
        return 1
    if reason := refusal(os.environ):
        print(f"memory-inbox: {reason}", file=sys.stderr)
        return 1
    # gRPC's own chatter is no log line of ours, and its fork handlers cost a pipe for each child.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    try:
        _run(category, parent, stdout)
    except OSError as error:
        print(f"[ERROR] memory-inbox: {error}", file=sys.stderr)
        return 1


def _run(category: str, parent: int, stdout: int) -> NoReturn:
    from store.plugin.plugin import MEMORY, TOOLS, Plugin

    plugin = Plugin(TOOLS if category == "tool" else MEMORY, parent)
    heed_signals(plugin.ending, *ENDING)
    path = plugin.listen(os.environ)
    try:
        os.write(stdout, line(path, os.environ).encode())
    except OSError:  # the host is gone already, with its end of the pipe
        plugin.ending.ask("nobody reads the handshake", 1)
    else:
        plugin.warm()
    plugin.ending.wait()
    plugin.close()
    leave(plugin.ending.code)
