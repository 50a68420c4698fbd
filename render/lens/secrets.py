"""Rule ``secrets``: credentials, known by the shape of their value and not by words about them.

Issuers document the prefixes of their tokens; a value assigned to a name like ``password`` must look made
up by a machine or be quoted. "The password policy is …" is no secret.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import regex

from render.lens.finding import Finding, Severity

RULE = "secrets"

_ISSUED: dict[str, str] = {
    "an AWS access key": r"(?:AKIA|ASIA)[A-Z2-7]{16}",
    "a GitHub token": r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255}",
    "a GitLab token": r"gl(?:pat|dt|rt|cbt|ptt)-[\w-]{20,}",
    "a Slack token": r"xox[abeoprs]-[0-9A-Za-z-]{16,}|xapp-\d-[0-9A-Za-z-]{20,}",
    "a Slack webhook": r"hooks\.slack\.com/(?:services|workflows)/T[\w/]{20,}",
    "a Stripe key": r"[rs]k_(?:live|test)_[0-9A-Za-z]{20,}|whsec_[0-9A-Za-z]{24,}",
    "an Anthropic key": r"sk-ant-[\w-]{24,}",
    "an OpenAI key": r"sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}",
    "a Google key": r"AIza[\w-]{35}|GOCSPX-[\w-]{24,}|ya29\.[\w-]{30,}",
    "a Hugging Face token": r"hf_[A-Za-z0-9]{30,}",
    "an npm token": r"npm_[A-Za-z0-9]{36}",
    "a PyPI token": r"pypi-AgE[\w-]{50,}",
    "a SendGrid key": r"SG\.[\w-]{20,24}\.[\w-]{39,50}",
    "a Twilio key": r"(?:SK|AC)[0-9a-f]{32}",
    "a Mailgun key": r"key-[0-9a-f]{32}",
    "a Telegram bot token": r"\d{8,10}:AA[\w-]{32,}",
    "a Discord token": r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}",
    "a DigitalOcean token": r"do[opr]_v1_[0-9a-f]{64}",
    "a Databricks token": r"dapi[0-9a-f]{32}",
    "an Atlassian token": r"ATATT3[\w=-]{50,}",
    "an age key": r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    "a Vault token": r"hv[sbr]\.[\w-]{24,}",
    "a Linear key": r"lin_api_\w{32,}",
    "a Supabase token": r"sbp_[0-9a-f]{40}",
    "a Shopify token": r"shp(?:at|ca|pa|ss)_[0-9a-f]{32}",
    "an Azure key": r"AccountKey=[A-Za-z0-9+/]{80,}={0,2}",
    "a signed web token": r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}",
}
_NAMES = list(_ISSUED)
_ANY_ISSUED = regex.compile(
    "|".join(
        rf"(?P<n{number}>(?<![A-Za-z0-9_])(?:{shape})(?![A-Za-z0-9]))"
        for number, shape in enumerate(_ISSUED.values())
    )
)
_LONG_WORD = regex.compile(r"[\w.:/+=-]{18,}+")
_PRIVATE_KEY = regex.compile(
    r"-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----\s{1,4}[A-Za-z0-9+/=\s]{40,}+"
)
_NAME = (
    r"(?:pass(?:word|wd|phrase)?|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token|api[_-]?key|access[_-]?key"
    r"|auth(?:orization)?|bearer|credential|client[_-]?secret|private[_-]?key)"
)
_ASSIGNED = regex.compile(
    rf"(?i:(?<![a-z]){_NAME}s?(?![a-z])[\"'`*]{{0,3}}\s*(?::=|=>?|:|\bis\b)\s*[\"'`*]{{0,3}}(?:bearer\s+)?)"
    r"(?P<value>[^\s\"'`<>(){}\[\],;|]{7,200})(?![(\[{])(?P<after>[\"'`]?)"
)
_IN_URL = regex.compile(
    r"\b[a-z][a-z0-9+.-]{1,15}://[^\s:/@<>]{1,64}:(?P<value>[^\s:/@<>]{4,128})@(?=[\w\[])", regex.I
)
_GIVEN = (
    (
        regex.compile("(?i)pass|pwd|secret|token|key|auth|bearer|cred"),
        _ASSIGNED,
        "a value that looks secret",
    ),
    (regex.compile("@"), _IN_URL, "a password in a URL"),
)
_PLACEHOLDER = regex.compile(
    r"(?i)^[$%]|^\W*$|\.\.\.|…|^(.)\1+$|x{4,}|\*{2,}|^(?:your|my|the|some|a|an)[-_]|example|placeholder|change-?me"
    r"|redacted|dummy|sample|^(?:password|passwd|secret|token|pass|user|admin|root|postgres|guest|test|none"
    r"|null|true|false|undefined|required|optional|string|hidden|localhost)\d{0,3}$"
    r"|^(?:os|process|self|this|config|settings|env|secrets|vault|op|ssm|arn)[.:/]|^/|^\.{1,2}/|://"
)
_KEPT = 4  # characters of a secret that stay, to tell which one it is


def secrets(text: str) -> Iterator[Finding]:
    """Yield the credentials in a text; the span is the value."""
    taken: list[tuple[int, int]] = []
    for name, start, end in _issued(text):
        taken.append((start, end))
        severity = Severity.WARNING if name == "a signed web token" else Severity.DANGER
        yield Finding(RULE, severity, f"{name}, by its shape", start, end)
    for pattern, reason in (
        (_ASSIGNED, "a value that looks secret"),
        (_IN_URL, "a password in a URL"),
    ):
        for found in pattern.finditer(text):
            start, end = found.span("value")
            value = found["value"].rstrip(".:!?*_")
            given = pattern is _IN_URL or found["after"] != ""
            if not any(start < stop and first < end for first, stop in taken) and _looks_secret(
                value, given
            ):
                taken.append((start, end))
                yield Finding(RULE, Severity.WARNING, reason, start, start + len(value))


def _issued(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, start and end of values that have an issuer's shape."""
    for word in _LONG_WORD.finditer(text):
        for found in _ANY_ISSUED.finditer(text, *word.span()):
            if not _PLACEHOLDER.search(found[0]) and _is_random(found[0], 2.5):
                yield _NAMES[int(str(found.lastgroup)[1:])], *found.span()
    if "PRIVATE KEY" in text:
        for found in _PRIVATE_KEY.finditer(text):
            yield "a private key", *found.span()


