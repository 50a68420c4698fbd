"""Where the store is: a file or a server, from a flag, the environment or the usual place.

Imports nothing of the database, so that a command that only needs the place stays quick.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

from store.errors import InvalidArgument, MemoryError, NotFound, SourceUnavailable

ENVIRONMENT = "MEMORY_INBOX_STORE"
_SERVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


@dataclass(frozen=True, slots=True)
class Location:
    """A store's place.

    Args:
        url: the SQLAlchemy URL, password included; never print it.
        path: the database file, None for a server.
        display: what people are shown, without a password.
    """

    url: str = field(repr=False)
    path: Path | None
    display: str


def default_path() -> Path:
    """Return the usual database file: ``$XDG_DATA_HOME/agent/memory/inbox.db``."""
    base = os.environ.get("XDG_DATA_HOME", "")
    # The XDG base directory specification: a relative path is invalid and must be ignored.
    root = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share"
    return root / "agent" / "memory" / "inbox.db"


def resolve(location: str | None = None, password: str = "") -> Location:
    """Return the place that is meant.

    Args:
        location: a path, ``sqlite:///…`` or ``postgresql://…``; when None or empty,
            ``$MEMORY_INBOX_STORE``, and failing that the usual file.
        password: for a server, when it is not to be in the URL.

    Raises:
        InvalidArgument: the URL cannot be read, or is of a kind that no store is kept in.
    """
    given = location or os.environ.get(ENVIRONMENT) or ""
    if not given:
        return _file(default_path())
    scheme, separator, rest = given.partition("://")
    if not separator:
        return _file(Path(given))
    name = scheme.partition("+")[0].lower()
    if name == "sqlite":
        return _file(_sqlite_path(rest))
    if name in _SERVERS:
        return _server(given, password)
    raise InvalidArgument(
        f"a store cannot be kept in {scheme}://",
        hint="Give a path, sqlite:///path or postgresql://user@host/database.",
    )


def _sqlite_path(rest: str) -> Path:
    if "?" in rest or "#" in rest:
        raise InvalidArgument("options in a sqlite URL are not taken", hint="Give the path alone.")
    if rest and not rest.startswith("/"):
        raise InvalidArgument(
            "a sqlite URL has three slashes before a path and four before an absolute one",
            hint="As in sqlite:///inbox.db or sqlite:////srv/inbox.db.",
        )
    return Path(unquote(rest[1:]))


def _file(path: Path) -> Location:
    if str(path) in ("", ".", ":memory:"):
        raise InvalidArgument(
            "a store in memory would be gone with the process", hint="Give the path of a file."
        )
    try:
        whole = Path(os.path.abspath(path.expanduser()))
    except (RuntimeError, ValueError) as error:
        raise InvalidArgument(f"the store's path cannot be used: {error}") from error
    return Location(url=f"sqlite:///{quote(str(whole))}", path=whole, display=str(whole))


def _server(url: str, password: str) -> Location:
    parts = _split(url)
    user, at, host = parts.netloc.rpartition("@")
    name, _, inline = user.partition(":")
    secret = quote(password, safe="") if password else inline
    scheme = _SERVERS[parts.scheme.partition("+")[0].lower()]
    full = f"{name}:{secret}{at}{host}" if secret and at else parts.netloc
    shown = f"{name}{at}{host}"
    # Further options can hold secrets (sslpassword, …): only the place itself is shown.
    return Location(
        url=urlunsplit((scheme, full, parts.path, parts.query, "")),
        path=None,
        display=urlunsplit((parts.scheme, shown, parts.path, "", "")),
    )


def _split(url: str) -> SplitResult:
    """Return the parts of a server's URL.

    Raises:
        InvalidArgument: it is none. A password with a ``/``, ``?`` or ``#`` in it looks so too, and would be
            taken for the host, the port or the database and be shown as those.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for what is no number
    except ValueError:
        parts = None
    if (
        parts is None
        or parts.fragment
        or "@" in parts.path
        or ("@" in parts.query and "@" not in parts.netloc)
    ):
        raise InvalidArgument(
            "the store's URL cannot be read",
            hint="In a password, write / ? # @ and : as %2F %3F %23 %40 and %3A.",
        )
    return parts


def claim(path: Path) -> None:
    """Make the database file ready to be opened: private directory, private file, no symlink.

    Raises:
        MemoryError: the file is a symlink or no regular file.
        SourceUnavailable: the directory or file cannot be made.
    """
    check(path)
    try:
        _make_private(path.parent)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    except FileExistsError:
        check(path)
    except OSError as error:
        raise SourceUnavailable(
            f"the store at {path} cannot be made: {error.strerror}",
            hint="Choose another place with --store.",
        ) from error


def require_access(path: Path, *, writing: bool) -> None:
    """Check that a database file may be read, or read and written.

    SQLite would find out as well, and say no more than that it cannot open the file.

    Raises:
        SourceUnavailable: it may not, or is on a file system that only may be read.
    """
    if _may(path, os.R_OK | os.W_OK if writing else os.R_OK):
        return
    may = "only be read" if _may(path, os.R_OK) else "not be read"
    raise SourceUnavailable(
        f"the store at {path} may {may}",
        hint="Check the permissions of the file and its directory, and whether the disk is mounted read-only."
        " Where it may be read, --read-only looks at it.",
    )


def _may(path: Path, how: int) -> bool:
    # Not by opening it: closing a file of SQLite's gives up the locks that this process has on it.
    return os.access(path, how, effective_ids=os.access in os.supports_effective_ids)


def is_frozen(path: Path) -> bool:
    """Tell whether nobody can change a database: its file system is read-only, and no log waits beside it."""
    try:
        read_only = os.statvfs(path.parent).f_flag & os.ST_RDONLY
        log = Path(f"{path}-wal")
        return bool(read_only) and not (log.exists() and log.stat().st_size)
    except OSError:
        return False


def require(path: Path) -> None:
    """Check that there is a database file to be read.

    Raises:
        NotFound: there is none.
    """
    check(path)
    if not path.exists():
        raise NotFound(f"there is no store at {path}")


def check(path: Path) -> None:
    """Refuse what must not be followed or is no file.

    Raises:
        MemoryError: the database, or a file that SQLite keeps beside it, is a symlink or no regular file.
    """
    for beside in ("", "-wal", "-shm", "-journal"):
        place = Path(f"{path}{beside}")
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            raise SourceUnavailable(
                f"{place} cannot be looked at: {error.strerror}",
                hint="Check the permissions on the way to it, or choose another with --store.",
            ) from error
        if stat.S_ISLNK(mode):
            raise MemoryError(
                f"{place} is a symbolic link; the store does not follow it",
                hint="Give the path of the file itself.",
            )
        if not stat.S_ISREG(mode):
            raise MemoryError(f"{place} is not a file", hint="Give the path of a database file.")


def _make_private(directory: Path) -> None:
    missing = []
    while not directory.exists():
        missing.append(directory)
        directory = directory.parent
    for made in reversed(missing):
        made.mkdir(mode=0o700, exist_ok=True)
