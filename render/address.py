"""Where an address leads: the host that a browser would ask, however the address is written."""

from __future__ import annotations

import unicodedata
from urllib.parse import unquote

import regex

# As browsers read one: any slashes, also backslashes, before the host, and whatever stands before an @.
_WEB = regex.compile(r"https?:[/\\]*([^/\\?#\s]*)", regex.I)
_LEFT_OUT = regex.compile(r"[\t\r\n]")
_IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_DOTS = regex.compile("[\u3002\uff0e\uff61\u2024]")
_PUNYCODE = "xn--"


def host_of(url: str) -> str:
    """Return the host of a web address in the ASCII that a network is asked for; empty where it has none.

    The mapping is that of Unicode TS46 as far as one needs it to tell hosts apart: compatibility forms,
    case, ignored characters and dots, then Punycode (RFC 3492) for each label.
    """
    found = _WEB.match(_LEFT_OUT.sub("", url.strip()))
    if found is None:
        return ""
    host: str = found[1].rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    plain = unicodedata.normalize("NFKC", unquote(host.partition(":")[0])).lower()
    plain = _DOTS.sub(".", _IGNORED.sub("", unicodedata.normalize("NFC", plain)))
    return ".".join(map(_ascii, plain.split(".")))


def read_out(host: str) -> str:
    """Return a host in the letters that it stands for."""
    return ".".join(map(_letters, host.split(".")))


def where_to(url: str) -> str:
    """Return what to say of an address that does not show by itself which host it leads to; else nothing."""
    host = host_of(url)
    if not host or _is_plain(url, host):
        return ""
    letters = read_out(host)
    reads = "" if letters == host else f", which reads {letters}"
    return f"Its host is {host}{reads}."


def _is_plain(url: str, host: str) -> bool:
    begin = url.lower().partition("://")[2]
    after = begin.removeprefix(host)
    return (
        begin.startswith(host)
        and _PUNYCODE not in host
        and bool(regex.match(r"(?::\d*)?(?:[/?#]|$)", after))
    )


def _ascii(label: str) -> str:
    if label.isascii():
        return label
    return _PUNYCODE + label.encode("punycode", "replace").decode()


def _letters(label: str) -> str:
    if not label.startswith(_PUNYCODE):
        return label
    try:
        return label.removeprefix(_PUNYCODE).encode("ascii").decode("punycode")
    except UnicodeError:
        return label
