"""``python -m tests.load ENGINE``: writers and readers on one store for a minute.

Exits with 1 if anything was lost, or a caller was told of an error that it must not see.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.load.running import Outcome, run
from tests.postgresql import Server, running


def main() -> int:
    """Run what the arguments ask for; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("engine", choices=["sqlite", "postgresql"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument(
        "--kill", action="store_true", help="kill the server half-way, and start it again"
    )
    asked = parser.parse_args()
    if asked.kill and asked.engine == "sqlite":
        parser.error("there is no server to kill; tests/store/test_crash.py kills SQLite's writers")
    with _place(asked.engine) as (place, server):
        outcome = run(
            place,
            writers=asked.writers,
            readers=asked.readers,
            seconds=asked.seconds,
            disturb=(lambda: restart(server)) if asked.kill and server else None,
        )
    killed = ", the server killed half-way" if asked.kill else ""
    print(
        f"{asked.engine}, {asked.writers} writers and {asked.readers} readers on {os.cpu_count()} cores,"
        f" {outcome.seconds:.0f} s{killed}\n"
    )
    print("\n".join(report(outcome)))
    return 0 if outcome.good else 1


def restart(server: Server) -> None:
    """Kill a server with all its processes, and start it again."""
    server.kill()
    server.start()


@contextmanager
def _place(engine: str) -> Iterator[tuple[str, Server | None]]:
    with ExitStack() as stack:
        if engine == "sqlite":
            directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="load-"))
            yield str(Path(directory) / "inbox.db"), None
        else:
            server = stack.enter_context(running(durable=True))
            yield stack.enter_context(server.database()), server


def report(outcome: Outcome) -> Iterator[str]:
    """Yield the lines of a table, and what came of it all."""
    yield "| call | times | a second | p50 ms | p99 ms | longest ms |"
    yield "|---|---:|---:|---:|---:|---:|"
    for kind, seconds in outcome.calls.items():
        values = sorted(seconds)
        p50, p99 = (values[int(len(values) * share)] * 1000 for share in (0.5, 0.99))
        rate = len(values) / outcome.seconds
        yield (
            f"| {kind} | {len(values):,} | {rate:.0f} | {p50:.1f} | {p99:.1f}"
            f" | {values[-1] * 1000:.0f} |"
        )
    yield ""
    yield (
        f"{outcome.writes:,} writes acknowledged, {len(outcome.lost)} lost;"
        f" {len(outcome.errors)} errors that a caller must not see;"
        f" {outcome.away} calls told that the store was away;"
        f" journal of {outcome.lines:,} lines whole; findings of doctor: {len(outcome.findings)}"
    )
    yield from (f"lost: {id}" for id in outcome.lost[:20])
    yield from (f"error: {error}" for error in outcome.errors[:20])
    yield from (f"found: {finding}" for finding in outcome.findings)


if __name__ == "__main__":
    sys.exit(main())
