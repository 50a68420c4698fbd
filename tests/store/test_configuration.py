"""Describe, capabilities, configure: what is offered, and what is refused at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from store.errors import InvalidArgument, MemoryError
from store.host import LocalProvider
from store.local import LocalDesk
from store.records import MemoryScope, MemoryType
from tests.store.making import AGENT, draft, new


def test_describing_and_offering_open_nothing(path: Path) -> None:
    provider = LocalProvider(str(path))
    assert provider.describe().name == "memory-inbox"
    assert provider.describe().category == "memory"
    offered = provider.get_capabilities()
    assert offered.default_token_budget == 2000
    assert (offered.types, offered.scopes) == (tuple(MemoryType), tuple(MemoryScope))
    assert offered.ratification_supported
    assert [command.name for command in offered.slash_commands] == ["remember", "recall"]
    assert offered.hook_points == ("post_model_response", "session_end")
    provider.configure({"token_budget": 500.0, "ratification": True})
    assert provider.get_capabilities().default_token_budget == 500
    provider.close()
    assert not path.parent.exists()


def test_describing_costs_no_database_library() -> None:
    code = (
        "import sys; from store.host import LocalProvider; p = LocalProvider();"
        "p.describe(); p.get_capabilities(); p.configure({});"
        "sys.exit(any(m.startswith(('sqlalchemy', 'sqlmodel')) for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_attribute_is_optional_with_a_default_and_one_is_sensitive(path: Path) -> None:
    schema = LocalProvider(str(path)).get_capabilities().config_schema
    assert [attribute.name for attribute in schema] == [
        "store",
        "store_password",
        "project_root",
        "token_budget",
        "ratification",
        "reviewer",
    ]
    assert not any(attribute.required for attribute in schema)
    assert all(attribute.default is not None for attribute in schema)
    assert [attribute.name for attribute in schema if attribute.sensitive] == ["store_password"]


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ({"colour": "red"}, "colour"),
        ({"ratification": "yes"}, "ratification"),
        ({"ratification": 1}, "ratification"),
        ({"token_budget": "many"}, "token_budget"),
        ({"token_budget": True}, "token_budget"),
        ({"token_budget": 0}, "token_budget"),
        ({"token_budget": 1.5}, "token_budget"),
        ({"token_budget": float("inf")}, "token_budget"),
        ({"token_budget": float("nan")}, "token_budget"),
        ({"store": 7}, "store"),
        ({"project_root": "relative/path"}, "project_root"),
        ({"reviewer": ["ann"]}, "reviewer"),
        ({"store": "mysql://db/m"}, "mysql"),
    ],
)
def test_what_is_unknown_or_ill_typed_is_refused_by_name(
    path: Path, config: dict[str, object], named: str
) -> None:
    provider = LocalProvider(str(path))
    with pytest.raises(InvalidArgument, match=named):
        provider.configure({"token_budget": 7, **config})
    assert provider.get_capabilities().default_token_budget == 2000


def test_all_faults_are_named_at_once_and_no_value_is_repeated(path: Path) -> None:
    with pytest.raises(InvalidArgument) as error:
        LocalProvider(str(path)).configure({"a": "hunter2", "store_password": 7, "reviewer": 8})
    assert all(name in str(error.value) for name in ("a:", "store_password:", "reviewer:"))
    assert "hunter2" not in str(error.value)


def test_a_password_is_told_to_nobody(path: Path) -> None:
    provider = LocalProvider(str(path))
    provider.configure({"store": "postgresql://ann@127.0.0.1:1/m", "store_password": "hunter2"})
    with pytest.raises(MemoryError) as error:
        provider.get_record("any")
    told = [repr(provider), repr(vars(provider)), str(error.value), error.value.hint]
    cause: BaseException | None = error.value.__cause__
    told.append(repr(cause))
    assert not any("hunter2" in text for text in told)


def test_another_store_takes_the_place_of_the_one_before(places: Callable[[], str]) -> None:
    first, other = places(), places()
    with closing(LocalProvider(first)) as provider:
        provider.record(new("In the first"), AGENT)
        provider.configure({"store": str(other)})
        assert provider.list_records().records == ()
        provider.configure({"store": str(other), "ratification": False})
        provider.configure({})
        assert [record.id for record in provider.list_records().records] == ["in-the-first"]


def test_a_store_that_cannot_be_opened_leaves_the_configuration_as_it_was(path: Path) -> None:
    path.parent.mkdir()
    path.with_name("notes.txt").write_bytes(b"no database" * 100)
    with closing(LocalProvider(str(path))) as provider:
        provider.record(new("Kept"), AGENT)
        with pytest.raises(MemoryError):
            provider.configure({"store": str(path.with_name("notes.txt")), "ratification": False})
        assert provider.get_record("kept").title == "Kept"
        assert provider.get_capabilities().ratification_supported


def test_a_desk_misses_nothing(desk: LocalDesk) -> None:
    assert desk.missing == {}


def test_the_reviewer_of_a_desk_is_the_user_unless_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from store.local import open_desk

    monkeypatch.setenv("LOGNAME", "ann")
    with closing(open_desk(str(path))) as desk:
        desk.approve_record(draft(desk, "One"))
        desk.approve_record(draft(desk, "Two"), by="bob")
        assert [line.by for line in desk.history() if line.decision == "approve"] == ["bob", "ann"]
