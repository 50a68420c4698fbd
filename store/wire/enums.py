"""Enums of the contract as numbers on the wire and as words everywhere else."""

from __future__ import annotations

from collections.abc import Iterable

from store.errors import InvalidArgument, InvalidScope, InvalidType
from store.records import MemoryScope, MemoryType, RecordStatus
from store.wire.gen.pluggableharness.common.v1 import common_pb2
from store.wire.gen.pluggableharness.config.v1 import config_pb2
from store.wire.gen.pluggableharness.memory.v1 import record_pb2

_TYPES = {
    MemoryType.USER: record_pb2.MEMORY_TYPE_USER,
    MemoryType.FEEDBACK: record_pb2.MEMORY_TYPE_FEEDBACK,
    MemoryType.PROJECT: record_pb2.MEMORY_TYPE_PROJECT,
    MemoryType.REFERENCE: record_pb2.MEMORY_TYPE_REFERENCE,
}
_SCOPES = {
    MemoryScope.SESSION: record_pb2.MEMORY_SCOPE_SESSION,
    MemoryScope.PROJECT: record_pb2.MEMORY_SCOPE_PROJECT,
    MemoryScope.GLOBAL: record_pb2.MEMORY_SCOPE_GLOBAL,
}
_STATUSES = {
    RecordStatus.CANONICAL: record_pb2.RECORD_STATUS_CANONICAL,
    RecordStatus.PENDING: record_pb2.RECORD_STATUS_PENDING,
}
_TYPE_WORDS = {number: word for word, number in _TYPES.items()}
_SCOPE_WORDS = {number: word for word, number in _SCOPES.items()}
_STATUS_WORDS = {number: word for word, number in _STATUSES.items()}


def type_number(type: MemoryType) -> record_pb2.MemoryType.ValueType:
    """Return the wire's number of a memory type."""
    return _TYPES[type]


def scope_number(scope: MemoryScope) -> record_pb2.MemoryScope.ValueType:
    """Return the wire's number of a scope."""
    return _SCOPES[scope]


def status_number(status: RecordStatus) -> record_pb2.RecordStatus.ValueType:
    """Return the wire's number of a status."""
    return _STATUSES[status]


def type_word(number: record_pb2.MemoryType.ValueType) -> MemoryType:
    """Return a memory type; InvalidType for a number that names none, the unspecified one included."""
    if (word := _TYPE_WORDS.get(number)) is None:
        raise InvalidType(f"{number} is no memory type")
    return word


def scope_word(number: record_pb2.MemoryScope.ValueType) -> MemoryScope:
    """Return a scope; InvalidScope for a number that names none, the unspecified one included."""
    if (word := _SCOPE_WORDS.get(number)) is None:
        raise InvalidScope(f"{number} is no scope")
    return word


def status_word(number: record_pb2.RecordStatus.ValueType) -> RecordStatus:
    """Return a status; InvalidArgument for a number that names none."""
    if (word := _STATUS_WORDS.get(number)) is None:
        raise InvalidArgument(f"{number} is no record status")
    return word


def type_words(numbers: Iterable[record_pb2.MemoryType.ValueType]) -> tuple[MemoryType, ...]:
    """Return a filter's types; InvalidType as in `type_word`."""
    return tuple(type_word(number) for number in numbers)


def scope_words(numbers: Iterable[record_pb2.MemoryScope.ValueType]) -> tuple[MemoryScope, ...]:
    """Return a filter's scopes; InvalidScope as in `scope_word`."""
    return tuple(scope_word(number) for number in numbers)


def known_types(numbers: Iterable[record_pb2.MemoryType.ValueType]) -> tuple[MemoryType, ...]:
    """Return the types of a capability list that this version knows: a newer peer may offer more."""
    return tuple(_TYPE_WORDS[number] for number in numbers if number in _TYPE_WORDS)


def known_scopes(numbers: Iterable[record_pb2.MemoryScope.ValueType]) -> tuple[MemoryScope, ...]:
    """Return the scopes of a capability list that this version knows."""
    return tuple(_SCOPE_WORDS[number] for number in numbers if number in _SCOPE_WORDS)


def hook_point_number(word: str) -> common_pb2.HookPoint.ValueType:
    """Return the number of a hook point such as ``post_model_response``; ValueError if there is none."""
    return common_pb2.HookPoint.Value(f"HOOK_POINT_{word.upper()}")


def hook_point_words(numbers: Iterable[common_pb2.HookPoint.ValueType]) -> tuple[str, ...]:
    """Return the hook points of a capability list that this version knows, in lower case."""
    known = set(common_pb2.HookPoint.values()) - {common_pb2.HOOK_POINT_UNSPECIFIED}
    names = (common_pb2.HookPoint.Name(number) for number in numbers if number in known)
    return tuple(name.removeprefix("HOOK_POINT_").lower() for name in names)


def category_number(word: str) -> common_pb2.Category.ValueType:
    """Return the number of a plugin category such as ``memory``; ValueError if there is none."""
    return common_pb2.Category.Value(f"CATEGORY_{word.upper()}")


def category_word(number: common_pb2.Category.ValueType) -> str:
    """Return a plugin category in lower case; ``unspecified`` for a number that this version lacks."""
    known = number in common_pb2.Category.values()
    name = common_pb2.Category.Name(number if known else common_pb2.CATEGORY_UNSPECIFIED)
    return name.removeprefix("CATEGORY_").lower()


def attribute_type_number(word: str) -> config_pb2.AttrType.ValueType:
    """Return the number of a configuration attribute's type, as in ``string``; ValueError if none."""
    return config_pb2.AttrType.Value(f"ATTR_TYPE_{word.upper()}")


def attribute_type_word(number: config_pb2.AttrType.ValueType) -> str:
    """Return a configuration attribute's type in lower case, ``unspecified`` when unknown."""
    known = number in config_pb2.AttrType.values()
    name = config_pb2.AttrType.Name(number if known else config_pb2.ATTR_TYPE_UNSPECIFIED)
    return name.removeprefix("ATTR_TYPE_").lower()
