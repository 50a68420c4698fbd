"""What tools take and give: a small JSON Schema and its check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from store.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Shape:
    """One node of a schema: ``kind`` is object, string, number, boolean or array.

    An object takes no property that is not named here.
    """

    kind: str
    description: str = ""
    properties: dict[str, Shape] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    items: Shape | None = None
    choices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the shape as JSON Schema (draft 2020-12)."""
        schema: dict[str, Any] = {"type": self.kind}
        if self.description:
            schema["description"] = self.description
        if self.choices:
            schema["enum"] = [str(choice) for choice in self.choices]
        if self.items:
            schema["items"] = self.items.to_json()
        if self.kind == "object":
            schema["properties"] = {name: part.to_json() for name, part in self.properties.items()}
            schema["required"] = list(self.required)
            schema["additionalProperties"] = False
        return schema

    def faults(self, value: Any, name: str = "") -> Iterator[str]:
        """Yield what is wrong with a value, one sentence for each part, with where and never the value."""
        here = name or "the arguments"
        if not self._is_kind(value):
            yield f"{here}: expected {_article(self.kind)}"
        elif self.choices and value not in self.choices:
            yield f"{here}: expected one of {', '.join(self.choices)}"
        elif self.kind == "object":
            yield from self._object_faults(value, name)
        elif self.items:
            for index, item in enumerate(value):
                yield from self.items.faults(item, f"{here}[{index}]")

    def _is_kind(self, value: Any) -> bool:
        match value:
            case bool():
                return self.kind == "boolean"
            case int() | float():
                return self.kind == "number"
            case str():
                return self.kind == "string"
            case Mapping():
                return self.kind == "object"
            case list() | tuple():
                return self.kind == "array"
            case _:
                return False

    def _object_faults(self, value: Mapping[str, Any], name: str) -> Iterator[str]:
        prefix = f"{name}." if name else ""
        for missing in self.required:
            if missing not in value:
                yield f"{prefix}{missing}: is needed"
        for key, inner in value.items():
            if key in self.properties:
                yield from self.properties[key].faults(inner, f"{prefix}{key}")
            else:
                yield f"{prefix}{key[:40]!r}: is not known here"


def check(shape: Shape, arguments: Mapping[str, Any]) -> None:
    """Raise InvalidArgument naming everything that is wrong with a tool's arguments."""
    faults = list(shape.faults(arguments))
    if faults:
        known = ", ".join(shape.properties)
        raise InvalidArgument("; ".join(faults), hint=f"The arguments are {known}.")


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'ao' else 'a'} {kind}"
