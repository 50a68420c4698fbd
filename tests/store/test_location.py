"""Where a store is, and what is refused before a database is opened."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.doctor.restoring import restore
from store.errors import InvalidArgument, MemoryError, NotFound
from store.local import open_desk
from store.location import claim, require, resolve
from tests.store.making import draft, old_store


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORY_INBOX_STORE", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)


def test_the_usual_place_is_below_the_data_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert resolve().path == Path("/data/agent/memory/inbox.db")


def test_a_relative_data_home_is_ignored_as_its_specification_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    monkeypatch.setenv("HOME", "/home/ann")
    assert resolve().path == Path("/home/ann/.local/share/agent/memory/inbox.db")


def test_what_is_given_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_INBOX_STORE", "/env.db")
    assert resolve().path == Path("/env.db")
    assert resolve("").path == Path("/env.db")
    assert resolve("/flag.db").path == Path("/flag.db")


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("~/m.db", "/home/ann/m.db"),
        ("sqlite:////srv/m.db", "/srv/m.db"),
        ("sqlite:///~/m.db", "/home/ann/m.db"),
        ("sqlite+pysqlite:////srv/a%20b.db", "/srv/a b.db"),
        ("/odd ?#%41.db", "/odd ?#%41.db"),
    ],
)
def test_paths_and_urls_of_files(given: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert resolve(given).path == Path(path)


def test_a_relative_path_is_fixed_when_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert resolve("m.db").path == tmp_path / "m.db"


def test_a_server_keeps_its_password_to_itself() -> None:
    place = resolve("postgresql://ann:hunter2@db:5432/memory?sslpassword=hunter2")
    assert place.path is None
    assert place.url.startswith("postgresql+psycopg://ann:hunter2@db:5432/memory")
    assert place.display == "postgresql://ann@db:5432/memory"
    assert "hunter2" not in repr(place)


@pytest.mark.parametrize(
    "secret", ["s3/cret", "s3#cret", "s3?cret", "1?cret", "1/c@ret", "[s3cret"]
)
def test_a_password_that_is_not_escaped_is_not_shown_as_something_else(secret: str) -> None:
    with pytest.raises(InvalidArgument, match="cannot be read") as refused:
        resolve(f"postgresql://me:{secret}@host/db")
    assert "cret" not in f"{refused.value} {refused.value.hint}"


def test_a_password_of_its_own_goes_into_the_url_only() -> None:
    place = resolve("postgres://ann@db/memory", "p@ss/word")
    assert place.url == "postgresql+psycopg://ann:p%40ss%2Fword@db/memory"
    assert place.display == "postgres://ann@db/memory"


@pytest.mark.parametrize(
    "given", ["mysql://db/m", ":memory:", "sqlite://", "sqlite://m.db", "sqlite:////m?mode=ro"]
)
def test_what_no_store_is_kept_in_is_refused(given: str) -> None:
    with pytest.raises(InvalidArgument):
        resolve(given)


@pytest.fixture(params=[0, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    old = os.umask(request.param)
    yield request.param
    os.umask(old)


@pytest.mark.usefixtures("umask")
def test_directories_and_all_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "inbox.db"
    with closing(open_desk(str(path))) as desk:
        draft(desk, "Note")
        beside = {each.name for each in path.parent.iterdir()}
        assert beside == {"inbox.db", "inbox.db-wal", "inbox.db-shm"}
        assert {mode(each) for each in path.parent.iterdir()} == {0o600}
        made = restore(resolve(str(path)), path)
    assert mode(made.path) == 0o600
    assert mode(tmp_path / "a") == 0o700
    assert mode(tmp_path / "a" / "b") == 0o700


@pytest.mark.usefixtures("umask")
def test_the_copy_before_an_upgrade_is_private_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "private" / "inbox.db"
    old_store(path, "0004")
    open_desk(str(path)).close()
    [copy] = path.parent.glob("*.backup-*")
    assert mode(copy) == 0o600


@pytest.mark.parametrize("beside", ["", "-wal", "-shm", "-journal"])
def test_a_symlinked_database_is_refused(tmp_path: Path, beside: str) -> None:
    target = tmp_path / "elsewhere"
    target.write_bytes(b"mine")
    (tmp_path / f"inbox.db{beside}").symlink_to(target)
    with pytest.raises(MemoryError, match="symbolic link"):
        claim(tmp_path / "inbox.db")
    assert target.read_bytes() == b"mine"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MemoryError, match="not a file"):
        claim(tmp_path)


def test_a_store_to_be_read_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        require(tmp_path / "inbox.db")


def test_the_place_is_known_without_a_database_library() -> None:
    code = (
        "import store.location, sys; sys.exit(any(m.startswith('sqlalchemy') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
