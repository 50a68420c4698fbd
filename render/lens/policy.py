"""What an operator has set about the lens: rules that weigh more or less, sources that are trusted or not.

Pure and light: it judges what the rules found and needs none of them. Nothing is set unless the operator's
settings set it; nothing that an agent writes can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase

from render.lens.finding import Finding, Severity

OFF = "off"
LEVELS = (OFF, *(severity.value for severity in Severity))
"""What a rule may be set to: silent, or the severity that all of its findings have."""

RULES = (
    "hidden-characters",
    "look-alikes",
    "hiding",
    "secrets",
    "instructions",
    "provenance",
    "recall-echo",
)
"""The rules by name; named here so that settings can be checked without loading what they are made of."""

TRUST = "trust"
"""The rule of what this module itself says; it cannot be set."""


class Trust(StrEnum):
    """How an operator regards a source."""

    TRUSTED = "trusted"  # its warnings are notes and flag nothing; dangers stay dangers
    DISTRUSTED = "distrusted"  # all that comes from it is flagged


@dataclass(frozen=True, slots=True)
class Policy:
    """What was set.

    Args:
        rules: by the name of a rule one of `LEVELS`; a rule that is not there is as it comes.
        trust: by a pattern of a source's names (``*`` stands for anything); the first that fits counts.
        provider: the address of another provider, whose records are judged; empty for the operator's store.
    """

    rules: Mapping[str, str] = field(default_factory=dict)
    trust: Mapping[str, Trust] = field(default_factory=dict)
    provider: str = ""

    def judge(self, found: Iterable[Finding], *writers: str, kind: str = "") -> tuple[Finding, ...]:
        """Return findings as they weigh for this operator, the worst first, each change with its reason.

        Args:
            writers: who wrote what they are about; they are trusted if each of them is.
            kind: of the session that wrote it, where that is known: ``owner`` or ``conversation``.
        """
        judged = list(self._weighed(found))
        trust = self._trust_in_all(writers, kind)
        if trust is Trust.DISTRUSTED:
            judged.append(
                Finding(
                    TRUST,
                    Severity.WARNING,
                    "comes from a source that your settings distrust",
                    field="source",
                )
            )
        elif trust is Trust.TRUSTED:
            judged = [_eased(finding) for finding in judged]
        return tuple(sorted(judged, key=lambda finding: -finding.severity.rank))

    def _trust_in_all(self, writers: Iterable[str], kind: str) -> Trust | None:
        found = {self.trust_in(writer, kind) for writer in writers}
        if Trust.DISTRUSTED in found:
            return Trust.DISTRUSTED
        return Trust.TRUSTED if found == {Trust.TRUSTED} else None

    def trust_in(self, recorded_by: str, kind: str = "") -> Trust | None:
        """Return how a source is regarded, None when nothing is set about it.

        What is said of the operator's own sources is not said of another provider's, whatever it calls them.
        """
        if self.provider:
            names = [f"provider:{self.provider} {recorded_by}"]
        else:
            names = [recorded_by, *([f"{kind}:{recorded_by}"] if kind else [])]
        for pattern, trust in self.trust.items():
            if any(fnmatchcase(name, pattern) for name in names):
                return trust
        return None

    def _weighed(self, found: Iterable[Finding]) -> Iterator[Finding]:
        for finding in found:
            level = self.rules.get(finding.rule)
            if level is None or level == finding.severity:
                yield finding
            elif level != OFF:
                told = f"{finding.reason} (a {level} by your settings)"
                yield replace(finding, severity=Severity(level), reason=told)


def _eased(finding: Finding) -> Finding:
    if finding.severity is not Severity.WARNING:
        return finding
    told = f"{finding.reason} (a note: your settings trust its source)"
    return replace(finding, severity=Severity.NOTE, reason=told)


AS_IT_COMES = Policy()
"""Nothing is set: every rule with its own severities, no source trusted more than another."""
