"""Logs for the host: batches through its Log call, and hclog JSON on stderr until that can be used.

hclog JSON as the host parses it: hashicorp/go-plugin, `log_entry.go`. A level, message or time that is
no string crashes the host there, so these three are strings whatever was logged.
"""

from __future__ import annotations

import logging
import math
import os
import select
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from store.wire.logline import LogLine

TRACE = 5  # Python has no level below DEBUG, the host has
LONGEST = 8_000  # characters of a message; a line has to stay under the 64 KiB that the host reads
_BATCH = 100
_WAITING = 10_000  # entries kept for a slow host; beyond that the oldest are lost, and that is said
_PAUSE = 0.2  # seconds between batches
_PATIENCE = (
    50  # ms that a line waits for a stderr that nobody reads: its writer is a call under way
)

_LEVELS = (  # from the highest down: Python's number, the host's word, hclog's word
    (logging.CRITICAL, "fatal", "error"),
    (logging.ERROR, "error", "error"),
    (logging.WARNING, "warn", "warn"),
    (logging.INFO, "info", "info"),
    (logging.DEBUG, "debug", "debug"),
    (TRACE, "trace", "trace"),
)


Send = Callable[[Sequence[LogLine]], bool]


def line_of(record: logging.LogRecord) -> LogLine:
    """Return a logging record as an entry; a ``fields`` dictionary given as extra goes along.

    Never a traceback: its lines are no one's business but the developer's, and can hold a memory's text.
    What was raised, and where, is told instead.
    """
    word = next((word for number, word, _ in _LEVELS if record.levelno >= number), "trace")
    fields = {key: _plain(value) for key, value in getattr(record, "fields", {}).items()}
    if record.exc_info and record.exc_info[1] is not None:
        fields |= where(record.exc_info[1])
    return LogLine(word, record.name, _clean(record.getMessage()), record.created, fields)


def _clean(text: str) -> str:
    """Return a text that has an encoding; names of files can hold bytes that have none."""
    return text[:LONGEST].encode("utf-8", "replace").decode()


def _plain(value: object) -> bool | int | float | str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such numbers
    return value if isinstance(value, bool | int | float | None) else _clean(str(value))


def where(error: BaseException) -> dict[str, str]:
    """Return the class of an error and the place in our code that it came from."""
    trace = error.__traceback__
    place = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{os.path.basename(code.co_filename)}:{trace.tb_lineno} {code.co_name}"
        trace = trace.tb_next
    return {"error": type(error).__name__, "at": place}


def hclog(entry: LogLine) -> bytes:
    """Return an entry as one line of hclog JSON."""
    import json  # not needed on the way to the handshake

    level = next(low for _, word, low in _LEVELS if word == entry.level)
    stamp = datetime.fromtimestamp(entry.seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    line = {
        "@level": level,
        "@message": entry.message,
        "@module": entry.logger,
        "@timestamp": stamp,
        **{key: value for key, value in entry.fields.items() if not key.startswith("@")},
    }
    return json.dumps(line).encode() + b"\n"


class HostLog(logging.Handler):
    """Hands log records to the host while it takes them, and writes the rest to stderr.

    Args:
        send: gives a batch to the host; False when there is no host to be reached, and then the batch
            goes to stderr. Called from one thread at a time.
        ready: tells, at once, whether `send` would reach somebody.
        stderr: descriptor of the stderr that the host reads.
    """

    def __init__(self, send: Send, ready: Callable[[], bool], stderr: int = 2) -> None:
        super().__init__()
        self._send = send
        self._ready = ready
        self._stderr = stderr
        self._waiting: list[LogLine] = []
        self._lost = 0
        self._work = threading.Condition()
        self._sending = threading.Lock()
        self._writing = threading.Lock()
        self._full = self._cut = False
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record for the host, or write it to stderr."""
        try:
            entry = line_of(record)
        except Exception:
            self.handleError(record)
            return
        if self._ready():
            self._queue(entry)
        else:
            self._write([entry])

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 -- logging's name
        """Say that a line could not be logged; logging's own way prints a traceback."""
        self._write(
            [LogLine("error", record.name, "a log line could not be formatted", time.time())]
        )

    def flush(self, seconds: float = 1.0) -> None:
        """Send what waits, now; give up after a while if a batch is stuck on its way."""
        if self._sending.acquire(timeout=seconds):
            try:
                self._send_all()
            finally:
                self._sending.release()

    def _queue(self, entry: LogLine) -> None:
        with self._work:
            if len(self._waiting) >= _WAITING:
                self._waiting.pop(0)
                self._lost += 1
            self._waiting.append(entry)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="host-log", daemon=True)
                self._thread.start()
            self._work.notify()

    def _run(self) -> None:
        while True:
            with self._work:
                self._work.wait_for(lambda: self._waiting)
            # More lines tend to follow at once: one batch of many beats many of one.
            time.sleep(_PAUSE)
            self.flush()

    def _send_all(self) -> None:
        while batch := self._take():
            if not self._send(batch):
                self._write(batch)

    def _take(self) -> list[LogLine]:
        with self._work:
            batch, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
            if self._lost:
                told = f"{self._lost} older log lines were lost: the host took them too slowly"
                batch.append(LogLine("warn", __name__, told, time.time()))
                self._lost = 0
            return batch

    def _write(self, entries: Sequence[LogLine]) -> None:
        with self._writing:
            for entry in entries:
                try:
                    self._write_line(hclog(entry))
                except OSError:
                    return  # nobody reads any more

    def _write_line(self, line: bytes) -> None:
        """Write a line as far as the pipe takes it: a full one must not hold the calls that log.

        A line that was cut short is ended before the next. The pipe is shared with the host or with its
        terminal, so it cannot be made one that never blocks.
        """
        line = b"\n" + line if self._cut else line
        room = select.poll()
        room.register(self._stderr, select.POLLOUT)
        # A pipe that says it has room takes so many bytes at once.
        for start in range(0, len(line), select.PIPE_BUF):
            if not room.poll(0 if self._full else _PATIENCE):
                self._full, self._cut = True, self._cut or start > 0
                return
            os.write(self._stderr, line[start : start + select.PIPE_BUF])
            self._full, self._cut = False, False


def install(handler: HostLog, level: int = logging.INFO) -> None:
    """Make the handler the only one: nothing else may write to the host's pipes."""
    logging.addLevelName(TRACE, "TRACE")
    handler.setLevel(level)  # a log file may want more than the host
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for ours in ("store", "render"):
        logging.getLogger(ours).setLevel(level)
    logging.raiseExceptions = False
