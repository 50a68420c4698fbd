"""The token of the HTTP server: from the environment, or a file that only its owner can read."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from store.errors import InvalidArgument, SourceUnavailable
from store.location import default_path

ENVIRONMENT = "MEMORY_INBOX_MCP_TOKEN"
_SHORTEST = 16  # characters
_LONGEST = 1024
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")  # b64token of RFC 6750, section 2.1


def default_file() -> Path:
    """Return the usual file: beside the usual store."""
    return default_path().parent / "mcp-token"


def token_of(environ: Mapping[str, str], path: Path) -> str:
    """Return the token: of the environment where it has one, else of the file, which is made if missing.

    Raises:
        InvalidArgument: it is too short or no token, or others can read the file.
        SourceUnavailable: the file cannot be read or made.
    """
    if given := environ.get(ENVIRONMENT, ""):
        return _checked(given, f"${ENVIRONMENT}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(path)
        return _checked(_read(path), str(path))
    except OSError as error:
        raise SourceUnavailable(
            f"the token in {path} cannot be read: {error.strerror}",
            hint="Choose another --token-file.",
        ) from error


def _make(path: Path) -> None:
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return
    with open(file, "w") as made:
        made.write(secrets.token_urlsafe(32) + "\n")


def _read(path: Path) -> str:
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise InvalidArgument(f"{path} is not a file")
        if about.st_uid != os.geteuid() or about.st_mode & 0o077:
            raise InvalidArgument(
                f"others can read the token in {path}, or it is another's",
                hint=f"chmod 600 {path}, and put a new token in.",
            )
        return file.read(_LONGEST + 1).decode("ascii", "replace").strip()


def _checked(token: str, place: str) -> str:
    if not _SHORTEST <= len(token) <= _LONGEST or not _TOKEN.fullmatch(token):
        raise InvalidArgument(
            f"what is in {place} is no token",
            hint=f"A token is {_SHORTEST} to {_LONGEST:,} letters, digits and - . _ ~ + /.",
        )
    return token