def masked(text: str) -> str:
    """Return a text with its secrets masked, all else as it is."""
    parts, done = [], 0
    for start, end in sorted((found.start, found.end) for found in secrets(text)):
        if start >= done:
            parts += [text[done:start], _mask(text[start:end])]
            done = end
    return "".join([*parts, text[done:]])


def _mask(value: str) -> str:
    kept = value[:_KEPT] if len(value) >= 4 * _KEPT else ""
    return kept + "•" * 8


def _looks_secret(value: str, given: bool) -> bool:
    """Tell whether a value is made up, not a word: mixed classes of characters, or random.

    Args:
        value: what is assigned.
        given: whether its place says that it is a literal: quotes, or a URL.
    """
    if len(value) < 7 or _PLACEHOLDER.search(value):
        return False
    kinds = (r"[a-z]", r"[A-Z]", r"\d", r"[^\w.\-/:]")
    classes = sum(bool(regex.search(kind, value)) for kind in kinds)
    digits = sum(map(str.isdigit, value))
    if not digits and classes < 3:
        return False  # words, paths, dotted names
    if classes >= 3:
        return True
    changes = len(regex.findall(r"\d(?=\p{L})|\p{L}(?=\d)", value))
    # One number behind a word is a name (oauth2-proxy, sha256-based), several inside it are not.
    return classes == 2 and len(value) >= 8 and (given or (digits >= 2 and changes >= 2))


def _is_random(value: str, bits: float) -> bool:
    """Tell whether the characters of a value carry at least so many bits each."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts) >= bits
