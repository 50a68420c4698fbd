"""Who serves and what is offered: producers, capabilities and configuration as messages, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable

from store.records import Capabilities, ConfigAttribute, Producer, PromptExpansion
from store.wire import enums
from store.wire.gen.pluggableharness.common.v1 import common_pb2
from store.wire.gen.pluggableharness.config.v1 import config_pb2
from store.wire.gen.pluggableharness.memory.v1 import service_pb2


def to_producer(producer: Producer) -> common_pb2.ProducerRef:
    """Return a producer as a message; ValueError for a category that the contract lacks."""
    return common_pb2.ProducerRef(
        name=producer.name,
        version=producer.version,
        source=producer.source,
        category=enums.category_number(producer.category),
        protocol_version=producer.protocol_version,
    )


def from_producer(message: common_pb2.ProducerRef) -> Producer:
    """Return a message as a producer."""
    return Producer(
        name=message.name,
        version=message.version,
        source=message.source,
        category=enums.category_word(message.category),
        protocol_version=message.protocol_version,
    )


def to_expansions(commands: Iterable[PromptExpansion]) -> list[common_pb2.PromptExpansionSpec]:
    """Return slash commands as messages."""
    return [
        common_pb2.PromptExpansionSpec(name=c.name, description=c.description, template=c.template)
        for c in commands
    ]


def to_schema(attributes: Iterable[ConfigAttribute]) -> config_pb2.ConfigSchema:
    """Return configuration attributes as a message; ValueError for a type that the contract lacks."""
    return config_pb2.ConfigSchema(attributes=[_to_attribute(one) for one in attributes])


def to_capabilities(offer: Capabilities) -> service_pb2.MemoryCapabilities:
    """Return capabilities as a message."""
    return service_pb2.MemoryCapabilities(
        default_token_budget=offer.default_token_budget,
        supported_types=[enums.type_number(type) for type in offer.types],
        supported_scopes=[enums.scope_number(scope) for scope in offer.scopes],
        ratification_supported=offer.ratification_supported,
        slash_commands=to_expansions(offer.slash_commands),
        config_schema=to_schema(offer.config_schema),
        supported_hook_points=[enums.hook_point_number(point) for point in offer.hook_points],
    )


def from_capabilities(message: service_pb2.MemoryCapabilities) -> Capabilities:
    """Return a message as capabilities, without the types, scopes and hooks of a newer contract."""
    return Capabilities(
        default_token_budget=message.default_token_budget,
        types=enums.known_types(message.supported_types),
        scopes=enums.known_scopes(message.supported_scopes),
        ratification_supported=message.ratification_supported,
        slash_commands=tuple(
            PromptExpansion(c.name, c.description, c.template) for c in message.slash_commands
        ),
        config_schema=tuple(_from_attribute(one) for one in message.config_schema.attributes),
        hook_points=enums.hook_point_words(message.supported_hook_points),
    )


def _to_attribute(attribute: ConfigAttribute) -> config_pb2.ConfigAttribute:
    default = None if attribute.default is None else json.dumps(attribute.default)
    return config_pb2.ConfigAttribute(
        name=attribute.name,
        type=enums.attribute_type_number(attribute.type),
        required=attribute.required,
        sensitive=attribute.sensitive,
        description=attribute.description,
        default_json=default,
    )


def _from_attribute(message: config_pb2.ConfigAttribute) -> ConfigAttribute:
    return ConfigAttribute(
        name=message.name,
        type=enums.attribute_type_word(message.type),
        description=message.description,
        sensitive=message.sensitive,
        required=message.required,
        default=_default(message.default_json) if message.HasField("default_json") else None,
    )


def _default(text: str) -> str | int | bool | None:
    """Return a scalar default; one of another kind, or no JSON at all, as it was written."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if value is None or isinstance(value, str | int | bool) else text
