"""What `serve` says on the terminal that it runs in."""

from __future__ import annotations

import logging
import sys

from tui.cli.serving import LogLines


def test_a_log_line_is_shown_not_obeyed() -> None:
    record = logging.LogRecord(
        "store", logging.WARNING, "", 0, "not %s", ("\x1b[2J\nagreed",), None
    )
    assert LogLines().format(record) == "WARNING store: not ␛[2J␊agreed"


def test_an_error_is_named_without_the_text_that_it_quotes() -> None:
    try:
        raise ValueError("a memory's words \x1b[2J")
    except ValueError:
        record = logging.LogRecord("store", logging.ERROR, "", 0, "failed", (), sys.exc_info())
    line = LogLines().format(record)
    assert line.startswith("ERROR store: failed error=ValueError at=test_serving.py:")
    assert "words" not in line
