"""Permissions that hold: a superuser's right to read and write anything, laid down for a while.

Otherwise every test of a file that may not be read would be skipped wherever tests run as root, as they do in
containers. Source: capabilities(7), setpriv(1).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

MORTAL = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
"""What stands before a command that is to have no more rights than the owner of its files."""

_VERSION = 0x20080522  # of the structures below: two sets of 32 capabilities
_OVERRIDE = 1 << 1 | 1 << 2 | 1 << 3  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Set(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextmanager
def mortal() -> Iterator[None]:
    """Let the permissions of files hold for this thread, as they do for whoever is no superuser."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(_VERSION, 0), (_Set * 2)()

    def call(name: str) -> None:
        if getattr(libc, name)(ctypes.byref(header), ctypes.byref(sets)):
            raise OSError(ctypes.get_errno(), name)

    call("capget")
    before = sets[0].effective
    sets[0].effective &= ~_OVERRIDE
    call("capset")
    try:
        yield
    finally:
        sets[0].effective = before
        call("capset")
