"""Work off the UI thread: every call of the store runs here, and no error of one is lost.

A job is a function that returns the message saying what it found out. It runs in a thread; its message is
posted to the node that asked, unless a newer job of the same group has taken its place. Whatever it
raises becomes a `JobFailed`, posted to the same node, and bubbles to the app, which draws it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.worker import Worker, WorkerState

from tui.failures import Failure, describe_failure
from tui.messages import JobFailed

_log = logging.getLogger(__name__)

Work = Callable[[], Message | None]


@dataclass(frozen=True, slots=True)
class _Job:
    asker: DOMNode
    group: str
    description: str


class Jobs:
    """The running jobs of an app, and the failures of all that ever ran.

    Workers run on the app, so leaving a screen neither cancels its jobs nor hides their errors.
    """

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._jobs: WeakKeyDictionary[Worker[Message | None], _Job] = WeakKeyDictionary()
        self.failures: list[Failure] = []

    def start(
        self, asker: DOMNode, work: Work, *, group: str, description: str, exclusive: bool = True
    ) -> Worker[Message | None]:
        """Run ``work`` in a thread and post the message it returns to ``asker``.

        Args:
            work: called off the UI thread; may post progress with ``asker.post_message``.
            group: names the kind of job, app-wide; with ``exclusive`` a new job replaces the running one.
            description: completes "failed while …".
        """
        worker = self._app.run_worker(
            work,
            name=group,
            group=group,
            description=description,
            exit_on_error=False,
            exclusive=exclusive,
            thread=True,
        )
        self._jobs[worker] = _Job(asker, group, description)
        return worker

    def settle(self, event: Worker.StateChanged) -> None:
        """Deliver what a finished job returned or raised; the app calls this for every worker."""
        worker = event.worker
        job = self._jobs.get(worker)
        if event.state is WorkerState.SUCCESS and job and worker.result is not None:
            if job.asker.is_attached:
                job.asker.post_message(worker.result)
            _log.debug("job done", extra={"fields": {"job": job.group}})
        elif event.state is WorkerState.ERROR and worker.error is not None:
            _log.error("job failed", exc_info=worker.error, extra={"fields": {"job": worker.group}})
            doing = job.description if job else worker.description
            failure = describe_failure(worker.error, doing)
            self.failures.append(failure)
            asker = job.asker if job and job.asker.is_attached else self._app
            asker.post_message(JobFailed(job.group if job else worker.group, failure))
