"""A log file for whoever looks for a fault: one JSON object a line, the same from every door.

No memory's text and no traceback gets here: `store.plugin.logs.line_of` tells an error's kind and place only.
What a name holds that is hidden or controls a terminal shows.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum

from render.visible import visible
from store.errors import InvalidArgument
from store.plugin.logs import line_of

FILE, LEVEL = "MEMORY_INBOX_LOG_FILE", "MEMORY_INBOX_LOG_LEVEL"
"""Where the environment says the file and the level: a plugin has no command line."""

OURS = ("store", "render", "tui")

_log = logging.getLogger(__name__)


class Level(StrEnum):
    """The least that is written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def number(self) -> int:
        """The level as `logging` counts them."""
        return int(getattr(logging, self.name))


class JsonLines(logging.Formatter):
    """A record as one line of JSON: ``time``, ``level``, ``logger``, ``message`` and the fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without its end."""
        entry = line_of(record)
        fields = {key: _shown(value) for key, value in entry.fields.items()}
        line = {
            **fields,
            "time": datetime.fromtimestamp(entry.seconds, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": entry.logger,
            "message": visible(entry.message),
            "process": record.process,
        }
        return json.dumps(line, ensure_ascii=False)


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) else value


def log_to(path: str, level: Level = Level.INFO) -> logging.Handler:
    """Append to a file from now on, made for its owner alone; returns the handler that does.

    Raises:
        InvalidArgument: it cannot be written.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600))
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InvalidArgument(f"the log file cannot be written: {error.strerror}") from error
    handler.setFormatter(JsonLines())
    handler.setLevel(level.number)
    logging.getLogger().addHandler(handler)
    for name in OURS:
        logger = logging.getLogger(name)
        logger.setLevel(min(level.number, logger.level or level.number))
    return handler


def log_as_environment_says(environ: Mapping[str, str], door: str) -> None:
    """Append to the file that the environment names, if any; one that cannot be written is a warning.

    Args:
        door: what was started, as in ``plugin``.
    """
    if not environ.get(FILE) or _log_files():
        return
    try:
        log_to(environ[FILE], Level(environ.get(LEVEL, Level.INFO).casefold()))
    except (InvalidArgument, ValueError) as error:
        _log.warning("no log file: %s", error)
    else:
        _log.info("started", extra={"fields": {"command": door}})


def _log_files() -> list[logging.Handler]:
    """Return the handlers that `log_to` has made and that still stand."""
    return [each for each in logging.getLogger().handlers if isinstance(each.formatter, JsonLines)]
