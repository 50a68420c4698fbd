"""Whether the store can be read and written, for every caller that the host knows: no content, no path."""

from __future__ import annotations

import os
from typing import Any

from store.errors import MemoryError, SourceUnavailable, StoreTooNew
from store.host import LocalProvider
from store.migrations import revisions


def health(provider: LocalProvider) -> dict[str, Any]:
    """Return the contract's health."""
    try:
        with provider.database.reading() as conn:
            conn.exec_driver_sql("SELECT 1 FROM record LIMIT 1").fetchall()
        path = provider.database.location.path
    except StoreTooNew as error:
        return {"status": "unavailable", "message": f"{error.title}."}
    except SourceUnavailable as error:
        return {"status": "unavailable", "message": f"{error.title}; it may be later."}
    except MemoryError as error:
        return {"status": "unavailable", "message": f"{error.title}."}
    details = {"storeForm": revisions()[-1], "ratification": provider.ratified}
    if path is not None and not os.access(path, os.W_OK):
        message = "The store can be read but not written: nothing new is kept."
        return {"status": "degraded", "message": message, "details": details}
    return {"status": "ready", "details": details}
