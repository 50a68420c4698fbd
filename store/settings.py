"""The one setting that holds wherever a store is written to: the longest text that a memory may have.

The environment says it, else ``config.toml``, else it is as it comes. It is no attribute of the provider's
configuration and no argument of any call, so nothing that a host or a model sends can change it.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from platformdirs import user_config_path

from store.errors import InvalidArgument

ENVIRONMENT = "MEMORY_INBOX_TEXT_LIMIT_KB"
TEXT_LIMIT = "text_limit_kb"  # its name in the file
_USUAL, _MOST = 256, 1024  # KB, of 1,024 bytes


def settings_file() -> Path:
    """Return where the settings are: ``$XDG_CONFIG_HOME/memory-inbox/config.toml``."""
    return user_config_path("memory-inbox") / "config.toml"


def text_limit() -> int:
    """Return the most UTF-8 bytes that a memory's text may have.

    A file that is wrong sets nothing here: the inbox and `config check` say what is wrong with it.

    Raises:
        InvalidArgument: the environment says something that is no such number.
    """
    said = os.environ.get(ENVIRONMENT, "").strip()
    if said:
        try:
            return 1024 * kilobytes(int(said))
        except ValueError:
            raise InvalidArgument(
                f"{ENVIRONMENT} is not a whole number from 1 to {_MOST:,}",
                hint="Set it to kilobytes of text, or take it out of the environment.",
            ) from None
    try:
        found = tomllib.loads(settings_file().read_text("utf-8"))
        return 1024 * kilobytes(found.get(TEXT_LIMIT, _USUAL))
    except (OSError, ValueError):
        return 1024 * _USUAL


def kilobytes(value: object) -> int:
    """Return a limit that was set; ValueError, in words, for what is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
        raise ValueError(f"is a whole number from 1 to {_MOST:,}")
    return value
