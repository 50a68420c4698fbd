"""Rule ``look-alikes``, for addresses: those that read as if they led to one host and lead to another."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

import regex

from render.address import host_of, read_out
from render.lens.finding import Finding, Severity
from render.lens.lookalikes import RULE, all_look_latin

_MARKDOWN_LINK = regex.compile(r"\[([^\[\]\n]{1,300})\]\(<?([^\s()<>]{1,600})")
_SHOWN = regex.compile(
    r"(?:https?://|^)([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?=[/:?#\s]|$)", regex.I
)
_ADDRESS = regex.compile(
    r"https?://([\p{L}\p{M}\p{N}\p{Cf}.:@%~!$&'*+,;=_\u2024\uff0e\uff61-]{1,600})", regex.I
)
_LIKE_A_HOST = regex.compile(r"[\p{L}\p{N}-]+\.\p{L}{2,}")
_SHORTEST = 3  # letters of a label that all look Latin: one or two are a word of their own


def deceptive_links(text: str) -> Iterator[Finding]:
    """Yield Markdown links whose text is the address of one host and whose target is on another."""
    if "](" not in text:
        return
    for found in _MARKDOWN_LINK.finditer(text):
        shown, target = _SHOWN.search(found[1].strip()), host_of(found[2])
        if shown and "." in target and _site(host_of(f"https://{shown[1]}")) != _site(target):
            reason = f"a link to {target} that reads as another address"
            yield Finding(RULE, Severity.DANGER, reason, *found.span())


def deceptive_addresses(text: str) -> Iterator[Finding]:
    """Yield addresses that begin like another host, and hosts in letters that look like others."""
    for found in _ADDRESS.finditer(text):
        host = host_of(found[0])
        before, at, written = found[1].rpartition("@")
        named = _LIKE_A_HOST.match(unquote(before))
        if at and named and _site(named[0].lower()) != _site(host):
            reason = f"an address on {host} that begins like another"
            yield Finding(RULE, Severity.DANGER, reason, *found.span())
        elif any(_is_disguised(label) for label in host.split(".")):
            reason = f"an address on {host}, in letters that look Latin"
            yield Finding(RULE, Severity.WARNING, reason, *found.span())
        elif not written.isascii() and host.isascii() and "xn--" not in host:
            reason = f"an address on {host}, in characters that stand for others"
            yield Finding(RULE, Severity.WARNING, reason, *found.span())


def _is_disguised(label: str) -> bool:
    letters = read_out(label)
    return letters != label and all_look_latin(letters, _SHORTEST)


def _site(host: str) -> str:
    """Return the last two labels of a host, which is near enough to who owns it."""
    return ".".join(host.lower().removesuffix(".").split(".")[-2:])
