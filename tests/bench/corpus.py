"""Memories by the million, of the shape that real ones have, and queries for them.

Nothing is random twice: the same seed gives the same memories. Words are made up but for the commonest,
and follow Zipf's law; a memory also speaks of its project in that project's own words. Sizes, types,
scopes, links, identifiers and scripts occur as often as they were counted in real memory folders.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

_COMMON = """
the of and to a in is it for on that with as be are this by not or at from an when we if must was use only
has but all can before after then so one no do how which what where into over than out should our its
there new same first set each also without does them up already never between
"""
COMMONEST = _COMMON.split()
SEED = 7
VOCABULARY = 60_000
TOPIC = 240  # words that are a project's own
PER_PROJECT = 200  # memories
_STARTS = "b c d f g h j k l m n p r s t v w z br ch cl dr fl gr pl pr sh sl st th tr"
_MIDDLES = "a a e e i i o o u ai ea ie ou"
_ENDS = "n r l t s m nd st ng"
_ONSETS, _VOWELS = _STARTS.split(), _MIDDLES.split()
_CODAS = [*_ENDS.split(), "", "", "", ""]
_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Memory:
    """One generated memory; ``links`` are ids of earlier ones, or of none."""

    id: str
    title: str
    content: str
    type: str
    scope: str
    status: str
    project_root: str
    session_id: str
    created_at: int
    links: tuple[str, ...] = field(default=())


class Corpus:
    """The memories of a seed.

    Args:
        size: how many.
    """

    def __init__(self, size: int, seed: int = SEED) -> None:
        self.size = size
        self._seed = seed
        self._random = random.Random(seed)

    @cached_property
    def words(self) -> list[str]:
        """The vocabulary, commonest first."""
        rng = random.Random(self._seed)
        made = dict.fromkeys(COMMONEST)
        while len(made) < VOCABULARY:
            syllables = rng.choice((1, 2, 2) if len(made) < 3000 else (2, 2, 3, 3))
            parts = (
                rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS)
                for _ in range(syllables)
            )
            made.setdefault("".join(parts))
        return list(made)

    @cached_property
    def cjk(self) -> list[str]:
        """Words of two characters, commonest first."""
        rng = random.Random(self._seed)
        return [
            chr(rng.randrange(0x4E00, 0x5E00)) + chr(rng.randrange(0x4E00, 0x5E00))
            for _ in range(8000)
        ]

    def topic(self, project: int) -> list[str]:
        """Return the words that are a project's own: rare elsewhere."""
        rng = random.Random(f"{self._seed}/{project}")
        return [self.words[rng.randrange(400, VOCABULARY)] for _ in range(TOPIC)]

    def __iter__(self) -> Iterator[Memory]:
        rng = random.Random(self._seed)
        projects = max(1, self.size // PER_PROJECT)
        recent: dict[int, list[str]] = {}
        topics: dict[int, list[str]] = {}
        for n in range(self.size):
            project = int(projects * rng.random() ** 1.5)  # some are much larger than others
            if project not in topics:
                topics[project] = self.topic(project)
            earlier = recent.setdefault(project, [])
            memory = self._memory(n, project, topics[project], earlier, rng)
            earlier.append(memory.id)
            del earlier[:-50]
            yield memory

    def _memory(
        self, n: int, project: int, topic: list[str], earlier: list[str], rng: random.Random
    ) -> Memory:
        title = self._title(topic, rng)
        links = tuple(self._link(earlier, rng) for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 4))))
        scope = rng.choices(("project", "global", "session"), (70, 27, 3))[0]
        type = rng.choices(("project", "feedback", "reference", "user"), (64, 26, 7, 3))[0]
        return Memory(
            id=f"{title.lower().replace(' ', '-')[:60]}-{n}",
            title=title,
            content=self._content(topic, links, rng),
            type=type,
            scope=scope,
            status="pending" if rng.random() < 0.03 else "canonical",
            project_root=f"/home/dev/{topic[0]}/{topic[1]}-{project}",
            session_id=f"session-{n // 40}",
            created_at=1_700_000_000_000_000 + n * (700 * _DAY // self.size),
            links=links,
        )

    def _title(self, topic: list[str], rng: random.Random) -> str:
        if rng.random() < 0.04:
            return "".join(self._zipf(self.cjk, rng, rng.randint(3, 7)))
        words = [
            rng.choice(topic) if rng.random() < 0.4 else self.words[int(VOCABULARY ** rng.random())]
            for _ in range(rng.choice((3, 4, 4, 5, 5, 6, 7, 8)))
        ]
        return " ".join(words).capitalize()

    def _content(self, topic: list[str], links: tuple[str, ...], rng: random.Random) -> str:
        length = min(2500, max(12, int(rng.lognormvariate(4.75, 0.85))))  # words; mean about 165
        if rng.random() < 0.04:
            return self._chinese(length, links, rng)
        words = self._zipf(self.words, rng, length)
        for _ in range(length // 6):
            words[int(length * rng.random())] = topic[int(TOPIC ** rng.random())]
        for _ in range(length // 40):
            words[int(length * rng.random())] = self._identifier(topic, rng)
        lines = []
        while words:
            count = rng.randint(8, 22)
            lines.append(" ".join(words[:count]).capitalize() + ".")
            del words[:count]
        if rng.random() < 0.5:
            lines[-1] = f"**Why:** {lines[-1]}"
            lines.append(f"**How to apply:** {' '.join(self._zipf(self.words, rng, 9))}.")
        lines.extend(f"See [[{link}]]." for link in links)
        return "\n".join(lines)

    def _chinese(self, length: int, links: tuple[str, ...], rng: random.Random) -> str:
        words = self._zipf(self.cjk, rng, length)
        text = "。".join("".join(words[at : at + 9]) for at in range(0, length, 9))
        return text + "".join(f"\n见[[{link}]]" for link in links)

    def _identifier(self, topic: list[str], rng: random.Random) -> str:
        first, second, third = (topic[int(TOPIC ** rng.random()) - 1] for _ in range(3))
        shapes = (
            f"{first}_{second}",
            f"{first}{second.capitalize()}",
            f"src/{first}/{second}_{third}.py",
            f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            f"#{rng.randint(1, 9999)}",
        )
        return rng.choice(shapes)

    def _link(self, earlier: list[str], rng: random.Random) -> str:
        if not earlier or rng.random() < 0.04:
            return f"wanted-{rng.randrange(10**6)}"
        return rng.choice(earlier)

    def _zipf(self, words: list[str], rng: random.Random, count: int) -> list[str]:
        size, draw = len(words), rng.random
        return [words[int(size ** draw()) - 1] for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Query:
    """A sentence about one memory, as somebody who remembers it half would type it."""

    text: str
    sought: str


def sentence(id: str, title: str, content: str, rng: random.Random) -> Query:
    """Return a natural sentence about a memory: words of its title and text among common ones."""
    words = title.lower().split()
    body = [word for word in content.split() if word.isalpha() and len(word) > 3]
    known = rng.sample(words, min(len(words), 3)) + rng.sample(body, min(len(body), 3))
    rng.shuffle(known)
    for _ in range(rng.randint(3, 6)):
        known.insert(rng.randint(0, len(known)), rng.choice(COMMONEST))
    return Query(" ".join(known), id)


def misspelt(text: str, rng: random.Random) -> str:
    """Return a title with one letter wrong in every word, or its words in another order."""
    words = text.split(" ")
    if rng.random() < 0.25:
        rng.shuffle(words)
        return " ".join(words)
    return " ".join(_wrong(word, rng) if rng.random() < 0.8 else word for word in words)


def _wrong(word: str, rng: random.Random) -> str:
    if len(word) < 5:
        return word
    at = rng.randrange(1, len(word) - 1)
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at:],
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
