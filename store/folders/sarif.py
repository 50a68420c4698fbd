"""Findings as SARIF 2.1.0, the form in which code hosts show the results of checks beside the lines.

See https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from store.folders.hygiene import Finding, Kind

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Kind.BROKEN: "error",
    Kind.MISSING: "error",
    Kind.AMBIGUOUS: "warning",
    Kind.UNINDEXED: "warning",
    Kind.WANTED: "note",
    Kind.ORPHAN: "note",
}
_RULES = {
    Kind.BROKEN: "A link leads to a memory that was deleted, rejected or renamed.",
    Kind.MISSING: "MEMORY.md lists a file that is not there.",
    Kind.AMBIGUOUS: "A link has a name that several memories answer to.",
    Kind.UNINDEXED: "MEMORY.md does not list a memory, so the agent does not load it.",
    Kind.WANTED: "A link names a memory that does not exist yet.",
    Kind.ORPHAN: "No link leads to a memory or from it.",
}


def sarif(findings: Iterable[Finding], base: Path, version: str) -> dict[str, Any]:
    """Return a log of one run.

    Args:
        base: the folder that paths are written relative to, as a checkout's root.
        version: of this program.
    """
    rules = [
        {"id": kind.value, "shortDescription": {"text": text}} for kind, text in _RULES.items()
    ]
    driver = {"name": "memory-inbox", "version": version, "rules": rules}
    results = [_result(finding, base.resolve()) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Finding, base: Path) -> dict[str, Any]:
    text = f"{_RULES[finding.kind]} {finding.target}: {finding.message}"
    location: dict[str, Any] = {}
    if finding.path:
        artifact = {"uri": _uri(Path(finding.path), base)}
        region = {"startLine": max(finding.line, 1)}
        location["physicalLocation"] = {"artifactLocation": artifact, "region": region}
    if finding.id:
        location["logicalLocations"] = [{"name": finding.id, "kind": "memory"}]
    return {
        "ruleId": finding.kind.value,
        "level": _LEVELS[finding.kind],
        "message": {"text": text},
        "locations": [location] if location else [],
    }


def _uri(path: Path, base: Path) -> str:
    if path.is_relative_to(base):
        return quote(path.relative_to(base).as_posix())
    return f"file://{quote(path.as_posix())}"
