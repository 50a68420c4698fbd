"""The bridge process that the host's plugin starts: what happens first, and how it ends.

Nothing but the protocol goes to stdout. Until the host asks for something that needs the store, neither
its file nor a database library is touched.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import logging
import os
import select
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from store.plugin.process import (
    Ending,
    OrphanWatch,
    guard_stdout,
    heed_signals,
    hold_signals,
    ignore_interrupts,
    leave,
)

ENDING = (signal.SIGTERM, signal.SIGHUP)
_PATIENCE = 5.0  # seconds for calls that are under way when the process ends
_CLOSING = 1.0  # seconds for releasing the store
_EOF = "the host closed stdin"
_HEAVY = (
    "store.engine",
    "store.schema",
    "store.writes",
    "store.near",
    "store.apus.reading",
    "store.apus.flushes",
    "store.apus.health",
)


def main(arguments: Sequence[str]) -> int:
    """Run the bridge with the arguments of ``memory-inbox bridge``."""
    parser = argparse.ArgumentParser("memory-inbox bridge", add_help=False, allow_abbrev=False)
    parser.add_argument("--store")
    parser.add_argument("--export-dir", type=Path)
    chosen = parser.parse_args(arguments)
    run(chosen.store, chosen.export_dir)


def run(location: str | None, exports: Path | None) -> NoReturn:
    """Serve the host on stdin and stdout until it closes them, says so, or sends a signal."""
    parent = os.getppid()
    ignore_interrupts()
    hold_signals(*ENDING)
    stdout = guard_stdout()
    _log_to_stderr()
    if os.environ.get("MEMORY_INBOX_LOG_FILE"):
        from store.logfile import log_as_environment_says  # the greeting does not wait for it

        log_as_environment_says(os.environ, "bridge")
    ending = Ending()
    heed_signals(ending, *ENDING)
    OrphanWatch(ending, parent).start()

    from store.apus.bridge import Bridge
    from store.apus.lines import Writer, lines
    from store.apus.methods import Methods

    methods = Methods(location, exports)
    # Answering waits for it: modules that import each other must not be begun by several threads.
    importing = threading.Thread(target=_import_heavy, name="imports", daemon=True)
    importing.start()
    bridge = Bridge(methods, Writer(stdout), ending, importing.join)

    def read() -> None:
        with contextlib.suppress(OSError):
            for line in lines(sys.stdin.fileno()):
                if ending.decided:
                    return
                bridge.take(line)
        ending.ask(_EOF)

    threading.Thread(target=read, name="reader", daemon=True).start()
    ending.wait()
    bridge.finish(_PATIENCE, abandoned=ending.reason == _EOF)
    closing = threading.Thread(target=methods.provider.close, daemon=True)
    closing.start()
    closing.join(_CLOSING)
    leave(ending.code)


def _import_heavy() -> None:
    """Import what the first request will need, beside the greeting; touch no file."""
    for module in _HEAVY:
        importlib.import_module(module)


def _log_to_stderr() -> None:
    handler = _Lines()
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)


class _Lines(logging.Handler):
    """One line a record: what happened, and of an error its kind and place, never what it quotes."""

    def emit(self, record: logging.LogRecord) -> None:
        from store.plugin.logs import line_of

        entry = line_of(record)
        fields = "".join(f" {key}={value}" for key, value in entry.fields.items())
        line = f"{record.levelname} {entry.logger}: {entry.message}{fields}\n"
        # A host that does not read its child's stderr must not stop it.
        if select.select([], [2], [], 0)[1]:
            with contextlib.suppress(OSError):
                os.write(2, line.encode("utf-8", "backslashreplace")[:4000])
