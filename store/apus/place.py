"""Where the host's plugin lies: beside this module, in every installation."""

from __future__ import annotations

from pathlib import Path


def plugin_folder() -> Path:
    """Return the folder that the host loads."""
    return Path(__file__).parent / "plugin"
