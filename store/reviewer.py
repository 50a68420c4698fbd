"""Who decides, where nobody said: the person who runs this process."""

from __future__ import annotations

import getpass


def this_user() -> str:
    """Return the name of the user of this process, for the journal."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user: a container with a bare number
        return "operator"
