"""The files of an export that the host may show: those that the store wrote there, and nothing else."""

from __future__ import annotations

import stat
from collections import defaultdict
from pathlib import Path, PurePosixPath
from typing import Any

from store.folders.walk import storable
from store.host import LocalProvider
from store.reader import reader_of

_CONTENT_TYPES = {".md": "markdown", ".json": "json", ".jsonl": "json"}
_SOURCES = """
    SELECT source.path, record.agent_id = '' FROM source
    LEFT JOIN record ON record.id = source.record_id AND record.status = 'canonical'
    WHERE source.root = ? AND NOT source.gone AND source.part <> '*'
"""


def artifacts(provider: LocalProvider, folder: Path | None) -> list[dict[str, Any]]:
    """Return the host's description of each exported file that is there; none without a folder.

    A file that holds anything besides approved records that are nobody's in particular is left out.
    """
    if folder is None or not folder.is_dir():
        return []
    root = folder.resolve()
    shown: dict[str, list[bool]] = defaultdict(list)
    with provider.database.reading() as conn:
        for path, nobodys in reader_of(conn).all(_SOURCES, storable(str(root))):
            shown[path].append(bool(nobodys))
    return [
        {
            "kind": "memory",
            "workspaceDir": str(root),
            "relativePath": path,
            "absolutePath": str(root / path),
            "agentIds": [],
            "contentType": _CONTENT_TYPES.get(PurePosixPath(path).suffix.lower(), "text"),
        }
        for path, allowed in sorted(shown.items())
        if all(allowed) and _is_file(root, path)
    ]


def _is_file(root: Path, path: str) -> bool:
    """Tell whether a path is that of a file below the root, no symbolic link on the way."""
    parts = PurePosixPath(path).parts
    place = root
    for index, part in enumerate(parts):
        if part in ("..", "/"):
            return False
        place = place / part
        try:
            mode = place.lstat().st_mode
        except (OSError, ValueError):
            return False
        wanted = stat.S_ISREG if index == len(parts) - 1 else stat.S_ISDIR
        if not wanted(mode):
            return False
    return bool(parts)
