"""What an import or export did, for people: counts first, then each reason with the files it is true of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from store.folders.report import Outcome
from tui.cli.output import Form, Output, as_fields

if TYPE_CHECKING:
    from store.folders.report import Line, Report
    from store.folders.steps import Action, ExportReport

_SHOWN = 10  # files a reason on a terminal; a pipe and --json get them all
# What needs somebody's attention comes first.
_OUTCOMES = {
    "refused": "not taken",
    "conflict": "conflict",
    "gone": "gone from source",
    "again": "back as a draft",
    "revision": "waits as a revision",
    "updated": "draft brought up to date",
    "renamed": "renamed",
    "skipped": "skipped",
}
_ACTIONS = {
    "fail": "not written",
    "conflict": "conflict",
    "remove": "removed",
    "wait": "left alone",
    "write": "written",
    "change": "changed",
    "keep": "as it should be",
}
_ALARMING = frozenset({"refused", "conflict", "fail"})

Group = tuple[str, str]  # what happened, and why


def show_import(
    output: Output, report: Report, *, dry: bool, explain: bool = False, heading: str = ""
) -> None:
    """Write an import's report; JSON has one object a file and one for the whole."""
    if output.form is Form.JSON:
        for line in report.lines:
            output.json(as_fields(line))
        output.json(
            {
                "summary": {key.value: n for key, n in sorted(report.counts.items()) if n},
                "complete": report.complete,
                "notices": report.notices,
                "dry_run": dry,
            }
        )
        return
    # Of what was looked at, how much is new is told even when nothing is.
    told = {Outcome.NEW: 0, **report.counts} if report.counts.total() else {}
    _say(output, _summary(told, "nothing to import", dry, heading), "bold")
    for notice in report.notices:
        _say(output, notice, "yellow")
    groups = _import_groups(report.lines, explain)
    _show_groups(output, groups)


def show_export(output: Output, report: ExportReport, *, dry: bool, heading: str = "") -> None:
    """Write an export's report; JSON has one object a file and one for the whole."""
    if output.form is Form.JSON:
        for done in report.done:
            output.json(as_fields(done))
        output.json(
            {
                "summary": {key.value: n for key, n in sorted(report.counts.items()) if n},
                "complete": report.complete,
                "unloaded": report.unloaded,
                "dry_run": dry,
            }
        )
        return
    _say(output, _summary(report.counts, "nothing to export", dry, heading), "bold")
    groups: dict[Group, list[str]] = defaultdict(list)
    for done in report.done:
        if done.action != "write" or dry:
            groups[done.action.value, done.why].append(done.path)
    _show_groups(output, _ordered(groups, _ACTIONS))
    if report.unloaded:
        why = "the agent would not load these: MEMORY.md is full, or does not list them"
        _show_groups(output, {("unloaded", why): report.unloaded})


def _import_groups(lines: list[Line], explain: bool) -> dict[Group, list[str]]:
    outcomes: dict[Group, list[str]] = defaultdict(list)
    notes: dict[Group, list[str]] = defaultdict(list)
    reasons: dict[Group, list[str]] = defaultdict(list)
    for line in lines:
        name = f"{line.path} › {line.part}" if line.part else line.path
        if line.outcome.value in _OUTCOMES:
            told = f"{line.path}:{line.line}: {line.verbatim}" if line.verbatim else name
            outcomes[line.outcome.value, line.why].append(told)
        for note in line.notes:
            notes[note.flag.value, note.what].append(name)
        if explain and line.because:
            reasons[f"format {line.format}" if line.format else "no format", line.because].append(
                line.path
            )
    ordered = dict(_ordered(outcomes, _OUTCOMES))
    skipped = {key: ordered.pop(key) for key in list(ordered) if key[0] == _OUTCOMES["skipped"]}
    return {**ordered, **notes, **skipped, **reasons}


def _ordered(groups: Mapping[Group, list[str]], words: Mapping[str, str]) -> dict[Group, list[str]]:
    ranks = {word: rank for rank, word in enumerate(words)}
    keys = sorted(groups, key=lambda key: (ranks[key[0]], key[1]))
    return {(words[key[0]], key[1]): groups[key] for key in keys}


def _show_groups(output: Output, groups: Mapping[Group, list[str]]) -> None:
    for (what, why), names in groups.items():
        style = (
            "red" if what in {_OUTCOMES.get(a) or _ACTIONS.get(a) for a in _ALARMING} else "cyan"
        )
        _say(output, f"{what}: {why} ({len(names)})" if why else f"{what} ({len(names)})", style)
        for name in _shortened(output, names):
            _say(output, f"    {name}", "")


def _shortened(output: Output, names: list[str]) -> Iterator[str]:
    if output.form is Form.TERMINAL and len(names) > _SHOWN:
        yield from names[:_SHOWN]
        yield f"… and {len(names) - _SHOWN} more; --json lists them"
    else:
        yield from names


def _summary(
    counts: Mapping[Outcome, int] | Mapping[Action, int], nothing: str, dry: bool, heading: str
) -> str:
    told = [
        f"{count} {_ACTIONS.get(key.value, key.value)}"
        for key, count in sorted(counts.items(), key=_rank)
        if count or key is Outcome.NEW
    ]
    parts = [heading, "would be" if dry and told else "", ", ".join(told) or nothing]
    return ": ".join(part for part in parts if part)


def _rank(counted: tuple[StrEnum, int]) -> int:
    """Return where an outcome stands among its kind, so that counts come in one order."""
    return list(type(counted[0])).index(counted[0])


def _say(output: Output, text: str, style: str) -> None:
    output.answer(text, {}, style)
