"""YAML frontmatter as agents write it: a third of a percent is not YAML, and YAML mangles more than that.

Values come out as the strings that are in the file. Nothing is typed: no date, number, bool or null.
Where the block is not YAML, or YAML would cut an unquoted value short (`` #``) or lose it (``- #tag``),
the lines themselves are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

Value = str | list[str] | dict[str, str]

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FENCE = re.compile(r"---[ \t]*")
_END = re.compile(r"(?:---|\.\.\.)[ \t]*")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(?P<value>.*))?$")
_PLAIN = re.compile(r"[\w(/.][^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*")
_TYPED = re.compile(
    r"(?i)(?:null|true|false|yes|no|on|off|[\d.+\-_:eTZ ]+|0[xo][\da-f]+|\.(?:inf|nan))"
)
_NOT_PLAIN = tuple("\"'|>&*!%@`[{")
_MAX_KEY = 100
_MAX = 256 * 1024  # larger than any real frontmatter; a bound on what the YAML parser is given


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """A file's text in two: ``head`` with its fences and the blank lines after it, and the ``body``.

    Keys are lower-case. ``bent`` lists what was recovered from the raw lines, in words for a report.
    """

    head: str
    body: str
    fields: Mapping[str, Value] = field(default_factory=dict)
    bent: tuple[str, ...] = ()

    def text(self, *keys: str) -> str:
        """Return the first of these top-level fields that is a non-blank string, without blank ends."""
        for key in keys:
            value = self.fields.get(key)
            if isinstance(value, str) and value.strip() not in ("", "null", "~"):
                return value.strip()
        return ""

    def nested(self, outer: str, key: str) -> str:
        """Return a string one level down, empty when it is not there."""
        value = self.fields.get(outer)
        return value.get(key.lower(), "") if isinstance(value, dict) else ""

    def items(self, *keys: str) -> tuple[str, ...]:
        """Return the first of these fields that is there as a list; a lone string is split at commas."""
        for key in keys:
            value = self.fields.get(key)
            if isinstance(value, list):
                return tuple(item for item in value if item)
            if isinstance(value, str) and value:
                return tuple(part.strip() for part in value.split(",") if part.strip())
        return ()


def split(text: str) -> Frontmatter:
    """Take a text apart; without frontmatter, ``head`` and ``fields`` are empty."""
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None or not _FENCE.fullmatch(lines[first]):
        return Frontmatter("", text)
    last = next((at for at in range(first + 1, len(lines)) if _END.fullmatch(lines[at])), None)
    if last is None:
        return Frontmatter("", text)
    block = lines[first + 1 : last]
    if not _is_mapping(block):  # two rules with prose between them
        return Frontmatter("", text)
    body_from = last + 1
    while body_from < len(lines) - 1 and not lines[body_from].strip():
        body_from += 1
    head = "\n".join(lines[:body_from]) + ("\n" if body_from < len(lines) else "")
    fields, bent = parse("\n".join(block))
    if first:
        bent = ("blank lines before the frontmatter", *bent)
    return Frontmatter(head, "\n".join(lines[body_from:]), fields, bent)


def parse(block: str) -> tuple[dict[str, Value], tuple[str, ...]]:
    """Return the fields between the fences, and what had to be recovered."""
    raw = _raw_fields(block)
    try:
        loaded = yaml.load(block, Loader=_Loader) if len(block) <= _MAX else None  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError):
        return _lenient(raw), ("the frontmatter is not valid YAML",)
    if not isinstance(loaded, dict):
        return _lenient(raw), ("the frontmatter is not valid YAML",)
    bent: list[str] = []
    fields = {
        key: _recover(key, value, raw, bent)
        for key, value in ((str(name).lower(), value) for name, value in loaded.items())
    }
    return fields, tuple(bent)


def set_field(head: str, key: str, value: str) -> str:
    """Return a head with one top-level field changed, or added last; every other line stays as it was."""
    lines = head.split("\n")
    first = next(at for at, line in enumerate(lines) if _FENCE.fullmatch(line))
    last = next(at for at in range(first + 1, len(lines)) if _END.fullmatch(lines[at]))
    for at in range(first + 1, last):
        found = _key(lines[at])
        if found and not found.indent and found.name == key:
            end = at + 1
            while end < last and lines[end][:1] in (" ", "\t", "-"):
                end += 1
            label = lines[at][: lines[at].index(":", len(found.name))]
            return "\n".join([*lines[:at], f"{label}: {scalar(value)}", *lines[end:]])
    return "\n".join([*lines[:last], f"{key}: {scalar(value)}", *lines[last:]])


def scalar(value: str) -> str:
    """Write a string as a YAML scalar on one line: plain where every reader agrees, else double-quoted."""
    if (
        _PLAIN.fullmatch(value)
        and not _TYPED.fullmatch(value)
        and ": " not in value
        and " #" not in value
        and value == value.strip()
        and not value.endswith(":")
        and not value.startswith(("---", "..."))
    ):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff]", lambda odd: f"\\u{ord(odd[0]):04x}", quoted)


@dataclass(frozen=True, slots=True)
class _Key:
    """A key at the beginning of a line, and what stands after its colon."""

    indent: int
    name: str
    rest: str


@dataclass(slots=True)
class _Raw:
    """A top-level key as its lines have it: the rest of its line, and the lines below that belong to it."""

    rest: str
    below: list[str] = field(default_factory=list)


def _is_mapping(block: list[str]) -> bool:
    content = [line for line in block if line.strip() and not line.lstrip().startswith("#")]
    return bool(content) and _key(content[0]) is not None


def _raw_fields(block: str) -> dict[str, _Raw]:
    found: dict[str, _Raw] = {}
    current: _Raw | None = None
    for line in block.split("\n"):
        key = _key(line)
        if key and not key.indent:
            current = found[key.name] = _Raw(key.rest)
        elif current is not None and line.strip():
            current.below.append(line)
    return found


def _recover(key: str, value: object, raw: Mapping[str, _Raw], bent: list[str]) -> Value:
    """Put right what YAML loses although it parses: comments in plain values, null list items, tags."""
    source = raw.get(key)
    if isinstance(value, dict):
        return {str(inner).lower(): _flat(item) for inner, item in value.items()}
    if isinstance(value, list):
        items = [_flat(item) for item in value]
        if source and not source.rest and not all(items):
            recovered = _list_items(source.below)
            if len(recovered) >= len(items):
                bent.append(f"{key}: items that YAML takes for comments")
                return recovered
        if source and source.rest.startswith("[") and not source.rest.endswith("]"):
            bent.append(f"{key}: text after a bracket")
            return source.rest
        return items
    text = _flat(value)
    if source and not source.below and source.rest != text:
        plain = not source.rest.startswith(_NOT_PLAIN)
        if (plain and " #" in source.rest and text) or source.rest.startswith(("!", "&")):
            bent.append(f"{key}: text that YAML takes for a comment or tag")
            return source.rest
        if not text and source.rest.startswith("#"):
            bent.append(f"{key}: text that YAML takes for a comment or tag")
            return source.rest
    return text


def _lenient(raw: Mapping[str, _Raw]) -> dict[str, Value]:
    return {key: _lenient_value(source) for key, source in raw.items()}


def _lenient_value(source: _Raw) -> Value:
    below = source.below
    if source.rest[:1] in ("|", ">"):
        return ("\n" if source.rest[0] == "|" else " ").join(line.strip() for line in below)
    if source.rest:
        folded = " ".join([source.rest, *(line.strip() for line in below)])
        return _whole_quoted(folded)
    if below and _ITEM.match(below[0]):
        return _list_items(below)
    nested: dict[str, str] = {}
    for line in below:
        if key := _key(line):
            nested[key.name] = _whole_quoted(key.rest)
    if below and not nested:
        return " ".join(line.strip() for line in below)
    return nested or ""


def _list_items(lines: list[str]) -> list[str]:
    return [
        _whole_quoted((match["value"] or "").strip())
        for line in lines
        if (match := _ITEM.match(line))
    ]


def _whole_quoted(text: str) -> str:
    """Undo the quotes of a value that is quoted as a whole; anything else is taken as it stands."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        try:
            return _flat(yaml.load(text, Loader=_Loader))  # noqa: S506
        except yaml.YAMLError:
            return text
    return text


def _key(line: str) -> _Key | None:
    """Return the key that a line begins with; by hand, because lines of 35,000 characters occur."""
    bare = line.lstrip(" \t")
    if bare[:1] in ("", "#", "-", "[", "{"):
        return None
    at = bare.find(bare[0], 1) + 1 if bare[0] in "\"'" else bare.find(":")
    while at > 0 and bare[at : at + 2] not in (":", ": ", ":\t"):
        at = bare.find(":", at + 1)
    if not 0 < at <= _MAX_KEY:
        return None
    name = bare[:at].strip()
    if name[0] in "\"'" and name[-1] == name[0]:
        name = name[1:-1]
    return _Key(len(line) - len(bare), name.lower(), bare[at + 1 :].strip())


def _flat(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(item for item in value if isinstance(item, str))
    return ""
