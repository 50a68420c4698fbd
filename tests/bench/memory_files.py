"""Import a folder of generated memory files with the oddities of real ones, twice, and say what it cost.

Run it with ``python -m tests.bench.memory_files [FILES]``. The mix is that of 20,355 real files: how many
have a BOM, CRLF, damaged bytes, escape codes, NULs, invalid frontmatter, spaces or other scripts in their
names, how many are empty or larger than 100 KB.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from store.folders.importer import import_folder
from store.folders.report import Outcome
from store.local import open_desk

SEED = 20_355
OF = 20_355
MIX = {
    "bom": 19,
    "crlf": 177,
    "damaged": 3,
    "escapes": 13,
    "nul": 1,
    "empty": 445,
    "large": 87,
    "symlink": 30,
    "other script": 225,
    "space": 3_478,
    "rule": 4_071,
    "invalid yaml": 980,
}
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "is")]


def generate(folder: Path, files: int) -> Counter[str]:
    """Write the files and return how many have each oddity."""
    rng = random.Random(SEED)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(6_000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    odd: Counter[str] = Counter()
    for number in range(files):
        traits = {trait for trait, count in MIX.items() if rng.random() < count / OF}
        odd.update(traits)
        parent = folder / f"project {number % 17}" / ("memory" if number % 3 else "notes")
        parent.mkdir(parents=True, exist_ok=True)
        path = parent / _name(number, traits, rng, words)
        if "symlink" in traits:
            path.symlink_to(f"../elsewhere-{number}.md")
        else:
            path.write_bytes(_content(number, traits, rng, words, weights))
    return odd


def _name(number: int, traits: set[str], rng: random.Random, words: list[str]) -> str:
    joint = " " if "space" in traits else rng.choice("-_")
    name = joint.join([*rng.sample(words, 2), str(number)])
    return f"{'記憶' if 'other script' in traits else ''}{name}.md"


def _content(
    number: int, traits: set[str], rng: random.Random, words: list[str], weights: list[float]
) -> bytes:
    if "empty" in traits:
        return b""
    count = 20_000 if "large" in traits else min(int(rng.lognormvariate(4.9, 0.8)) + 5, 4_000)
    told = rng.choices(words, weights, k=count)
    lines = [" ".join(told[at : at + 12]) for at in range(0, len(told), 12)]
    lines.append(
        f"See [[{rng.choice(words)}]] and [[{rng.choice(words)}-{rng.randrange(number + 1)}]]."
    )
    if "rule" in traits:
        lines[len(lines) // 2 : len(lines) // 2] = ["", "---", ""]
    if "nul" in traits:
        lines.append("x" * 35_373 + "\0" * 920)
    if "escapes" in traits:
        lines.append("\x1b[31mred\x1b[0m")
    colon = ": and so on" if "invalid yaml" in traits else ""
    kind = rng.choices(["project", "feedback", "reference", "user"], [424, 170, 49, 7])[0]
    head = [
        "---",
        f"name: {' '.join(rng.sample(words, 3))} {number}",
        f"description: {lines[0][:80]}{colon}",
    ]
    head += (
        ["metadata: ", f"  type: {kind}", "---", ""]
        if rng.random() < 0.67
        else [f"type: {kind}", "---"]
    )
    text = "\n".join([*(head if rng.random() < 0.8 else []), *lines, ""])
    data = text.replace("\n", "\r\n" if "crlf" in traits else "\n").encode()
    if "damaged" in traits:
        data += b"An en dash \xe2\x80S damaged.\n"
    return (b"\xef\xbb\xbf" if "bom" in traits else b"") + data


def run(store: str, folder: str) -> None:
    """Import a folder in this process alone and print what it cost."""
    started = time.perf_counter()
    with_desk = open_desk(store)
    report = import_folder(with_desk, Path(folder))
    seconds = time.perf_counter() - started
    with_desk.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(report.counts.items()))
    print(f"{seconds:.1f} s, {peak:.0f} MB at most: {counts}; {len(report.bent)} bent")
    refused = sum(1 for line in report.lines if line.outcome is Outcome.REFUSED)
    assert report.counts[Outcome.REFUSED] == refused


def main(files: int) -> None:
    """Generate, then import twice, each time in a process of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "memories"
        odd = generate(folder, files)
        size = sum(path.stat().st_size for path in folder.rglob("*.md") if not path.is_symlink())
        print(
            f"{files} files, {size / 1e6:.0f} MB:",
            ", ".join(f"{n} {what}" for what, n in odd.items()),
        )
        for _ in range(2):
            call = [
                sys.executable,
                "-m",
                __spec__.name,
                str(Path(scratch) / "inbox.db"),
                str(folder),
            ]
            subprocess.run(call, check=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run(sys.argv[1], sys.argv[2])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
