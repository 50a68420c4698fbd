"""Short load runs: eight writers and four readers on each engine, and a server that is killed meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.__main__ import report, restart
from tests.load.running import Outcome, run
from tests.load.workers import State, text_of
from tests.postgresql import INSTALL, programs, running

CYCLES = 4


def writes_of(cycles: int) -> int:
    """How many writes a writer makes that nobody disturbs."""
    once = cycles + cycles  # recorded, and decided
    updated = sum(number % 3 == 0 and number % 4 != 0 for number in range(1, cycles + 1))
    deleted = sum(
        number % 5 == 0 and number % 4 != 0 and number % 3 != 0 for number in range(cycles + 1)
    )
    return once + 2 * updated + deleted


def test_nothing_is_lost_and_no_error_seen_under_load(where: str) -> None:
    outcome = run(where, cycles=CYCLES)
    assert outcome.good, "\n".join(report(outcome))
    assert outcome.away == 0
    assert outcome.writes == outcome.lines == 8 * writes_of(CYCLES)
    assert {"list", "search", "recall", "count"} <= set(outcome.calls)


def test_every_acknowledged_write_is_there_after_the_server_was_killed() -> None:
    if programs() is None:
        pytest.skip(INSTALL)
    with running(durable=True) as server, server.database() as url:
        outcome = run(url, cycles=CYCLES, disturb=lambda: restart(server))
    assert outcome.good, "\n".join(report(outcome))
    assert outcome.writes > 0


def test_a_write_that_is_not_there_is_called_lost(tmp_path: Path) -> None:
    from store.local import open_desk
    from tests.load.running import _compare
    from tests.load.workers import Told

    place = str(tmp_path / "inbox.db")
    open_desk(place).close()
    expected: dict[str, State] = {"writer0-1": ("canonical", text_of("writer0-1", 1)), "gone": None}
    outcome: Outcome = _compare(place, 1.0, [Told(expected=expected, errors=["list: torn"])])
    assert (outcome.lost, outcome.errors, outcome.good) == (("writer0-1",), ("list: torn",), False)
