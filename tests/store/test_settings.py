"""The longest text of a memory: as the operator sets it, and as nobody else can."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.errors import InvalidArgument
from store.host import LocalProvider
from store.local import LocalDesk
from store.settings import ENVIRONMENT, settings_file, text_limit
from tests.store.making import draft

KB = 1024


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings' file, which is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    file = settings_file()
    file.parent.mkdir(parents=True)
    return file


def test_the_limit_is_256_kb_until_it_is_set(config: Path) -> None:
    assert text_limit() == 256 * KB
    config.write_text("text_limit_kb = 512\n")
    assert text_limit() == 512 * KB


@pytest.mark.parametrize("said", ["= 0", "= -1", "= 1025", '= "512"', "= true", "= 1.5", "="])
def test_a_file_that_is_wrong_sets_nothing(config: Path, said: str) -> None:
    config.write_text(f"text_limit_kb {said}\n")
    assert text_limit() == 256 * KB


def test_the_environment_comes_before_the_file(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text("text_limit_kb = 512\n")
    monkeypatch.setenv(ENVIRONMENT, "1")
    assert text_limit() == KB
    monkeypatch.setenv(ENVIRONMENT, " ")
    assert text_limit() == 512 * KB


@pytest.mark.parametrize("said", ["0", "-1", "1025", "much", "256 KB", "1e3"])
def test_an_environment_that_is_wrong_is_said_so(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv(ENVIRONMENT, said)
    with pytest.raises(InvalidArgument, match=ENVIRONMENT) as error:
        text_limit()
    assert error.value.hint


@pytest.mark.parametrize("kilobytes", [1, 300])
def test_a_desk_takes_what_is_set_and_no_byte_more(
    config: Path, desk: LocalDesk, kilobytes: int
) -> None:
    config.write_text(f"text_limit_kb = {kilobytes}\n")
    limit = kilobytes * KB
    draft(desk, "Fits", "x" * limit)
    with pytest.raises(InvalidArgument, match=f"at most {limit:,}"):
        draft(desk, "Does not", "x" * (limit + 1))
    assert desk.count().total == 1


def test_no_configuration_of_a_host_changes_it(where: str) -> None:
    provider = LocalProvider(where)
    for name in ("text_limit_kb", "content_limit", ENVIRONMENT):
        with pytest.raises(InvalidArgument, match="unknown attribute"):
            provider.configure({name: 1024})
    provider.configure({"store": where, "token_budget": 1_000_000})
    assert provider.content_limit == 256 * KB
    provider.close()
