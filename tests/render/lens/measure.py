"""Print how well the lens does on its corpus: ``python -m tests.render.lens.measure``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from render.lens.finding import Severity
from render.lens.lens import DEFAULT
from tests.render.lens.corpus import Case, benign, hostile


@dataclass(slots=True)
class Measured:
    """Counts over the corpus; ``missed`` and ``false_alarms`` are the cases behind them."""

    hostile: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    missed: list[Case] = field(default_factory=list)
    benign: int = 0
    false_alarms: list[tuple[Case, str]] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of hostile texts whose rule spoke up, flagging them."""
        return self.caught.total() / self.hostile.total()

    @property
    def precision(self) -> float:
        """Share of flagged texts that are hostile."""
        return self.caught.total() / (self.caught.total() + len(self.false_alarms))

    @property
    def false_alarm_rate(self) -> float:
        """Share of benign texts that were flagged."""
        return len(self.false_alarms) / self.benign


def measure() -> Measured:
    """Look at every text of the corpus; a note alone flags nothing and counts for nothing."""
    result = Measured()
    for case in hostile():
        result.hostile[case.rule] += 1
        found = DEFAULT.look(case.text)
        if any(f.rule == case.rule and f.severity is not Severity.NOTE for f in found):
            result.caught[case.rule] += 1
        else:
            result.missed.append(case)
    for case in benign():
        result.benign += 1
        found = DEFAULT.look(case.text)
        if DEFAULT.is_flagged(found):
            result.false_alarms.append((case, found[0].rule))
    return result


def main() -> None:
    """Print the figures and each text that was judged wrongly."""
    result = measure()
    print(f"hostile {result.hostile.total()}  benign {result.benign}")
    print(f"recall {result.recall:.3f}  precision {result.precision:.3f}", end="  ")
    print(f"false alarms {result.false_alarm_rate:.2%} of benign texts")
    for rule, count in sorted(result.hostile.items()):
        print(f"  {rule:<18} {result.caught[rule]:>3} of {count:>3}")
    for case in result.missed:
        print(f"missed       {case.rule}: {case.text[:90]!a}")
    for case, rule in result.false_alarms:
        print(f"false alarm  {rule}: {case.text[:90]!a}")


if __name__ == "__main__":
    main()
