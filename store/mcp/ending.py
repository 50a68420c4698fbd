"""How the process ends: at a signal or the end of its input, with nothing of the store left open."""

from __future__ import annotations

import signal
import threading

import anyio

from store.host import LocalProvider

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_PATIENCE = 2.0  # seconds for a write that is under way


def close(memory: LocalProvider) -> None:
    """Release the store, waiting only a little for a write that is under way."""
    closing = threading.Thread(target=memory.close, name="close", daemon=True)
    closing.start()
    closing.join(_PATIENCE)


async def wait_for_signal() -> None:
    """Return once a signal asks for the end."""
    with anyio.open_signal_receiver(*SIGNALS) as received:
        async for _ in received:
            return
