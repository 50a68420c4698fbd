"""The one executable: a memory provider or bridge when a host launches it, else command line and inbox.

This module runs first in every process, so it imports nothing but `os` and `sys` before it knows which.
"""

from __future__ import annotations

import os
import sys

COOKIE_NAME = "PLUGGABLEHARNESS_AGENT_PLUGIN"
COOKIE_VALUE = "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake"


def launched_by_host() -> bool:
    """Tell whether a host started this process as its plugin.

    Hosts pass their cookie and no arguments. Arguments mean a person or a script inside such a process,
    which inherits the cookie and wants the command line.
    """
    return os.environ.get(COOKIE_NAME) == COOKIE_VALUE and len(sys.argv) == 1


def main() -> int:
    """Run what this process is; returns its exit code."""
    if launched_by_host():
        from store.plugin.launch import main as serve

        return serve()
    if sys.argv[1:2] == ["bridge"] and not {"-h", "--help"} & set(sys.argv):
        from store.apus.launch import main as bridge

        return bridge(sys.argv[2:])
    from tui.opening import is_bare, run_inbox

    if is_bare(sys.argv[1:]):
        return run_inbox()
    from tui.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
